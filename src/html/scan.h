/*
 * scan.h - the next interesting byte, sixteen at a time.
 *
 * Text between two tags is short, so the first look is inline; what goes on
 * is left to memchr().  Both give `end` when there is none.
 */
#ifndef HTML_SCAN_H
#define HTML_SCAN_H

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/str.h"

static inline const char *scan_for(const char *p, const char *end, char c)
{
#ifdef __SSE2__
	if (end - p >= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		unsigned hit =
			(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));

		if (hit)
			return p + __builtin_ctz(hit);
		p += 16;
	}
#endif
	const char *q = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
	return q ? q : end;
}

/* The next `a` or `b`. */
static inline const char *scan_for_either(const char *p, const char *end, char a, char b)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		__m128i eq = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(a)),
					  _mm_cmpeq_epi8(v, _mm_set1_epi8(b)));
		unsigned hit = (unsigned)_mm_movemask_epi8(eq);

		if (hit)
			return p + __builtin_ctz(hit);
	}
#endif
	while (p < end && *p != a && *p != b)
		p++;
	return p;
}
#endif
