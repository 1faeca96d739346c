#include "base/sort_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/rng.h"
#include "test.h"

static size_t record_size;

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, record_size);
}

/* Bytes of few values make long common starts; of many, wide buckets. */
static bool sorts_like_qsort(size_t n, size_t size, unsigned values)
{
	struct rng r = { n * 31 + size + values };
	char *ours = xcalloc(n, size), *theirs = xcalloc(n, size);

	for (size_t i = 0; i < n * size; i++)
		ours[i] = theirs[i] = (char)(rng_below(&r, values) * 255 / values);
	record_size = size;
	sort_records(ours, n, size);
	qsort(theirs, n, size, by_bytes);
	bool same = memcmp(ours, theirs, n * size) == 0;
	free(ours);
	free(theirs);
	return same;
}

static void records_of_all_sizes_sort_like_qsort(void)
{
	static const size_t sizes[] = { 1, 3, 8, 12, 16, 24, 32, 40, 256 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t n = 0; n < 3000; n = n * 3 + 1) {
			CHECK(sorts_like_qsort(n, sizes[i], 256));
			CHECK(sorts_like_qsort(n, sizes[i], 2));
			CHECK(sorts_like_qsort(n, sizes[i], 1));
		}
	for (size_t size = 8; size <= 12; size += 4) {
		CHECK(sorts_like_qsort(200000, size, 256));
		CHECK(sorts_like_qsort(200000, size, 3));
	}
}

/* Strings of letters from `alphabet`, up to `longest`; true when in order at the end. */
static bool strings_sort(size_t n, size_t longest, struct str alphabet, size_t prefix)
{
	struct rng r = { n + longest };
	struct buf bytes = { 0 };
	struct sort_pair *items = xcalloc(n, sizeof(*items));
	struct sort_pair *scratch = xcalloc(n, sizeof(*scratch));
	uint64_t sum = 0, sum_after = 0;
	bool ordered = true;

	for (size_t i = 0; i < n; i++) {
		uint32_t length = (uint32_t)(prefix + rng_below(&r, longest + 1));

		items[i].value = bytes.n;
		sum += hash_mix(bytes.n);
		buf_add(&bytes, (struct str){ (const char *)&length, 4 });
		for (uint32_t k = 0; k < length; k++)
			buf_add_char(&bytes,
				     k < prefix ? 'p'
						: alphabet.p[rng_below(&r, alphabet.n)]);
	}
	sort_sized(items, scratch, n, bytes.p);
	for (size_t i = 0; i < n; i++) {
		sum_after += hash_mix(items[i].value);
		ordered &=
			i == 0 || str_cmp(sort_sized_str(bytes.p, items[i - 1].value),
					  sort_sized_str(bytes.p, items[i].value)) <= 0;
	}
	free(items);
	free(scratch);
	buf_release(&bytes);
	return ordered && sum == sum_after;
}

static void strings_of_any_length_are_ordered(void)
{
	for (size_t n = 1; n < 5000; n = n * 3 + 1) {
		CHECK(strings_sort(n, 30, STR("abcdefghij"), 0));
		CHECK(strings_sort(n, 30, STR("ab"), 100));
		CHECK(strings_sort(n, 12, STR("\0\1"), 0));
		CHECK(strings_sort(n, 20, STR("\0"), 3));
		CHECK(strings_sort(n, 0, STR("x"), 8));
		CHECK(strings_sort(n, 0, STR("x"), 0));
		CHECK(strings_sort(n, 9, STR("\xff"), 0));
	}
	CHECK(strings_sort(300, 30, STR("ab"), 5000));
}

/* Keys 0 to 99 come twice, 5,000 others once; records are numbered in their order. */
static void single_records_are_left_out_and_no_others(void)
{
	enum { PAIRS = 100, ALL = 2 * PAIRS + 5000, SIZE = 12 };
	static char v[ALL * SIZE];
	size_t seen[PAIRS] = { 0 };
	uint32_t last = 0;

	for (uint32_t i = 0; i < ALL; i++) {
		uint64_t key = i < PAIRS         ? i
			       : i < ALL - PAIRS ? 1000 + i
						 : i - (ALL - PAIRS);

		memcpy(v + i * SIZE, &key, 8);
		memcpy(v + i * SIZE + 8, &i, 4);
	}
	size_t n = records_drop_single(v, ALL, SIZE);
	CHECK(n >= 2 * PAIRS && n < ALL / 2);
	for (size_t i = 0; i < n; i++) {
		uint64_t key;
		uint32_t nr;

		memcpy(&key, v + i * SIZE, 8);
		memcpy(&nr, v + i * SIZE + 8, 4);
		CHECK(i == 0 || nr > last);
		last = nr;
		if (key < PAIRS)
			seen[key]++;
	}
	for (size_t i = 0; i < PAIRS; i++)
		CHECK(seen[i] == 2);
	CHECK(records_drop_single(v, 0, SIZE) == 0);
	CHECK(records_drop_single(v, 1, SIZE) == 0);
}

static void words_order_like_their_strings(void)
{
	CHECK(sort_word(STR("abc")) < sort_word(STR("abd")));
	CHECK(sort_word(STR("\x7f")) < sort_word(STR("\x80")));
	CHECK(sort_word(STR("ab")) < sort_word(STR("ab\1")));
	CHECK(sort_word(STR("")) == 0);
	CHECK(sort_word(STR("12345678")) == sort_word(STR("123456789")));
}

int main(void)
{
	RUN(records_of_all_sizes_sort_like_qsort);
	RUN(strings_of_any_length_are_ordered);
	RUN(single_records_are_left_out_and_no_others);
	RUN(words_order_like_their_strings);
	DONE();
}
