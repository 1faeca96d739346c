/*
 * HTML's prescan: find <meta charset> or <meta http-equiv=content-type> in the
 * first kilobyte without building anything, passing over comments and other tags
 * as the standard does.
 */
#include "web/charset_internal.h"

#define PRESCAN_BYTES 1024

struct attribute {
	struct str name, value;
};

static bool is_tag_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static void skip_spaces(struct str *in, bool and_slashes)
{
	while (in->n && (is_tag_space(in->p[0]) || (and_slashes && in->p[0] == '/')))
		*in = str_skip(*in, 1);
}

static struct str take_until_any(struct str *in, const char *ends)
{
	size_t n = 0;

	while (n < in->n && !is_tag_space(in->p[n])) {
		bool end = false;

		for (const char *e = ends; *e; e++)
			end |= in->p[n] == *e;
		if (end)
			break;
		n++;
	}
	struct str part = str_slice(*in, 0, n);

	*in = str_skip(*in, n);
	return part;
}

static struct str take_value(struct str *in)
{
	char quote = in->n ? in->p[0] : '\0';

	if (quote != '"' && quote != '\'')
		return take_until_any(in, ">");
	size_t end = str_find_char(str_skip(*in, 1), quote);

	if (end == STR_NONE) {
		*in = (struct str){ in->p + in->n, 0 };
		return *in;
	}
	struct str value = str_slice(*in, 1, end + 1);

	*in = str_skip(*in, end + 2);
	return value;
}

/* "Get an attribute"; false at the end of the tag. */
static bool take_attribute(struct str *in, struct attribute *ret)
{
	skip_spaces(in, true);
	if (in->n == 0 || in->p[0] == '>')
		return false;
	struct str start = *in;

	/* A leading '=' belongs to the name. */
	if (in->p[0] == '=')
		*in = str_skip(*in, 1);
	take_until_any(in, "/>=");
	ret->name = (struct str){ start.p, (size_t)(in->p - start.p) };
	ret->value = (struct str){ in->p, 0 };
	skip_spaces(in, false);
	if (!str_take_char(in, '='))
		return true;
	skip_spaces(in, false);
	ret->value = take_value(in);
	return true;
}

/* "Extract a character encoding from a meta element": what follows "charset=". */
static const struct charset *from_content(struct str s)
{
	for (; s.n >= 7; s = str_skip(s, 1)) {
		struct str after = str_skip(s, 7);

		if (!str_starts_nocase(s, STR("charset")))
			continue;
		skip_spaces(&after, false);
		if (!str_take_char(&after, '='))
			continue;
		skip_spaces(&after, false);
		if (after.n == 0)
			return NULL;
		if (after.p[0] == '"' || after.p[0] == '\'') {
			size_t end = str_find_char(str_skip(after, 1), after.p[0]);

			return end == STR_NONE
				       ? NULL
				       : charset_find(str_slice(after, 1, end + 1));
		}
		return charset_find(take_until_any(&after, ";"));
	}
	return NULL;
}

/* What is declared in a meta element cannot be UTF-16, as it was read as bytes. */
static const struct charset *sane(const struct charset *c)
{
	if (c && c->kind == CHARSET_WIDE)
		return charset_utf8();
	if (c && c->kind == CHARSET_USER_DEFINED)
		return charset_find(STR("windows-1252"));
	return c;
}

static const struct charset *read_meta(struct str *in)
{
	const struct charset *found = NULL;
	bool got_pragma = false, charset_seen = false, content_seen = false;
	int need_pragma = -1;
	struct attribute a;

	while (take_attribute(in, &a)) {
		if (str_eq_nocase(a.name, STR("http-equiv"))) {
			got_pragma |= str_eq_nocase(a.value, STR("content-type"));
		} else if (str_eq_nocase(a.name, STR("content")) && !content_seen &&
			   !found) {
			content_seen = true;
			found = from_content(a.value);
			if (found)
				need_pragma = 1;
		} else if (str_eq_nocase(a.name, STR("charset")) && !charset_seen) {
			charset_seen = true;
			found = charset_find(a.value);
			need_pragma = 0;
		}
	}
	if (need_pragma < 0 || (need_pragma && !got_pragma))
		return NULL;
	return sane(found);
}

static bool starts_meta(struct str in)
{
	return str_starts_nocase(in, STR("<meta")) && in.n > 5 &&
	       (is_tag_space(in.p[5]) || in.p[5] == '/');
}

static void skip_to(struct str *in, struct str end)
{
	size_t at = str_find(*in, end);

	*in = str_skip(*in, at == STR_NONE ? in->n : at + end.n);
}

/* Any other tag: its attributes may hold a '>' between quotes. */
static void skip_tag(struct str *in)
{
	struct attribute a;

	take_until_any(in, ">");
	while (take_attribute(in, &a))
		;
}

const struct charset *charset_prescan(struct str body)
{
	struct str in = str_slice(body, 0, PRESCAN_BYTES);

	while (in.n) {
		if (str_starts(in, STR("<!--"))) {
			/* "<!-->" is a whole comment. */
			in = str_skip(in, 2);
			skip_to(&in, STR("-->"));
		} else if (starts_meta(in)) {
			const struct charset *c;

			in = str_skip(in, 6);
			if ((c = read_meta(&in)))
				return c;
		} else if (in.p[0] == '<' && in.n > 1 &&
			   (ascii_is_alpha(in.p[1]) ||
			    (in.p[1] == '/' && in.n > 2 && ascii_is_alpha(in.p[2])))) {
			skip_tag(&in);
		} else if (in.p[0] == '<' && in.n > 1 &&
			   (in.p[1] == '!' || in.p[1] == '/' || in.p[1] == '?')) {
			skip_to(&in, STR(">"));
		} else {
			in = str_skip(in, 1);
		}
	}
	return NULL;
}

const struct charset *charset_from_xml(struct str body)
{
	struct str in = str_slice(body, 0, PRESCAN_BYTES), value;
	size_t end;

	if (!str_take_prefix(&in, STR("<?xml")))
		return NULL;
	in = str_slice(in, 0, str_find(in, STR(">")));
	size_t at = str_find(in, STR("encoding"));

	if (at == STR_NONE)
		return NULL;
	value = str_trim(str_skip(in, at + 8));
	if (!str_take_char(&value, '='))
		return NULL;
	value = str_trim(value);
	if (value.n == 0 || (value.p[0] != '"' && value.p[0] != '\''))
		return NULL;
	end = str_find_char(str_skip(value, 1), value.p[0]);
	return end == STR_NONE ? NULL : sane(charset_find(str_slice(value, 1, end + 1)));
}
