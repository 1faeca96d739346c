#include "dup/chains.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "test.h"

#define KEYS 5000
#define ADDS 40000

/* What a plain list of documents would say, newest first. */
static void chains_tell_what_was_added(void)
{
	cleanup(chains_release) struct chains c = { 0 };
	static uint32_t key_at[ADDS];
	struct rng r = { 3 };

	CHECK(chains_head(&c, 1) == 0);
	for (uint32_t i = 0; i < ADDS; i++) {
		key_at[i] = (uint32_t)rng_below(&r, KEYS);
		chains_add(&c, key_at[i], i);
	}
	CHECK(c.n == ADDS && c.n_keys <= c.n_slots / 4 * 3);
	for (uint32_t k = 0; k < KEYS; k++) {
		uint32_t link = chains_head(&c, k);

		for (uint32_t i = ADDS; i-- > 0;)
			if (key_at[i] == k) {
				CHECK(link != 0 && chain_doc(&c, link) == i);
				link = link ? chain_next(&c, link) : 0;
			}
		CHECK(link == 0);
	}
	CHECK(chains_head(&c, KEYS + 1) == 0);
}

/* Two keys whose hashes differ in the last bit only: the whole key tells them apart. */
static void equal_tags_are_no_equal_keys(void)
{
	cleanup(chains_release) struct chains c = { 0 };
	uint64_t twin = 0xcbb71d025bd0ed56;

	CHECK((hash_mix(twin) ^ hash_mix(1)) == 1);
	chains_add(&c, 1, 7);
	CHECK(chains_head(&c, twin) == 0);
	chains_add(&c, twin, 8);
	CHECK(c.n_keys == 2);
	CHECK(chain_doc(&c, chains_head(&c, 1)) == 7);
	CHECK(chain_doc(&c, chains_head(&c, twin)) == 8);
}

static void are_taken_by_key_and_newest_first(void)
{
	cleanup(chains_release) struct chains c = { 0 };
	size_t n;

	for (uint32_t i = 0; i < 1000; i++)
		chains_add(&c, i % 7, i);
	struct sort_pair *v = chains_take_sorted(&c, &n);
	CHECK(n == 1000 && c.n == 0 && chains_head(&c, 3) == 0);
	for (size_t i = 0; i < n; i++)
		CHECK(v[i].value % 7 == v[i].key);
	for (size_t i = 1; i < n; i++)
		CHECK(v[i].key > v[i - 1].key ||
		      (v[i].key == v[i - 1].key && v[i].value < v[i - 1].value));
	free(v);
}

int main(void)
{
	RUN(chains_tell_what_was_added);
	RUN(equal_tags_are_no_equal_keys);
	RUN(are_taken_by_key_and_newest_first);
	DONE();
}
