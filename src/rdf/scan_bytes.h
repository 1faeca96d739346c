/*
 * scan_bytes.h - how far a run of ordinary bytes goes: the inner loop of the scanner.
 *
 * Each answers the first byte in [p, end) that is not ordinary, or `end`.  The plain
 * functions look at one byte at a time, the others at sixteen where the machine has
 * SSE2; a test holds them to each other.
 */
#ifndef RDF_SCAN_BYTES_H
#define RDF_SCAN_BYTES_H

#include "base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes that may stand in an IRI as they are; non-ASCII is checked as UTF-8. */
extern const bool scan_iri_plain[256];

static inline const char *scan_iri_bytewise(const char *p, const char *end)
{
	while (p < end && scan_iri_plain[(uint8_t)*p])
		p++;
	return p;
}

/* Ordinary in a literal is all but the quote, the backslash and the ends of a line. */
static inline const char *scan_literal_bytewise(const char *p, const char *end)
{
	while (p < end && *p != '"' && *p != '\\' && *p != '\n' && *p != '\r')
		p++;
	return p;
}

#ifdef __SSE2__
static inline __m128i scan_equals(__m128i bytes, char c)
{
	return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
}

static inline const char *scan_iri(const char *p, const char *end)
{
	for (; end - p >= 16; p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* '<' and '>', '\' and '^' differ in one bit; '{', '|', '}' are a range.
		 */
		__m128i pair = _mm_and_si128(b, _mm_set1_epi8((char)0xfd));
		__m128i brace = _mm_sub_epi8(b, _mm_set1_epi8('{'));
		__m128i stop = _mm_cmpeq_epi8(_mm_min_epu8(b, _mm_set1_epi8(' ')), b);

		stop = _mm_or_si128(stop, _mm_or_si128(scan_equals(pair, '<'),
						       scan_equals(pair, '\\')));
		stop = _mm_or_si128(
			stop, _mm_or_si128(scan_equals(b, '"'), scan_equals(b, '`')));
		stop = _mm_or_si128(
			stop,
			_mm_cmpeq_epi8(_mm_min_epu8(brace, _mm_set1_epi8(2)), brace));
		int mask = _mm_movemask_epi8(stop);
		if (mask)
			return p + __builtin_ctz((unsigned)mask);
	}
	return scan_iri_bytewise(p, end);
}

static inline const char *scan_literal(const char *p, const char *end)
{
	for (; end - p >= 16; p += 16) {
		__m128i b = _mm_loadu_si128((const __m128i *)(const void *)p);
		int mask = _mm_movemask_epi8(_mm_or_si128(
			_mm_or_si128(scan_equals(b, '"'), scan_equals(b, '\\')),
			_mm_or_si128(scan_equals(b, '\n'), scan_equals(b, '\r'))));

		if (mask)
			return p + __builtin_ctz((unsigned)mask);
	}
	return scan_literal_bytewise(p, end);
}
#else
#define scan_iri     scan_iri_bytewise
#define scan_literal scan_literal_bytewise
#endif
#endif
