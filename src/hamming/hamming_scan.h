/*
 * hamming_scan.h - which of these 64-bit fingerprints differ in at most k bits?
 *
 * Looks at every one.  Three kernels with equal results: plain C, the processor's
 * popcount, and AVX2; the best that the processor has is taken.
 */
#ifndef HAMMING_HAMMING_SCAN_H
#define HAMMING_HAMMING_SCAN_H

#include "base/base.h"

/* Positions of the matches, ascending, up to `max`; returns how many were put. */
size_t hamming_scan(const uint64_t *v, size_t n, uint64_t query, unsigned k,
		    uint32_t *ret, size_t max);
size_t hamming_scan_scalar(const uint64_t *v, size_t n, uint64_t query, unsigned k,
			   uint32_t *ret, size_t max);
size_t hamming_scan_popcnt(const uint64_t *v, size_t n, uint64_t query, unsigned k,
			   uint32_t *ret, size_t max);
size_t hamming_scan_avx2(const uint64_t *v, size_t n, uint64_t query, unsigned k,
			 uint32_t *ret, size_t max);
bool hamming_scan_has_popcnt(void);
bool hamming_scan_has_avx2(void);
#endif
