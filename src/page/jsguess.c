#include "page/jsguess.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Stop once this many were asked and fewer than one in JUNK_ONE_IN was any good. */
#define TRIAL_ASKS  16
#define JUNK_ONE_IN 8
#define FADE_ABOVE  64 /* then both counts are halved, so that old times fade */

void jsguess_learn(struct jsguess_score *s, bool found)
{
	s->asked++;
	s->found += found;
	if (s->asked > FADE_ABOVE) {
		s->asked /= 2;
		s->found /= 2;
	}
}

bool jsguess_is_worth(const struct jsguess_score *s)
{
	return s->asked < TRIAL_ASKS || s->found * JUNK_ONE_IN >= s->asked;
}

/* Characters of a URL as people write it; no quote, brace, bracket or blank. */
static const bool is_url_char[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true,   ['0' ... '9'] = true,
	['-'] = true,         ['.'] = true,           ['_'] = true,
	['~'] = true,         [':'] = true,           ['/'] = true,
	['?'] = true,         ['#'] = true,           ['@'] = true,
	['!'] = true,         ['&'] = true,           [','] = true,
	[';'] = true,         ['='] = true,           ['%'] = true,
	['+'] = true,         [0x80 ... 0xff] = true,
};

static bool all_url_chars(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_url_char[(uint8_t)s.p[i]])
			return false;
	return true;
}

/* "example.org", with or without what follows; a dot inside is what counts. */
static bool starts_with_host(struct str s)
{
	size_t n = 0, dot = 0;

	while (n < s.n && (ascii_is_alpha(s.p[n]) || ascii_is_digit(s.p[n]) ||
			   s.p[n] == '-' || s.p[n] == '.')) {
		if (s.p[n] == '.')
			dot = n;
		n++;
	}
	/* A port, a path, or nothing; and the last label is a word. */
	return dot > 0 && n >= dot + 3 && ascii_is_alpha(s.p[n - 1]) &&
	       (n == s.n || strchr("/:?#", s.p[n]));
}

/* The last segment's extension is one that pages and their resources have. */
static bool has_page_extension(struct str path)
{
	static const char known[] = " html htm xhtml shtml php php5 phtml asp aspx jsp "
				    "jspx do cfm cgi pl pdf "
				    "xml json rss atom txt csv doc docx xls xlsx ppt "
				    "pptx zip gz jpg jpeg png "
				    "gif webp svg ico mp3 mp4 webm m3u8 css js mjs ";
	char word[8] = " ";
	size_t dot = str_rfind_char(path, '.');
	struct str ext = dot == STR_NONE ? (struct str){ 0 } : str_skip(path, dot + 1);

	if (ext.n < 2 || ext.n > 5 || dot == 0)
		return false;
	for (size_t i = 0; i < ext.n; i++)
		word[i + 1] = ascii_lower(ext.p[i]);
	word[ext.n + 1] = ' ';
	return strstr(known, word) != NULL;
}

static bool is_mime_type(struct str s)
{
	static const struct str tops[] = {
		{ "text/", 5 },       { "application/", 12 }, { "image/", 6 },
		{ "audio/", 6 },      { "video/", 6 },        { "font/", 5 },
		{ "multipart/", 10 }, { "model/", 6 },
	};

	for (size_t i = 0; i < COUNT(tops); i++)
		if (str_starts_nocase(s, tops[i]))
			return true;
	return false;
}

/* "/a/b" has a letter, and no punctuation where a name should begin. */
static bool is_plain_path(struct str path)
{
	bool letter = false;

	for (size_t i = 0; i < path.n; i++)
		letter |= ascii_is_alpha(path.p[i]);
	return letter && path.n >= 3 && path.p[0] == '/' &&
	       (ascii_is_alpha(path.p[1]) || ascii_is_digit(path.p[1]) ||
		path.p[1] == '_' || path.p[1] == '~' || path.p[1] == '?');
}

bool jsguess_is_url(struct str s)
{
	if (s.n < 4 || s.n > JSGUESS_MAX_BYTES || !all_url_chars(s))
		return false;
	if (str_starts_nocase(s, STR("http://")))
		return starts_with_host(str_skip(s, 7));
	if (str_starts_nocase(s, STR("https://")))
		return starts_with_host(str_skip(s, 8));
	if (str_starts(s, STR("//")))
		return starts_with_host(str_skip(s, 2));
	if (str_find_char(s, ':') != STR_NONE || is_mime_type(s))
		return false;

	struct str path = str_slice(s, 0, str_find_char(s, '#'));
	path = str_slice(path, 0, str_find_char(path, '?'));
	bool query =
		path.n < s.n && s.p[path.n] == '?' && str_find_char(s, '=') != STR_NONE;
	while (str_take_prefix(&path, STR("../")) || str_take_prefix(&path, STR("./")))
		;
	if (path.n && path.p[0] == '/')
		return is_plain_path(path);
	/* A relative path must show more: an extension, or a query after a name. */
	return path.n && (ascii_is_alpha(path.p[0]) || ascii_is_digit(path.p[0])) &&
	       (has_page_extension(path) ||
		(query && str_find_char(path, '/') != STR_NONE));
}

/* "\/" and "\u002f" into '/'; false for what a URL never holds. */
static bool unescape(struct str s, struct arena *a, struct str *ret)
{
	char *to, *q;

	if (!memchr(s.p, '\\', s.n))
		return *ret = s, true;
	q = to = arena_alloc(a, s.n);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\\') {
			*q++ = s.p[i];
			continue;
		}
		if (++i == s.n)
			return false;
		if (s.p[i] == '/') {
			*q++ = '/';
			continue;
		}
		size_t digits = s.p[i] == 'u' ? 4 : s.p[i] == 'x' ? 2 : 0;
		int code = 0;

		if (!digits || s.n - i <= digits)
			return false;
		for (size_t d = 1; d <= digits; d++) {
			int v = ascii_hex_value(s.p[i + d]);

			code = v < 0 ? 128 : code * 16 + v;
		}
		if (code <= ' ' || code >= 127)
			return false;
		*q++ = (char)code;
		i += digits;
	}
	*ret = (struct str){ to, (size_t)(q - to) };
	return true;
}

/* A string in a script, and whether a URL could be in it at all. */
struct literal {
	const char *end; /* its closing quote; NULL when there is none nearby */
	bool has_mark;   /* a '/' or a '.' */
	bool has_escape;
};

#ifdef __SSE2__
static inline unsigned mask_of(__m128i v, char c)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}
#endif

static inline bool is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static const char *find_quote(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		unsigned hit = mask_of(v, '"') | mask_of(v, '\'') | mask_of(v, '`');

		if (hit)
			return p + __builtin_ctz(hit);
	}
#endif
	while (p < end && !is_quote(*p))
		p++;
	return p;
}

/*
 * The string whose opening quote is at `p`: it ends on its line, and within
 * JSGUESS_MAX_BYTES, or it is not looked at, so that stray quotes cost little.
 */
static struct literal take_literal(const char *p, const char *end)
{
	const char *limit = end - p > JSGUESS_MAX_BYTES ? p + JSGUESS_MAX_BYTES : end;
	struct literal s = { 0 };
	char quote = *p++;

#ifdef __SSE2__
	for (; limit - p >= 16 && !s.has_escape; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		unsigned stop = mask_of(v, quote) | mask_of(v, '\n') | mask_of(v, '\\');
		unsigned mark = mask_of(v, '/') | mask_of(v, '.');

		if (stop) { /* up to the stop; what stops it is seen below */
			p += __builtin_ctz(stop);
			s.has_mark |= (mark & (stop ^ (stop - 1))) != 0;
			break;
		}
		s.has_mark |= mark != 0;
	}
#endif
	for (; p < limit && *p != '\n'; p++) {
		if (*p == quote) {
			s.end = p;
			return s;
		}
		s.has_mark |= *p == '/' || *p == '.';
		s.has_escape |= *p == '\\';
		p += *p == '\\';
	}
	return s;
}

bool jsguess_next(struct str *script, struct arena *a, struct str *ret_url)
{
	const char *p = script->p, *end = p + script->n;
	bool found = false;

	while (!found && (p = find_quote(p, end)) < end) {
		struct literal l = take_literal(p, end);
		struct str s = { p + 1, l.end ? (size_t)(l.end - p - 1) : 0 };

		p = l.end ? l.end + 1 : p + 1;
		/* Most strings of a script are words. */
		if ((!l.has_mark && !l.has_escape) || s.n < 4)
			continue;
		found = unescape(s, a, &s) && jsguess_is_url(s);
		if (found)
			*ret_url = s;
	}
	*script = (struct str){ p, (size_t)(end - p) };
	return found;
}
