#include "corpus/jsonl.h"

#include <string.h>

#include "base/utf8.h"

#define DEPTH_MAX 512

static void skip_space(struct str *in)
{
	while (in->n && ascii_is_space(*in->p))
		*in = str_skip(*in, 1);
}

static bool is_escaped(const char *start, const char *quote)
{
	const char *p = quote;

	while (p > start && p[-1] == '\\')
		p--;
	return (quote - p) % 2 != 0;
}

/* Consume a string, quotes included; `ret` is what stands between them. */
static bool take_string(struct str *in, struct str *ret)
{
	const char *start = in->p + 1, *end = in->p + in->n, *quote = start;

	if (in->n < 2 || *in->p != '"')
		return false;
	for (;; quote++) {
		quote = memchr(quote, '"', (size_t)(end - quote));
		if (!quote)
			return false;
		if (!is_escaped(start, quote))
			break;
	}
	*ret = (struct str){ start, (size_t)(quote - start) };
	*in = str_skip(*in, (size_t)(quote + 1 - in->p));
	return true;
}

static bool take_hex4(struct str *in, uint32_t *ret)
{
	uint32_t v = 0;

	if (in->n < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		int digit = ascii_hex_value(in->p[i]);

		if (digit < 0)
			return false;
		v = v << 4 | (uint32_t)digit;
	}
	*in = str_skip(*in, 4);
	*ret = v;
	return true;
}

/* What follows \u, a surrogate pair taken together. */
static bool add_unicode(struct str *in, struct buf *to)
{
	uint32_t cp, low;

	if (!take_hex4(in, &cp))
		return false;
	if (cp >= 0xd800 && cp < 0xdc00) {
		struct str rest = *in;

		if (str_take_prefix(&rest, STR("\\u")) && take_hex4(&rest, &low) &&
		    low >= 0xdc00 && low < 0xe000) {
			cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
			*in = rest;
		}
	}
	buf_add_utf8(to, cp);
	return true;
}

static bool add_unescaped(struct str s, struct buf *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";

	while (s.n) {
		const char *slash = memchr(s.p, '\\', s.n);
		size_t plain = slash ? (size_t)(slash - s.p) : s.n;

		buf_add(to, str_slice(s, 0, plain));
		s = str_skip(s, plain);
		if (!slash)
			break;
		if (s.n < 2)
			return false;
		const char *at = memchr(from, s.p[1], sizeof(from) - 1);
		char escape = s.p[1];
		s = str_skip(s, 2);
		if (at)
			buf_add_char(to, into[at - from]);
		else if (escape != 'u' || !add_unicode(&s, to))
			return false;
	}
	return true;
}

/* Consume a value of any kind; an object or array by counting brackets outside strings.
 */
static bool skip_value(struct str *in)
{
	unsigned depth = 0;
	struct str ignored;

	do {
		skip_space(in);
		if (in->n == 0)
			return false;
		char c = *in->p;
		if (c == '"') {
			if (!take_string(in, &ignored))
				return false;
			continue;
		}
		if (c == '{' || c == '[') {
			if (++depth > DEPTH_MAX)
				return false;
		} else if (c == '}' || c == ']') {
			if (depth-- == 0)
				return false;
		} else if (depth == 0 && (c == ',' || c == ':')) {
			return false;
		} else if (depth == 0) {
			size_t n = 0;

			while (n < in->n && !strchr(",}] \t\r\n", in->p[n]))
				n++;
			*in = str_skip(*in, n);
			return n > 0;
		}
		*in = str_skip(*in, 1);
	} while (depth > 0);
	return true;
}

static bool read_value(struct str *in, struct jsonl_want *want, struct buf *scratch)
{
	struct str start = *in;

	want->found = true;
	want->is_string = in->n && *in->p == '"';
	if (!want->is_string) {
		if (!skip_value(in))
			return false;
		want->value = str_slice(start, 0, start.n - in->n);
		return true;
	}
	if (!take_string(in, &want->value))
		return false;
	if (memchr(want->value.p, '\\', want->value.n)) {
		size_t at = scratch->n;

		/* Room was made for the whole line, so that earlier values do not move.
		 */
		if (!add_unescaped(want->value, scratch))
			return false;
		want->value = str_skip(buf_str(scratch), at);
	}
	return true;
}

static bool read_members(struct str *in, struct jsonl_want *wants, size_t n,
			 struct buf *scratch)
{
	skip_space(in);
	if (str_take_char(in, '}'))
		return true;
	for (;;) {
		struct jsonl_want *want = NULL;
		struct str name;

		skip_space(in);
		if (!take_string(in, &name))
			return false;
		skip_space(in);
		if (!str_take_char(in, ':'))
			return false;
		skip_space(in);
		for (size_t i = 0; i < n; i++)
			if (str_eq(wants[i].name, name))
				want = &wants[i];
		if (want ? !read_value(in, want, scratch) : !skip_value(in))
			return false;
		skip_space(in);
		if (str_take_char(in, '}'))
			return true;
		if (!str_take_char(in, ','))
			return false;
	}
}

enum status jsonl_read(struct str line, struct jsonl_want *wants, size_t n,
		       struct buf *scratch, struct diag *why)
{
	struct str in = line;

	for (size_t i = 0; i < n; i++)
		wants[i] = (struct jsonl_want){ .name = wants[i].name };
	buf_reset(scratch);
	/* An escape never grows: at most 3 bytes for 6, 4 for 12; all values fit. */
	if (!buf_reserve(scratch, line.n + 16))
		return diag_fail(why, ST_TOO_LARGE, "line of %zu bytes", line.n);
	skip_space(&in);
	if (!str_take_char(&in, '{') || !read_members(&in, wants, n, scratch))
		return diag_fail(why, ST_SYNTAX, "not a JSON object (at byte %zu)",
				 line.n - in.n);
	skip_space(&in);
	if (in.n)
		return diag_fail(why, ST_SYNTAX, "something follows the JSON object");
	return ST_OK;
}
