#include "policy/asked_pages.h"

#include "base/hash.h"
#include "test.h"

/* Through all its sizes nearly every page is remembered, and none is made up. */
static void remembers_nearly_all(void)
{
	cleanup(asked_pages_release) struct asked_pages a = { 0 };
	unsigned forgotten = 0, invented = 0;

	CHECK(!asked_pages_has(&a, 5));
	asked_pages_remove(&a, 5);
	for (uint64_t i = 0; i < 200000; i++)
		asked_pages_add(&a, hash_mix(i));
	for (uint64_t i = 0; i < 200000; i++) {
		forgotten += !asked_pages_has(&a, hash_mix(i));
		invented += asked_pages_has(&a, hash_mix(~i));
	}
	CHECK(forgotten < 200000 / 16);
	CHECK(invented < 5);
}

static void forgets_only_whom_it_is_told_to(void)
{
	cleanup(asked_pages_release) struct asked_pages a = { 0 };
	uint64_t one = hash_mix(1), same_slot = one ^ (uint64_t)1 << 63;

	asked_pages_add(&a, one);
	asked_pages_remove(&a, same_slot);
	CHECK(asked_pages_has(&a, one) && !asked_pages_has(&a, same_slot));
	asked_pages_remove(&a, one);
	CHECK(!asked_pages_has(&a, one));
}

/* A page noted in a small table is found in a large one, and can be taken back there. */
static void grows_without_losing(void)
{
	cleanup(asked_pages_release) struct asked_pages a = { 0 };
	uint64_t early = hash_mix(77);

	asked_pages_add(&a, early);
	size_t cap = a.cap;
	for (uint64_t i = 1000; a.cap < 8 * cap; i++)
		if (((hash_mix(i) ^ early) & (cap - 1)) != 0)
			asked_pages_add(&a, hash_mix(i));
	CHECK(asked_pages_has(&a, early));
	asked_pages_remove(&a, early);
	CHECK(!asked_pages_has(&a, early));
}

int main(void)
{
	RUN(remembers_nearly_all);
	RUN(forgets_only_whom_it_is_told_to);
	RUN(grows_without_losing);
	DONE();
}
