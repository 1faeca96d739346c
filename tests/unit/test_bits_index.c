#include "hamming/bits_index.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "os/file.h"
#include "test.h"

#define N 9000 /* two full tails and a part of one */

static struct diag why;
static char dir[64];

static struct bits_index_options how(void)
{
	return (struct bits_index_options){ .dir = dir,
					    .method = "simhash64",
					    .distance = 3 };
}

static uint64_t print_of(size_t i)
{
	return hash_mix(i + 1);
}

static void add_all(struct bits_index *x, size_t from, size_t to)
{
	char name[32];

	for (size_t i = from; i < to; i++) {
		snprintf(name, sizeof(name), "doc-%zu", i);
		CHECK(bits_index_add(x, print_of(i), str_from(name), &why) == ST_OK);
	}
}

/* Questions 0 to 5 bits away from what is known, and strangers. */
static bool answers_are_right(struct bits_index *x, size_t n)
{
	struct rng r = { 3 };
	struct verdict v;

	for (unsigned i = 0; i < 2000; i++) {
		size_t doc = rng_below(&r, n);
		unsigned flips = (unsigned)rng_below(&r, 6);
		uint64_t q = print_of(doc);
		char name[32];

		for (unsigned k = 0; k < flips; k++)
			q ^= (uint64_t)1 << (7 * i + 11 * k) % 64;
		if (bits_index_ask(x, q, &v, &why) != ST_OK)
			return false;
		snprintf(name, sizeof(name), "doc-%zu", doc);
		unsigned distance = (unsigned)__builtin_popcountll(q ^ print_of(doc));
		if (distance > 3 && v.kind != VERDICT_NEW)
			return false;
		if (distance <= 3 &&
		    (v.distance != distance || v.representative != doc ||
		     !str_eq(v.representative_url, str_from(name)) ||
		     v.kind != (distance ? VERDICT_NEAR : VERDICT_EXACT)))
			return false;
	}
	return true;
}

static void what_was_added_is_found_and_survives(void)
{
	struct bits_index *x = NEW(struct bits_index);

	snprintf(dir, sizeof(dir), "/tmp/test_bits_index.XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	CHECK(bits_index_open(x,
			      &(struct bits_index_options){
				      .dir = dir, .method = "simhash64", .distance = 3 },
			      &why) == ST_OK);
	add_all(x, 0, N);
	CHECK(answers_are_right(x, N));
	CHECK(bits_index_sync(x, &why) == ST_OK);
	bits_index_release(x);
	struct bits_index_options again = how();
	CHECK(bits_index_open(x, &again, &why) == ST_OK);
	CHECK(x->n == N && answers_are_right(x, N));
	add_all(x, N, N + 100);
	CHECK(answers_are_right(x, N + 100));
	bits_index_release(x); /* without a sync: the last hundred may be gone */
	CHECK(bits_index_open(x, &again, &why) == ST_OK);
	CHECK(x->n >= N && answers_are_right(x, x->n));
	bits_index_release(x);
	free(x);
}

static void an_index_is_of_one_method(void)
{
	struct bits_index *x = NEW(struct bits_index);
	struct bits_index_options other = how();

	other.method = "tag-paths-simhash";
	CHECK(bits_index_open(x, &other, &why) == ST_EXISTS);
	bits_index_release(x);
	free(x);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* The log lost its end, the tables have it still: only documents count. */
static void tables_without_documents_are_made_again(void)
{
	struct bits_index *x = NEW(struct bits_index);
	struct bits_index_options o = how();
	struct file f;
	char path[96];

	snprintf(dir, sizeof(dir), "/tmp/test_bits_index.XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	CHECK(bits_index_open(x, &o, &why) == ST_OK);
	add_all(x, 0, N);
	CHECK(bits_index_sync(x, &why) == ST_OK);
	uint64_t cut = x->offsets[3000] + 5;
	bits_index_release(x);
	snprintf(path, sizeof(path), "%s/docs.seg", dir);
	CHECK(file_open(&f, path, FILE_APPEND, &why) == ST_OK);
	CHECK(file_truncate(&f, cut, &why) == ST_OK);
	file_close(&f);
	CHECK(bits_index_open(x, &o, &why) == ST_OK);
	CHECK(x->n == 3000 && answers_are_right(x, 3000));
	bits_index_release(x);
	free(x);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

int main(void)
{
	RUN(what_was_added_is_found_and_survives);
	RUN(an_index_is_of_one_method);
	RUN(tables_without_documents_are_made_again);
	DONE();
}
