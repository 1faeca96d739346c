/*
 * XXH3 of long texts, compiled for AVX2 beside the plain way: the header alone would take
 * what every processor has.  The values are the same.
 */
#if defined(__x86_64__) && defined(__clang__)
/* clang does not say __AVX2__ for a part of a file, so the header is told what to take;
 * what it includes must be there before the attribute is. */
#include <immintrin.h>
#include <stdlib.h>
#include <string.h>
#define XXH_VECTOR 2 /* XXH_AVX2 */
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#elif defined(__x86_64__)
#pragma GCC target("avx2")
#endif
#include "base/hash.h"

uint64_t hash64_long_avx2(struct str s, uint64_t seed)
{
	return XXH3_64bits_withSeed(s.p, s.n, seed);
}
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
