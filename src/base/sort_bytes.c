#include "base/sort_bytes.h"

#include <assert.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define SMALL       24
#define FETCH_AHEAD 16
/* Strings that agree in so many bytes are compared whole: bounds the recursion. */
#define WORDS_UNTIL 1024

/* Eight bytes as a number first: hashes and most keys differ there. */
static inline bool is_less(const char *a, const char *b, size_t size)
{
	uint64_t x, y;

	if (size >= sizeof(x)) {
		memcpy(&x, a, sizeof(x));
		memcpy(&y, b, sizeof(y));
		if (x != y)
			return be64toh(x) < be64toh(y);
	}
	return memcmp(a, b, size) < 0;
}

static inline __attribute__((always_inline)) void insert_records(char *v, size_t n,
								 size_t size)
{
	char x[SORT_RECORD_BYTES];

	for (size_t i = 1; i < n; i++) {
		size_t j = i;

		if (!is_less(v + i * size, v + (i - 1) * size, size))
			continue;
		memcpy(x, v + i * size, size);
		for (; j > 0 && is_less(x, v + (j - 1) * size, size); j--)
			memcpy(v + j * size, v + (j - 1) * size, size);
		memcpy(v + j * size, x, size);
	}
}

static inline void swap_records(char *a, char *b, size_t size)
{
	char x[SORT_RECORD_BYTES];

	memcpy(x, a, size);
	memcpy(a, b, size);
	memcpy(b, x, size);
}

/*
 * Put every record into the bucket of its byte `at`, in place ("American flag"):
 * each swap brings at least one record home.  `end[b]` becomes the end of bucket b.
 */
static inline __attribute__((always_inline)) void
deal_records(char *v, size_t n, size_t size, size_t at, size_t *end)
{
	size_t next[256], sum = 0;

	memset(end, 0, 256 * sizeof(*end));
	for (size_t i = 0; i < n; i++)
		end[(uint8_t)v[i * size + at]]++;
	for (size_t b = 0; b < 256; b++) {
		next[b] = sum;
		sum += end[b];
		end[b] = sum;
	}
	for (size_t b = 0; b < 256; b++) {
		while (next[b] < end[b]) {
			uint8_t home = (uint8_t)v[next[b] * size + at];

			if (home != b)
				swap_records(v + next[b] * size, v + next[home] * size,
					     size);
			next[home]++;
		}
	}
}

/* The compiler makes straight moves of a constant size: worth a case each. */
static void deal(char *v, size_t n, size_t size, size_t at, size_t *end)
{
	switch (size) {
	case 8:
		deal_records(v, n, 8, at, end);
		break;
	case 12:
		deal_records(v, n, 12, at, end);
		break;
	case 16:
		deal_records(v, n, 16, at, end);
		break;
	case 24:
		deal_records(v, n, 24, at, end);
		break;
	case 32:
		deal_records(v, n, 32, at, end);
		break;
	default:
		deal_records(v, n, size, at, end);
	}
}

static void insert(char *v, size_t n, size_t size)
{
	switch (size) {
	case 8:
		insert_records(v, n, 8);
		break;
	case 12:
		insert_records(v, n, 12);
		break;
	default:
		insert_records(v, n, size);
	}
}

static void sort_from(char *v, size_t n, size_t size, size_t at)
{
	size_t end[256];

	for (; at < size; at++) {
		if (n <= SMALL) {
			insert(v, n, size);
			return;
		}
		deal(v, n, size, at, end);
		if (end[(uint8_t)v[at]] == n &&
		    (uint8_t)v[at] == (uint8_t)v[(n - 1) * size + at])
			continue; /* all alike here: no need to go down */
		for (size_t b = 0, from = 0; b < 256; from = end[b++])
			if (end[b] - from > 1)
				sort_from(v + from * size, end[b] - from, size, at + 1);
		return;
	}
}

void sort_records(char *records, size_t n, size_t record_bytes)
{
	assert(record_bytes > 0 && record_bytes <= SORT_RECORD_BYTES);
	if (n > 1)
		sort_from(records, n, record_bytes, 0);
}

static inline uint64_t place_in(const char *record, unsigned shift)
{
	uint64_t key;

	memcpy(&key, record, sizeof(key));
	return key * 0x9e3779b97f4a7c15u >> shift;
}

size_t records_drop_single(char *records, size_t n, size_t size)
{
	unsigned bits = 6; /* of a place in a table of four to eight bits a record */
	size_t kept = 0;

	assert(size >= sizeof(uint64_t));
	while (bits < 40 && (size_t)1 << bits < 4 * n)
		bits++;
	uint64_t *once = xcalloc((size_t)1 << (bits - 6), sizeof(*once));
	uint64_t *twice = xcalloc((size_t)1 << (bits - 6), sizeof(*twice));
	for (size_t i = 0; i < n; i++) {
		uint64_t at = place_in(records + i * size, 64 - bits);
		uint64_t bit = (uint64_t)1 << (at & 63);

		twice[at >> 6] |= once[at >> 6] & bit;
		once[at >> 6] |= bit;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t at = place_in(records + i * size, 64 - bits);

		memmove(records + kept * size, records + i * size, size);
		kept += twice[at >> 6] >> (at & 63) & 1;
	}
	free(once);
	free(twice);
	return kept;
}

struct str sort_sized_str(const char *base, uint64_t offset)
{
	uint32_t n;

	memcpy(&n, base + offset, sizeof(n));
	return (struct str){ base + offset + sizeof(n), n };
}

uint64_t sort_word(struct str s)
{
	uint64_t word = 0;

	if (s.n >= sizeof(word))
		memcpy(&word, s.p, sizeof(word));
	else if (s.n > 0)
		memcpy(&word, s.p, s.n);
	return be64toh(word);
}

static int cmp_sized(const void *a, const void *b, void *base)
{
	const struct sort_pair *x = a, *y = b;

	return str_cmp(sort_sized_str(base, x->value), sort_sized_str(base, y->value));
}

enum group {
	GROUP_EQUAL,
	GROUP_BY_WORD,   /* the next eight bytes tell them apart, or the ones behind */
	GROUP_BY_STRING, /* somebody's end hides behind the zeros of a word */
};

/* Load the words behind the first `depth` bytes, in which all agree as far as they go. */
static enum group load_words(struct sort_pair *v, size_t n, size_t depth,
			     const char *base)
{
	size_t shortest = SIZE_MAX, longest = 0;

	for (size_t i = 0; i < n; i++) {
		struct str s = sort_sized_str(base, v[i].value);

		/* The strings lie anywhere: fetch them while others are looked at. */
		if (i + FETCH_AHEAD < n) {
			__builtin_prefetch(base + v[i + FETCH_AHEAD].value);
			__builtin_prefetch(base + v[i + FETCH_AHEAD].value + depth);
		}
		shortest = MIN(shortest, s.n);
		longest = MAX(longest, s.n);
		v[i].key = sort_word(str_skip(s, depth));
	}
	if (longest <= depth && shortest == longest)
		return GROUP_EQUAL;
	return shortest < depth || depth > WORDS_UNTIL ? GROUP_BY_STRING : GROUP_BY_WORD;
}

/* Small groups: by word, and by the bytes behind it only where words agree. */
static void insert_sized(struct sort_pair *v, size_t n, size_t depth, const char *base)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_pair x = v[i];
		struct str s = str_skip(sort_sized_str(base, x.value), depth);
		size_t j = i;

		for (; j > 0 && x.key <= v[j - 1].key; j--) {
			if (x.key == v[j - 1].key &&
			    str_cmp(s, str_skip(sort_sized_str(base, v[j - 1].value),
						depth)) >= 0)
				break;
			v[j] = v[j - 1];
		}
		v[j] = x;
	}
}

static void sort_sized_from(struct sort_pair *v, struct sort_pair *scratch, size_t n,
			    size_t depth, const char *base)
{
	enum group group = load_words(v, n, depth, base);

	if (group == GROUP_BY_STRING)
		qsort_r(v, n, sizeof(*v), cmp_sized, (void *)(uintptr_t)base);
	if (group != GROUP_BY_WORD)
		return;
	if (n <= SMALL) {
		insert_sized(v, n, depth, base);
		return;
	}
	sort_pairs(v, scratch, n);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && v[to].key == v[from].key; to++)
			;
		if (to - from > 1)
			sort_sized_from(v + from, scratch + from, to - from, depth + 8,
					base);
	}
}

void sort_sized(struct sort_pair *items, struct sort_pair *scratch, size_t n,
		const char *base)
{
	if (n > 1)
		sort_sized_from(items, scratch, n, 0, base);
}
