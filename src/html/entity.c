#include "html/entity.h"

#include <string.h>

#include "html/entity_table.h"

#define NAME_MAX_BYTES   33 /* "CounterClockwiseContourIntegral;" and one */
#define NO_SEMICOLON_MAX 6  /* the longest name valid without a semicolon */

static bool is_alnum(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c);
}

/* The blob's entry for `name` (with its semicolon, if it has one), or NULL. */
static const uint8_t *find_name(const char *name, size_t n)
{
	uint32_t h = 0;

	for (size_t i = 0; i < n; i++)
		h = h * 31 + (uint8_t)name[i];
	h = (h * 0x9e3779b1u) >> (32 - ENTITY_SLOT_BITS);
	for (; entity_slots[h]; h = (h + 1) & ((1u << ENTITY_SLOT_BITS) - 1)) {
		const uint8_t *e = entity_blob + entity_slots[h] - 1;

		if (e[0] == n && memcmp(e + 2, name, n) == 0)
			return e;
	}
	return NULL;
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80)
		return out[0] = (char)c, 1;
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 63));
		out[2] = (char)(0x80 | (c & 63));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 63));
	out[2] = (char)(0x80 | (c >> 6 & 63));
	out[3] = (char)(0x80 | (c & 63));
	return 4;
}

/* Numbers 128 to 159 meant windows-1252 in old pages, and still do (13.2.5.80). */
static uint32_t repair_number(uint32_t c)
{
	static const uint16_t latin[32] = {
		0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
		0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
		0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
		0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
	};

	if (c >= 0x80 && c < 0xa0)
		return latin[c - 0x80];
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0xfffd;
	return c;
}

static size_t decode_number(const char *p, const char *end, char *out, size_t *ret_n)
{
	const char *q = p + 2;
	uint32_t value = 0, base = 10;

	if (q < end && (*q | 0x20) == 'x')
		base = 16, q++;
	const char *digits = q;
	for (; q < end; q++) {
		int d = ascii_hex_value(*q);

		if (d < 0 || d >= (int)base)
			break;
		if (value <= 0x10ffff) /* larger already means U+FFFD */
			value = value * base + (uint32_t)d;
	}
	if (q == digits)
		return 0;
	q += q < end && *q == ';';
	*ret_n = put_utf8(out, repair_number(value));
	return (size_t)(q - p);
}

static size_t take_entry(const uint8_t *e, char *out, size_t *ret_n)
{
	memcpy(out, e + 2 + e[0], e[1]);
	*ret_n = e[1];
	return 1 + (size_t)e[0];
}

/* The four that are most of all; `&` itself and `;` counted.  0 for all else. */
static size_t decode_common(const char *p, const char *end, char *out)
{
	if (end - p < 5)
		return 0;
	if (p[3] == ';' && p[2] == 't' && (p[1] == 'l' || p[1] == 'g'))
		return *out = p[1] == 'l' ? '<' : '>', 4;
	if (memcmp(p, "&amp;", 5) == 0)
		return *out = '&', 5;
	if (end - p >= 6 && memcmp(p, "&quot;", 6) == 0)
		return *out = '"', 6;
	return 0;
}

size_t entity_decode(const char *p, const char *end, enum entity_where where, char *out,
		     size_t *ret_n)
{
	const char *name = p + 1;
	size_t room = (size_t)(end - name), n = 0;
	size_t common = decode_common(p, end, out);

	if (common)
		return *ret_n = 1, common;
	if (room && *name == '#')
		return decode_number(p, end, out, ret_n);
	while (n < room && n < NAME_MAX_BYTES && is_alnum(name[n]))
		n++;
	const uint8_t *e =
		n && n < room && name[n] == ';' ? find_name(name, n + 1) : NULL;

	if (e)
		return take_entry(e, out, ret_n);
	for (size_t len = MIN(n, NO_SEMICOLON_MAX); len >= 2; len--) {
		e = find_name(name, len);
		if (!e)
			continue;
		if (where == ENTITY_IN_ATTRIBUTE && len < room &&
		    (name[len] == '=' || is_alnum(name[len])))
			return 0;
		return take_entry(e, out, ret_n);
	}
	return 0;
}

struct str entity_decode_all(struct str s, enum entity_where where, struct arena *a)
{
	const char *amp = s.n ? memchr(s.p, '&', s.n) : NULL;

	if (!amp)
		return s;
	/* The worst growth is 6 bytes out of 5 ("&nGt;"), a number's 3 out of 3 ("&#0").
	 */
	const char *p = s.p, *end = s.p + s.n;
	char *to = arena_alloc(a, s.n + s.n / 4 + ENTITY_TEXT_MAX), *q = to;
	while (amp) {
		size_t n = 0;

		memcpy(q, p, (size_t)(amp - p));
		q += amp - p;
		size_t taken = entity_decode(amp, end, where, q, &n);
		if (!taken)
			*q = '&', n = taken = 1;
		q += n;
		p = amp + taken;
		amp = memchr(p, '&', (size_t)(end - p));
	}
	memcpy(q, p, (size_t)(end - p));
	q += end - p;
	return (struct str){ to, (size_t)(q - to) };
}
