#include "base/hash.h"

uint64_t hash64_long(struct str s, uint64_t seed)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return hash64_long_avx2(s, seed);
#endif
	return XXH3_64bits_withSeed(s.p, s.n, seed);
}
