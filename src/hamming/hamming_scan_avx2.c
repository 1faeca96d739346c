#include "hamming/hamming_scan.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))

/* Bits set in each of the four words: by nibbles, from a table in a register. */
TARGET static inline __m256i count_bits(__m256i x)
{
	const __m256i table =
		_mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
				 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
	const __m256i low = _mm256_set1_epi8(15);
	__m256i a = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
	__m256i b = _mm256_shuffle_epi8(table,
					_mm256_and_si256(_mm256_srli_epi16(x, 4), low));

	return _mm256_sad_epu8(_mm256_add_epi8(a, b), _mm256_setzero_si256());
}

TARGET static inline __m256i within(const uint64_t *v, __m256i query, __m256i limit)
{
	__m256i x = _mm256_loadu_si256((const __m256i *)(const void *)v);

	return _mm256_cmpgt_epi64(limit, count_bits(_mm256_xor_si256(x, query)));
}

TARGET size_t hamming_scan_avx2(const uint64_t *v, size_t n, uint64_t query, unsigned k,
				uint32_t *ret, size_t max)
{
	const __m256i q = _mm256_set1_epi64x((long long)query);
	const __m256i limit = _mm256_set1_epi64x((long long)k + 1);
	size_t found = 0, i = 0;

	for (; i + 16 <= n; i += 16) {
		__m256i any =
			_mm256_or_si256(_mm256_or_si256(within(v + i, q, limit),
							within(v + i + 4, q, limit)),
					_mm256_or_si256(within(v + i + 8, q, limit),
							within(v + i + 12, q, limit)));

		if (__builtin_expect(_mm256_testz_si256(any, any), 1))
			continue;
		for (unsigned j = 0; j < 16; j++)
			if ((unsigned)__builtin_popcountll(v[i + j] ^ query) <= k &&
			    found < max)
				ret[found++] = (uint32_t)(i + j);
	}
	for (; i < n; i++)
		if ((unsigned)__builtin_popcountll(v[i] ^ query) <= k && found < max)
			ret[found++] = (uint32_t)i;
	return found;
}

bool hamming_scan_has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
}
#else
size_t hamming_scan_avx2(const uint64_t *v, size_t n, uint64_t query, unsigned k,
			 uint32_t *ret, size_t max)
{
	return hamming_scan_scalar(v, n, query, k, ret, max);
}

bool hamming_scan_has_avx2(void)
{
	return false;
}
#endif
