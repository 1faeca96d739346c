#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

static void separate(struct json_out *o)
{
	if (o->after_value)
		buf_add_char(o->to, ',');
	o->after_value = true;
}

void json_open(struct json_out *o, char bracket)
{
	separate(o);
	buf_add_char(o->to, bracket);
	o->after_value = false;
}

void json_close(struct json_out *o, char bracket)
{
	buf_add_char(o->to, bracket);
	o->after_value = true;
}

static void add_escape(struct buf *b, uint8_t c)
{
	switch (c) {
	case '"':
		buf_add(b, STR("\\\""));
		break;
	case '\\':
		buf_add(b, STR("\\\\"));
		break;
	case '\n':
		buf_add(b, STR("\\n"));
		break;
	case '\r':
		buf_add(b, STR("\\r"));
		break;
	case '\t':
		buf_add(b, STR("\\t"));
		break;
	default:
		buf_addf(b, "\\u%04x", c);
	}
}

/* Whether one of eight bytes is below 0x20, a quote or a backslash: then the highest bit
 * of a byte is set that is one of them, or stands behind one. */
static bool has_special(const char *p)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t x, quote, slash;

	memcpy(&x, p, sizeof(x));
	quote = x ^ ones * '"';
	slash = x ^ ones * '\\';
	return (((x - ones * 0x20) & ~x) | ((quote - ones) & ~quote) |
		((slash - ones) & ~slash)) &
	       ones << 7;
}

/* Plain runs are copied whole; only the special byte between is looked at. */
static void add_quoted(struct buf *b, struct str s)
{
	size_t from = 0;

	buf_add_char(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		while (i + 8 < s.n && !has_special(s.p + i))
			i += 8;
		uint8_t c = (uint8_t)s.p[i];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		buf_add(b, str_slice(s, from, i));
		add_escape(b, c);
		from = i + 1;
	}
	buf_add(b, str_skip(s, from));
	buf_add_char(b, '"');
}

static void add_text(struct json_out *o, struct str s)
{
	if (utf8_valid(s)) {
		add_quoted(o->to, s);
		return;
	}
	cleanup(buf_release) struct buf repaired = { 0 };

	buf_add_utf8_repaired(&repaired, s);
	add_quoted(o->to, buf_str(&repaired));
}

void json_key(struct json_out *o, struct str name)
{
	separate(o);
	add_text(o, name);
	buf_add_char(o->to, ':');
	o->after_value = false;
}

void json_add_str(struct json_out *o, struct str s)
{
	separate(o);
	add_text(o, s);
}

void json_add_uint(struct json_out *o, uint64_t v)
{
	separate(o);
	buf_add_uint(o->to, v);
}

void json_add_int(struct json_out *o, int64_t v)
{
	separate(o);
	buf_add_int(o->to, v);
}

void json_add_double(struct json_out *o, double v)
{
	char text[40];

	separate(o);
	if (!isfinite(v)) {
		buf_add(o->to, STR("null"));
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (digits == 17 || strtod(text, NULL) == v)
			break;
	}
	buf_add(o->to, str_from(text));
}

void json_add_bool(struct json_out *o, bool v)
{
	separate(o);
	buf_add(o->to, v ? STR("true") : STR("false"));
}

void json_add_null(struct json_out *o)
{
	separate(o);
	buf_add(o->to, STR("null"));
}

void json_add_raw(struct json_out *o, struct str text)
{
	separate(o);
	buf_add(o->to, text);
}

void json_put_str(struct json_out *o, const char *name, struct str s)
{
	json_key(o, str_from(name));
	json_add_str(o, s);
}

void json_put_uint(struct json_out *o, const char *name, uint64_t v)
{
	json_key(o, str_from(name));
	json_add_uint(o, v);
}

void json_put_int(struct json_out *o, const char *name, int64_t v)
{
	json_key(o, str_from(name));
	json_add_int(o, v);
}

void json_put_double(struct json_out *o, const char *name, double v)
{
	json_key(o, str_from(name));
	json_add_double(o, v);
}

void json_put_bool(struct json_out *o, const char *name, bool v)
{
	json_key(o, str_from(name));
	json_add_bool(o, v);
}
