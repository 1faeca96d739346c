/*
 * XXH3 of long texts, compiled for AVX2 beside the plain way: the header alone would take
 * what every processor has.  The values are the same.
 */
#if defined(__x86_64__)
#pragma GCC target("avx2")
#endif
#include "base/hash.h"

uint64_t hash64_long_avx2(struct str s, uint64_t seed)
{
	return XXH3_64bits_withSeed(s.p, s.n, seed);
}
