#include "archive/cdx_read.h"

#include "base/utf8.h"

#define DEPTH_MAX 32 /* of members that we pass over */

static void skip_space(struct str *in)
{
	while (in->n && ascii_is_space(in->p[0]))
		*in = str_skip(*in, 1);
}

/* Four hex digits, consumed; -1 when there are none. */
static int32_t take_hex4(struct str *in)
{
	int32_t v = 0;

	if (in->n < 4)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		int digit = ascii_hex_value(in->p[i]);

		if (digit < 0)
			return -1;
		v = v << 4 | digit;
	}
	*in = str_skip(*in, 4);
	return v;
}

/* Behind "\u": a code point, of two halves where it needs them. */
static bool add_unicode(struct str *in, struct buf *to)
{
	int32_t high = take_hex4(in), low;

	if (high < 0)
		return false;
	if (high >= 0xd800 && high < 0xdc00 && str_starts(*in, STR("\\u"))) {
		struct str rest = str_skip(*in, 2);

		low = take_hex4(&rest);
		if (low >= 0xdc00 && low < 0xe000) {
			*in = rest;
			high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	buf_add_utf8(to, (uint32_t)high); /* a lone half becomes U+FFFD */
	return true;
}

static bool add_escape(struct str *in, struct buf *to)
{
	static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";

	if (in->n == 0)
		return false;
	char c = in->p[0];
	*in = str_skip(*in, 1);
	if (c == 'u')
		return add_unicode(in, to);
	for (size_t i = 0; from[i]; i++)
		if (from[i] == c) {
			buf_add_char(to, plain[i]);
			return true;
		}
	return false;
}

/*
 * The text of a string whose first quote is consumed.  As offsets where it went to
 * `scratch`, because that may still move: `ret->p` is NULL then.
 */
static bool take_string(struct str *in, struct buf *scratch, struct str *ret,
			size_t *ret_at)
{
	size_t n = 0, at = scratch->n;

	while (n < in->n && in->p[n] != '"' && in->p[n] != '\\')
		n++;
	if (n < in->n && in->p[n] == '"') {
		*ret = str_slice(*in, 0, n);
		*in = str_skip(*in, n + 1);
		return true;
	}
	for (;;) {
		buf_add(scratch, str_slice(*in, 0, n));
		*in = str_skip(*in, n);
		if (str_take_char(in, '"'))
			break;
		if (!str_take_char(in, '\\') || !add_escape(in, scratch))
			return false;
		for (n = 0; n < in->n && in->p[n] != '"' && in->p[n] != '\\'; n++)
			;
	}
	*ret = (struct str){ NULL, scratch->n - at };
	*ret_at = at;
	return true;
}

/* A value that is not a string, as text; of arrays and objects nothing. */
static bool skip_value(struct str *in, struct buf *scratch, struct str *ret)
{
	unsigned depth = 0;
	struct str ignored, start = *in;
	size_t at;

	do {
		if (in->n == 0 || depth > DEPTH_MAX)
			return false;
		char c = in->p[0];
		if (depth == 0 && (c == ',' || c == '}' || ascii_is_space(c)))
			break;
		*in = str_skip(*in, 1);
		if (c == '"' && !take_string(in, scratch, &ignored, &at))
			return false;
		depth += c == '{' || c == '[';
		depth -= depth > 0 && (c == '}' || c == ']');
	} while (true);
	*ret = str_slice(start, 0, start.n - in->n);
	return ret->n > 0;
}

struct member {
	struct str name, value;
	size_t name_at, value_at; /* in scratch, where the text is NULL */
};

static bool take_member(struct str *in, struct buf *scratch, struct member *ret)
{
	skip_space(in);
	if (!str_take_char(in, '"') ||
	    !take_string(in, scratch, &ret->name, &ret->name_at))
		return false;
	skip_space(in);
	if (!str_take_char(in, ':'))
		return false;
	skip_space(in);
	return str_take_char(in, '"')
		       ? take_string(in, scratch, &ret->value, &ret->value_at)
		       : skip_value(in, scratch, &ret->value);
}

/* A text of the line that may still lie in a buffer that moves. */
struct slot {
	const char *name;
	struct str text;
	size_t at;
};

enum { URL, MIME, STATUS, DIGEST, FILENAME, OFFSET, LENGTH, SLOTS };

static bool parse_object(struct str *in, struct buf *scratch, struct slot *slots)
{
	struct member m;

	skip_space(in);
	if (!str_take_char(in, '{'))
		return false;
	skip_space(in);
	if (str_take_char(in, '}'))
		return true;
	do {
		if (!take_member(in, scratch, &m))
			return false;
		for (size_t i = 0; i < SLOTS; i++)
			if (m.name.p && str_eq(m.name, str_from(slots[i].name))) {
				slots[i].text = m.value;
				slots[i].at = m.value_at;
			}
		skip_space(in);
	} while (str_take_char(in, ','));
	return str_take_char(in, '}');
}

enum status cdx_line_parse(struct str line, struct buf *scratch, struct cdx_line *ret)
{
	struct slot slots[SLOTS] = {
		[URL] = { "url" },           [MIME] = { "mime" },
		[STATUS] = { "status" },     [DIGEST] = { "digest" },
		[FILENAME] = { "filename" }, [OFFSET] = { "offset" },
		[LENGTH] = { "length" },
	};
	struct cdx_line l = { 0 };

	buf_reset(scratch);
	for (size_t i = 0; i < SLOTS; i++)
		slots[i].text = STR("");
	if (!str_take_until(&line, ' ', &l.key) || !str_take_until(&line, ' ', &l.time) ||
	    l.key.n == 0 || !parse_object(&line, scratch, slots))
		return ST_SYNTAX;
	skip_space(&line);
	if (line.n > 0 || buf_status(scratch) != ST_OK)
		return ST_SYNTAX;
	for (size_t i = 0; i < SLOTS; i++)
		if (!slots[i].text.p)
			slots[i].text.p = buf_str(scratch).p + slots[i].at;
	l.url = slots[URL].text;
	l.mime = slots[MIME].text;
	l.status = slots[STATUS].text;
	l.digest = slots[DIGEST].text;
	l.filename = slots[FILENAME].text;
	(void)str_to_uint(slots[OFFSET].text, UINT64_MAX, &l.offset);
	(void)str_to_uint(slots[LENGTH].text, UINT64_MAX, &l.length);
	*ret = l;
	return ST_OK;
}

/* Where the line begins that holds byte `at`. */
static size_t line_start(struct str s, size_t at)
{
	size_t newline = str_rfind_char(str_slice(s, 0, at), '\n');

	return newline == STR_NONE ? 0 : newline + 1;
}

/* Does the line at `at` go before every line of the key? */
static bool goes_before(struct str index, size_t at, struct str key)
{
	struct str line = str_skip(index, at);
	size_t end = 0;

	while (end < line.n && line.p[end] != ' ' && line.p[end] != '\n')
		end++;
	return str_cmp(str_slice(line, 0, end), key) < 0;
}

static size_t next_line(struct str s, size_t at)
{
	size_t newline = str_find_char(str_skip(s, at), '\n');

	return newline == STR_NONE ? s.n : at + newline + 1;
}

struct str cdx_find(struct str index, struct str key)
{
	size_t low = 0, high = index.n; /* starts of lines, or the end */

	while (low < high) {
		size_t middle = line_start(index, low + (high - low) / 2);

		if (goes_before(index, middle, key))
			low = next_line(index, middle);
		else
			high = middle;
	}
	size_t end = low;
	while (end < index.n && str_starts(str_skip(index, end), key) &&
	       index.n > end + key.n && index.p[end + key.n] == ' ')
		end = next_line(index, end);
	return str_slice(index, low, end);
}
