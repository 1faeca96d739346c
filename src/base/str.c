#include "base/str.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct str str_from(const char *c_string)
{
	return (struct str){ c_string, strlen(c_string) };
}

bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool str_eq_nocase(struct str a, struct str b)
{
	return a.n == b.n && str_starts_nocase(a, b);
}

int str_cmp(struct str a, struct str b)
{
	size_t n = MIN(a.n, b.n);
	int order = n ? memcmp(a.p, b.p, n) : 0;

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

bool str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool str_starts_nocase(struct str s, struct str prefix)
{
	if (s.n < prefix.n)
		return false;
	for (size_t i = 0; i < prefix.n; i++)
		if (ascii_lower(s.p[i]) != ascii_lower(prefix.p[i]))
			return false;
	return true;
}

bool str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_starts(str_skip(s, s.n - suffix.n), suffix);
}

size_t str_find_char(struct str s, char c)
{
	const char *at = s.n ? memchr(s.p, c, s.n) : NULL;

	return at ? (size_t)(at - s.p) : STR_NONE;
}

size_t str_rfind_char(struct str s, char c)
{
	const char *at = s.n ? memrchr(s.p, c, s.n) : NULL;

	return at ? (size_t)(at - s.p) : STR_NONE;
}

/* Longer ones are left to memmem(), which is linear whatever they are made of. */
#define SHORT_NEEDLE 16

/* Where the first and the last byte of a short needle stand right, sixteen places a look;
 * 12 x memmem() on prose. */
static const char *find_short(const char *p, const char *end, struct str needle)
{
	const char *last = end - needle.n; /* the last place where it may be */
	size_t far = needle.n - 1;

#ifdef __SSE2__
	__m128i a = _mm_set1_epi8(needle.p[0]), z = _mm_set1_epi8(needle.p[far]);

	for (; last - p >= 15; p += 16) {
		__m128i here = _mm_loadu_si128((const __m128i *)p);
		__m128i there = _mm_loadu_si128((const __m128i *)(p + far));
		unsigned hits = (unsigned)_mm_movemask_epi8(
			_mm_and_si128(_mm_cmpeq_epi8(here, a), _mm_cmpeq_epi8(there, z)));

		for (; hits; hits &= hits - 1) {
			const char *at = p + __builtin_ctz(hits);

			if (memcmp(at, needle.p, needle.n) == 0)
				return at;
		}
	}
#endif
	for (; p <= last; p++)
		if (p[0] == needle.p[0] && p[far] == needle.p[far] &&
		    memcmp(p, needle.p, needle.n) == 0)
			return p;
	return NULL;
}

size_t str_find(struct str s, struct str needle)
{
	if (needle.n == 0)
		return 0;
	if (s.n < needle.n)
		return STR_NONE;
	const char *at = needle.n <= SHORT_NEEDLE ? find_short(s.p, s.p + s.n, needle)
						  : memmem(s.p, s.n, needle.p, needle.n);

	return at ? (size_t)(at - s.p) : STR_NONE;
}

struct str str_slice(struct str s, size_t from, size_t to)
{
	to = MIN(to, s.n);
	from = MIN(from, to);
	return (struct str){ s.n ? s.p + from : s.p, to - from };
}

struct str str_skip(struct str s, size_t n)
{
	return str_slice(s, n, s.n);
}

struct str str_trim_ends(struct str s)
{
	while (s.n && ascii_is_space(s.p[s.n - 1]))
		s.n--;
	while (s.n && ascii_is_space(s.p[0]))
		s = str_skip(s, 1);
	return s;
}

bool str_take_until(struct str *in, char sep, struct str *ret_part)
{
	if (in->n == 0)
		return false;

	size_t at = str_find_char(*in, sep);
	size_t len = at == STR_NONE ? in->n : at;

	*ret_part = str_slice(*in, 0, len);
	*in = str_skip(*in, len + 1);
	return true;
}

bool str_take_line(struct str *in, struct str *ret_line)
{
	return str_take_until(in, '\n', ret_line);
}

bool str_take_uint(struct str *in, uint64_t max, uint64_t *ret_value)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < in->n && ascii_is_digit(in->p[i]); i++) {
		uint64_t digit = (uint64_t)(in->p[i] - '0');

		if (digit > max || v > (max - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (i == 0)
		return false;
	*ret_value = v;
	*in = str_skip(*in, i);
	return true;
}

bool str_take_char(struct str *in, char c)
{
	if (in->n == 0 || in->p[0] != c)
		return false;
	*in = str_skip(*in, 1);
	return true;
}

bool str_take_prefix(struct str *in, struct str prefix)
{
	if (!str_starts(*in, prefix))
		return false;
	*in = str_skip(*in, prefix.n);
	return true;
}

bool str_to_uint(struct str s, uint64_t max, uint64_t *ret_value)
{
	uint64_t v;

	if (!str_take_uint(&s, max, &v) || s.n)
		return false;
	*ret_value = v;
	return true;
}

int ascii_hex_value(char c)
{
	if (ascii_is_digit(c))
		return c - '0';
	c = ascii_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
