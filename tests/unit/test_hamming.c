#include "hamming/hamming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "hamming/hamming_scan.h"
#include "os/fault.h"
#include "os/file.h"
#include "test.h"

enum { N = 20000 };
static struct hamming_pair pairs[N];
static uint64_t prints[N];

/* Random ones, and families around them: some equal, some 1 to 20 bits away. */
static void fill(void)
{
	struct rng r = { 42 };

	for (uint32_t i = 0; i < N; i++) {
		uint64_t p = rng_next(&r);

		if (i % 4 && i) {
			p = pairs[i - i % 4].print;
			for (uint64_t flips = rng_below(&r, i % 4 == 3 ? 20 : 5); flips;
			     flips--)
				p ^= (uint64_t)1 << rng_below(&r, 64);
		}
		pairs[i] = (struct hamming_pair){ p, i };
		prints[i] = p;
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void the_kernels_agree(void)
{
	static uint32_t a[N], b[N];
	struct rng r = { 1 };

	for (int i = 0; i < 300; i++) {
		uint64_t q = prints[rng_below(&r, N)];
		unsigned k = (unsigned)rng_below(&r, 30);
		size_t n = rng_below(&r, N), max = i % 5 ? N : 3;
		size_t found = hamming_scan_scalar(prints, n, q, k, a, max);

		CHECK(!hamming_scan_has_popcnt() ||
		      (hamming_scan_popcnt(prints, n, q, k, b, max) == found &&
		       memcmp(a, b, found * sizeof(*a)) == 0));
		CHECK(!hamming_scan_has_avx2() ||
		      (hamming_scan_avx2(prints, n, q, k, b, max) == found &&
		       memcmp(a, b, found * sizeof(*a)) == 0));
		CHECK(hamming_scan(prints, n, q, k, b, max) == found);
	}
}

static bool same_as_brute_force(const struct hamming_tables *t, uint64_t q, unsigned k)
{
	static uint32_t want[N], got[N];
	size_t n = hamming_scan_scalar(prints, N, q, k, want, N);
	size_t m = hamming_tables_find(t, q, k, got, N);

	qsort(got, m, sizeof(*got), by_number);
	return n == m && memcmp(want, got, n * sizeof(*want)) == 0;
}

static void every_plan_finds_what_brute_force_finds(void)
{
	static const unsigned plans[] = { 4, 10, 16, 20 };

	for (size_t p = 0; p < COUNT(plans); p++) {
		struct hamming_tables t;
		struct rng r = { p };

		hamming_tables_build(&t, plans[p], pairs, N);
		for (int i = 0; i < 500; i++) {
			uint64_t q = prints[rng_below(&r, N)];

			if (i % 3)
				q ^= (uint64_t)1 << rng_below(&r, 64);
			CHECK(same_as_brute_force(&t, q, (unsigned)i % 4));
		}
		hamming_tables_release(&t);
	}
}

static void four_tables_find_at_any_distance(void)
{
	struct hamming_tables t;
	struct rng r = { 9 };

	hamming_tables_build(&t, 4, pairs, N);
	for (unsigned k = 4; k < 16; k++)
		for (int i = 0; i < 3; i++)
			CHECK(same_as_brute_force(&t, prints[rng_below(&r, N)], k));
	hamming_tables_release(&t);
}

static void a_batch_answers_as_single_questions(void)
{
	static const unsigned plans[] = { 4, 10, 16, 20 };

	for (size_t p = 0; p < COUNT(plans); p++) {
		struct hamming_tables t;
		struct hamming_match *one, *two;
		uint64_t queries[500];
		size_t total = 0;

		for (size_t i = 0; i < COUNT(queries); i++)
			queries[i] = prints[i * 7] ^ (i % 2 ? 5 : 0);
		hamming_tables_build(&t, plans[p], pairs, N);
		size_t n = hamming_tables_batch(&t, queries, COUNT(queries), 3, 1, &one);
		size_t m = hamming_tables_batch(&t, queries, COUNT(queries), 3, 3, &two);
		CHECK(n == m && memcmp(one, two, n * sizeof(*one)) == 0);
		for (size_t i = 0; i < COUNT(queries); i++) {
			static uint32_t got[N];

			total += hamming_tables_find(&t, queries[i], 3, got, N);
		}
		CHECK(total == n);
		free(one);
		free(two);
		hamming_tables_release(&t);
	}
}

static struct hamming h; /* large: not for the stack */
static struct diag why;
static char dir[64];

static bool grown_as_brute_force(size_t n, uint64_t q, unsigned k)
{
	static uint32_t want[N], got[N];
	size_t w = hamming_scan_scalar(prints, n, q, k, want, N);
	size_t m = hamming_find(&h, q, k, got, N);

	qsort(got, m, sizeof(*got), by_number);
	return w == m && memcmp(want, got, w * sizeof(*want)) == 0;
}

static void one_by_one_in_memory_and_on_disk(void)
{
	for (int disk = 0; disk < 2; disk++) {
		struct hamming_options how = { .memory_bytes = 1 << 16 };
		struct rng r = { 4 };

		snprintf(dir, sizeof(dir), "/tmp/test_hamming.XXXXXX");
		CHECK(mkdtemp(dir));
		how.dir = disk ? dir : NULL;
		CHECK(hamming_open(&h, &how, &why) == ST_OK);
		for (uint32_t i = 0; i < N; i++) {
			CHECK(hamming_add(&h, prints[i], i, &why) == ST_OK);
			if (i % 500 == 499)
				CHECK(grown_as_brute_force(i + 1,
							   prints[rng_below(&r, i)],
							   (unsigned)rng_below(&r, 8)));
			if (disk && i % 7000 == 6999) { /* closed in between */
				CHECK(hamming_flush(&h, &why) == ST_OK);
				hamming_release(&h);
				CHECK(hamming_open(&h, &how, &why) == ST_OK);
				CHECK(hamming_covered(&h) == i + 1 && h.n == i + 1);
			}
		}
		CHECK(h.n_segments < 6);
		hamming_release(&h);
		CHECK(dir_remove(dir, &why) == ST_OK);
	}
}

/* Whatever write fails, what was covered is there afterwards. */
static void a_crash_loses_only_what_was_not_covered(void)
{
	struct hamming_options how = { .dir = dir };

	for (unsigned nr = 1; nr < 24; nr++) {
		char spec[40];
		uint32_t got[4];

		snprintf(dir, sizeof(dir), "/tmp/test_hamming.XXXXXX");
		CHECK(mkdtemp(dir));
		CHECK(hamming_open(&h, &how, &why) == ST_OK);
		snprintf(spec, sizeof(spec), "fail-write=%u+", nr);
		CHECK(fault_set(str_from(spec), &why) == ST_OK);
		for (uint32_t i = 0; i < N; i++)
			if (hamming_add(&h, prints[i], i, &why) != ST_OK)
				break;
		CHECK(fault_set(STR(""), &why) == ST_OK);
		hamming_release(&h);
		CHECK(hamming_open(&h, &how, &why) == ST_OK);
		CHECK(hamming_covered(&h) == h.n);
		for (uint32_t i = 0; i < hamming_covered(&h); i += 97)
			CHECK(hamming_find(&h, prints[i], 0, got, 4) >= 1);
		hamming_release(&h);
		CHECK(dir_remove(dir, &why) == ST_OK);
	}
}

static void nothing_is_found_in_nothing(void)
{
	struct hamming_tables t;
	uint32_t got[4];

	hamming_tables_build(&t, 4, pairs, 0);
	CHECK(hamming_tables_find(&t, 1, 3, got, 4) == 0);
	hamming_tables_release(&t);
	hamming_tables_build(&t, 10, pairs, 1);
	CHECK(hamming_tables_find(&t, prints[0], 0, got, 4) == 1 && got[0] == 0);
	hamming_tables_release(&t);
}

int main(void)
{
	fill();
	RUN(the_kernels_agree);
	RUN(every_plan_finds_what_brute_force_finds);
	RUN(four_tables_find_at_any_distance);
	RUN(a_batch_answers_as_single_questions);
	RUN(one_by_one_in_memory_and_on_disk);
	RUN(a_crash_loses_only_what_was_not_covered);
	RUN(nothing_is_found_in_nothing);
	DONE();
}
