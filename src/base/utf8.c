#include "base/utf8.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Skip ASCII 64 bytes at a time, then eight. */
static size_t ascii_prefix(const char *p, size_t n)
{
	size_t i = 0;
	uint64_t word;

#ifdef __SSE2__
	for (; i + 64 <= n; i += 64) {
		const __m128i *v = (const __m128i *)(p + i);
		__m128i low = _mm_or_si128(_mm_loadu_si128(v), _mm_loadu_si128(v + 1));
		__m128i high =
			_mm_or_si128(_mm_loadu_si128(v + 2), _mm_loadu_si128(v + 3));

		if (_mm_movemask_epi8(_mm_or_si128(low, high)))
			break;
	}
#endif
	for (; i + sizeof(word) <= n; i += sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		if (word & 0x8080808080808080u)
			break;
	}
	while (i < n && !((uint8_t)p[i] & 0x80))
		i++;
	return i;
}

/*
 * Decode at `p`.  Returns the length, or minus the length of the maximal
 * subpart of an ill-formed sequence.
 */
static int decode(const uint8_t *p, size_t n, uint32_t *ret)
{
	uint8_t lead = p[0], low = 0x80, high = 0xbf;
	int need;

	if (lead < 0x80) {
		*ret = lead;
		return 1;
	}
	if (lead < 0xc2 || lead > 0xf4)
		return -1;
	need = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
	if (lead == 0xe0)
		low = 0xa0; /* overlong */
	else if (lead == 0xed)
		high = 0x9f; /* surrogates */
	else if (lead == 0xf0)
		low = 0x90; /* overlong */
	else if (lead == 0xf4)
		high = 0x8f; /* past U+10FFFF */
	uint32_t cp = lead & (0x3fu >> need);
	for (int i = 1; i <= need; i++) {
		if ((size_t)i >= n || p[i] < low || p[i] > high)
			return -i;
		cp = cp << 6 | (p[i] & 0x3fu);
		low = 0x80;
		high = 0xbf;
	}
	*ret = cp;
	return need + 1;
}

size_t utf8_valid_prefix(struct str s)
{
	size_t i = 0;

	for (;;) {
		uint32_t cp;

		i += ascii_prefix(s.p + i, s.n - i);
		if (i == s.n)
			return i;
		int len = decode((const uint8_t *)s.p + i, s.n - i, &cp);
		if (len < 0)
			return i;
		i += (size_t)len;
	}
}

bool utf8_valid(struct str s)
{
	return s.n == 0 || utf8_valid_prefix(s) == s.n;
}

uint32_t utf8_take(struct str *s)
{
	uint32_t cp;
	int len = decode((const uint8_t *)s->p, s->n, &cp);

	*s = str_skip(*s, (size_t)(len < 0 ? -len : len));
	return len < 0 ? UTF8_REPLACEMENT : cp;
}

void buf_add_utf8(struct buf *b, uint32_t cp)
{
	char out[4];
	size_t n;

	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = UTF8_REPLACEMENT;
	if (cp < 0x80) {
		buf_add_char(b, (char)cp);
		return;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		n = 2;
	} else if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		n = 3;
	} else {
		out[0] = (char)(0xf0 | cp >> 18);
		n = 4;
	}
	for (size_t i = 1; i < n; i++)
		out[i] = (char)(0x80 | ((cp >> (6 * (n - 1 - i))) & 0x3f));
	buf_add(b, (struct str){ out, n });
}

void buf_add_utf8_repaired(struct buf *b, struct str s)
{
	while (s.n) {
		size_t good = utf8_valid_prefix(s);

		buf_add(b, str_slice(s, 0, good));
		s = str_skip(s, good);
		if (s.n)
			buf_add_utf8(b, utf8_take(&s));
	}
}
