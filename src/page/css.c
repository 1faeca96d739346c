#include "page/css.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/utf8.h"

/* Bytes at which something may begin. */
static const bool stops[256] = {
	['"'] = true, ['\''] = true, ['/'] = true,
	['('] = true, ['@'] = true,  ['\\'] = true,
};

/* The next of them, or `end`. */
static const char *find_stop(const char *p, const char *end)
{
#ifdef __SSE2__
	static const char of[] = { '"', '\'', '/', '(', '@', '\\' };

	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p),
			hit = _mm_setzero_si128();

		for (size_t i = 0; i < sizeof(of); i++)
			hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8(of[i])));
		unsigned mask = (unsigned)_mm_movemask_epi8(hit);
		if (mask)
			return p + __builtin_ctz(mask);
	}
#endif
	while (p < end && !stops[(uint8_t)*p])
		p++;
	return p;
}

static bool is_newline(char c)
{
	return c == '\n' || c == '\r' || c == '\f';
}

static const char *skip_blank(const char *p, const char *end)
{
	while (p < end && ascii_is_space(*p))
		p++;
	return p;
}

/* After the comment whose slash is at `p`. */
static const char *skip_comment(const char *p, const char *end)
{
	for (p += 2; p < end; p++) {
		p = memchr(p, '*', (size_t)(end - p));
		if (!p)
			return end;
		if (p + 1 < end && p[1] == '/')
			return p + 2;
	}
	return end;
}

/* The string whose opening quote is at `p`; it ends at a bare newline too. */
static const char *take_string(const char *p, const char *end, struct str *ret)
{
	char quote = *p++;
	const char *start = p;

	while (p < end && *p != quote && !is_newline(*p))
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	*ret = (struct str){ start, (size_t)(p - start) };
	return p < end ? p + 1 : p;
}

/* What stands in the parentheses, the first of which is before `p`. */
static const char *take_argument(const char *p, const char *end, struct str *ret)
{
	p = skip_blank(p, end);
	if (p < end && (*p == '"' || *p == '\''))
		return take_string(p, end, ret);

	const char *start = p;
	while (p < end && *p != ')' && *p != '"' && *p != '\'' && *p != '(')
		p += *p == '\\' && p + 1 < end ? 2 : 1;
	*ret = str_trim((struct str){ start, (size_t)(p - start) });
	return p;
}

/* "\26 " and "\(" into what they stand for; a newline after '\' is nothing. */
static struct str unescape(struct str s, struct arena *a)
{
	if (s.n == 0 || !memchr(s.p, '\\', s.n))
		return s;

	struct buf out = BUF(4 * s.n + 4);
	while (s.n) {
		if (*s.p != '\\' || s.n < 2) {
			buf_add_char(&out, *s.p);
			s = str_skip(s, 1);
			continue;
		}
		uint32_t code = 0;
		size_t digits = 0;

		s = str_skip(s, 1);
		while (digits < 6 && digits < s.n && ascii_hex_value(s.p[digits]) >= 0)
			code = code * 16 + (uint32_t)ascii_hex_value(s.p[digits++]);
		if (digits) {
			buf_add_utf8(&out, code);
			s = str_skip(s, digits);
			if (s.n && ascii_is_space(*s.p))
				s = str_skip(s, 1);
		} else {
			if (!is_newline(*s.p))
				buf_add_char(&out, *s.p);
			s = str_skip(s, 1);
		}
	}
	s = arena_copy(a, buf_str(&out));
	buf_release(&out);
	return s;
}

/* Does `word` stand right before `p`, and nothing that would make it longer? */
static bool is_called(const char *start, const char *p, struct str word)
{
	size_t before = (size_t)(p - start);
	struct str w = { p - word.n, word.n };

	if (before < word.n || !str_eq_nocase(w, word))
		return false;
	return before == word.n || !(ascii_is_alpha(w.p[-1]) || ascii_is_digit(w.p[-1]) ||
				     w.p[-1] == '-' || w.p[-1] == '_');
}

/* @import "x": the string, whatever stands after it. */
static const char *take_import(const char *p, const char *end, struct str *ret)
{
	struct str rest = { p + 1, (size_t)(end - p - 1) };

	if (!str_starts_nocase(rest, STR("import")))
		return p + 1;
	p = skip_blank(p + 7, end);
	if (p == end || (*p != '"' && *p != '\''))
		return p; /* url(...) comes next, and is found as such */
	return take_string(p, end, ret);
}

bool css_next_url(struct str *css, struct arena *a, struct str *ret_url,
		  enum css_url_kind *ret_kind)
{
	const char *p = css->p, *start = css->p, *end = p + css->n;
	struct str url = { 0 };
	enum css_url_kind kind = CSS_URL;

	while (!url.n && (p = find_stop(p, end)) < end) {
		struct str skipped;

		if (*p == '"' || *p == '\'') {
			p = take_string(p, end, &skipped);
		} else if (*p == '(') {
			bool is_url = is_called(start, p, STR("url")) ||
				      is_called(start, p, STR("src"));
			p = is_url ? take_argument(p + 1, end, &url) : p + 1;
		} else if (*p == '@') {
			p = take_import(p, end, &url);
			kind = url.n ? CSS_IMPORT : CSS_URL;
		} else if (*p == '/') {
			bool comment = p + 1 < end && p[1] == '*';
			p = comment ? skip_comment(p, end) : p + 1;
		} else {
			p += p + 1 < end ? 2 : 1;
		}
	}
	*css = (struct str){ p, (size_t)(end - p) };
	if (!url.n)
		return false;
	*ret_url = unescape(url, a);
	*ret_kind = kind;
	return true;
}
