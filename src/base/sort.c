#include "base/sort.h"

#include <string.h>

#define SMALL 48

/*
 * One template for the three element types: BYTE(e, b) is byte `b` of the key
 * of `e`, LESS(a, b) the order of two keys.  All counts are taken in one pass.
 */
#define SORT_DEFINE(name, type, key_bytes, BYTE, LESS)                               \
	static void name##_small(type *v, size_t n)                                  \
	{                                                                            \
		for (size_t i = 1; i < n; i++) {                                     \
			type x = v[i];                                               \
			size_t j = i;                                                \
                                                                                     \
			for (; j > 0 && LESS(x, v[j - 1]); j--)                      \
				v[j] = v[j - 1];                                     \
			v[j] = x;                                                    \
		}                                                                    \
	}                                                                            \
	static void name##_pass(const type *from, type *to, size_t n, unsigned byte, \
				const size_t *count)                                 \
	{                                                                            \
		size_t at[256], sum = 0;                                             \
                                                                                     \
		for (size_t i = 0; i < 256; sum += count[i++])                       \
			at[i] = sum;                                                 \
		for (size_t i = 0; i < n; i++)                                       \
			to[at[BYTE(from[i], byte)]++] = from[i];                     \
	}                                                                            \
	void name(type *v, type *scratch, size_t n)                                  \
	{                                                                            \
		size_t count[key_bytes][256] = { { 0 } };                            \
		type *from = v, *to = scratch;                                       \
                                                                                     \
		if (n <= SMALL) {                                                    \
			name##_small(v, n);                                          \
			return;                                                      \
		}                                                                    \
		for (size_t i = 0; i < n; i++)                                       \
			for (unsigned b = 0; b < (key_bytes); b++)                   \
				count[b][BYTE(v[i], b)]++;                           \
		for (unsigned b = 0; b < (key_bytes); b++) {                         \
			if (count[b][BYTE(v[0], b)] == n)                            \
				continue;                                            \
			name##_pass(from, to, n, b, count[b]);                       \
			SWAP(from, to);                                              \
		}                                                                    \
		if (from != v)                                                       \
			memcpy(v, from, n * sizeof(type));                           \
	}

#define U64_BYTE(e, b)  ((uint8_t)((e) >> (8 * (b))))
#define U64_LESS(a, b)  ((a) < (b))
#define PAIR_BYTE(e, b) U64_BYTE((e).key, b)
#define PAIR_LESS(a, b) ((a).key < (b).key)

SORT_DEFINE(sort_u64, uint64_t, 8, U64_BYTE, U64_LESS)
SORT_DEFINE(sort_pairs, struct sort_pair, 8, PAIR_BYTE, PAIR_LESS)
