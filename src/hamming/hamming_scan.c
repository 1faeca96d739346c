#include "hamming/hamming_scan.h"

/* Branch only for groups of eight: matches are rare. */
#define SCAN_BODY                                                                     \
	size_t found = 0, i = 0;                                                      \
	for (; i + 8 <= n; i += 8) {                                                  \
		unsigned any = 0;                                                     \
		for (unsigned j = 0; j < 8; j++)                                      \
			any |= (unsigned)__builtin_popcountll(v[i + j] ^ query) <= k; \
		if (__builtin_expect(any == 0, 1))                                    \
			continue;                                                     \
		for (unsigned j = 0; j < 8; j++)                                      \
			if ((unsigned)__builtin_popcountll(v[i + j] ^ query) <= k &&  \
			    found < max)                                              \
				ret[found++] = (uint32_t)(i + j);                     \
	}                                                                             \
	for (; i < n; i++)                                                            \
		if ((unsigned)__builtin_popcountll(v[i] ^ query) <= k && found < max) \
			ret[found++] = (uint32_t)i;                                   \
	return found;

size_t hamming_scan_scalar(const uint64_t *v, size_t n, uint64_t query, unsigned k,
			   uint32_t *ret, size_t max)
{
	SCAN_BODY
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) size_t hamming_scan_popcnt(const uint64_t *v, size_t n,
							     uint64_t query, unsigned k,
							     uint32_t *ret, size_t max)
{
	SCAN_BODY
}

bool hamming_scan_has_popcnt(void)
{
	return __builtin_cpu_supports("popcnt");
}
#else
size_t hamming_scan_popcnt(const uint64_t *v, size_t n, uint64_t query, unsigned k,
			   uint32_t *ret, size_t max)
{
	return hamming_scan_scalar(v, n, query, k, ret, max);
}

bool hamming_scan_has_popcnt(void)
{
	return false;
}
#endif

size_t hamming_scan(const uint64_t *v, size_t n, uint64_t query, unsigned k,
		    uint32_t *ret, size_t max)
{
	if (hamming_scan_has_avx2())
		return hamming_scan_avx2(v, n, query, k, ret, max);
	return hamming_scan_has_popcnt() ? hamming_scan_popcnt(v, n, query, k, ret, max)
					 : hamming_scan_scalar(v, n, query, k, ret, max);
}
