#include "web/http.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void http_head_release(struct http_head *h)
{
	free(h->fields);
	*h = (struct http_head){ 0 };
}

static bool is_token_char(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) ||
	       (c != '\0' && strchr("!#$%&'*+-.^_`|~", c));
}

bool http_is_token(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!is_token_char(s.p[i]))
			return false;
	return s.n > 0;
}

/* A line without its end; bare LF is accepted (RFC 9112 2.2). */
static bool take_line(struct str *in, struct str *ret)
{
	if (!str_take_line(in, ret))
		return false;
	if (ret->n && ret->p[ret->n - 1] == '\r')
		ret->n--;
	return true;
}

static bool take_version(struct str *in, int *ret)
{
	static const struct {
		struct str name;
		int version;
	} versions[] = {
		{ { "HTTP/1.1", 8 }, 11 }, { { "HTTP/1.0", 8 }, 10 },
		{ { "HTTP/2.0", 8 }, 20 }, { { "HTTP/2", 6 }, 20 },
		{ { "HTTP/3.0", 8 }, 30 }, { { "HTTP/3", 6 }, 30 },
		{ { "HTTP/0.9", 8 }, 9 },  { { "ICY", 3 }, 10 },
	};

	for (size_t i = 0; i < COUNT(versions); i++)
		if (str_starts_nocase(*in, versions[i].name)) {
			*in = str_skip(*in, versions[i].name.n);
			*ret = versions[i].version;
			return true;
		}
	return false;
}

static enum status parse_status_line(struct http_head *h, struct str line,
				     struct diag *why)
{
	struct str in = line;
	uint64_t status;

	if (!take_version(&in, &h->version) || !str_take_char(&in, ' '))
		return diag_fail(why, ST_SYNTAX, "not a status line: " STR_FMT,
				 STR_ARG(str_slice(line, 0, 80)));
	in = str_trim(in);
	if (!str_take_uint(&in, 999, &status) || status < 100 ||
	    (in.n && !ascii_is_space(in.p[0])))
		return diag_fail(why, ST_SYNTAX, "not a status: " STR_FMT,
				 STR_ARG(str_slice(line, 0, 80)));
	h->status = (int)status;
	h->reason = str_trim(in);
	return ST_OK;
}

/*
 * A line that begins with a space continues the value above it (obsolete, RFC
 * 9112 5.2): the slice is made longer, line end and all.
 */
static void continue_value(struct http_head *h, struct str line)
{
	struct str *value;

	if (h->n == 0) {
		h->bad_lines++;
		return;
	}
	value = &h->fields[h->n - 1].value;
	line = str_trim(line);
	if (line.n == 0)
		return;
	*value = value->n ? (struct str){ value->p, (size_t)(line.p - value->p) + line.n }
			  : line;
}

static enum status add_field(struct http_head *h, struct str line, struct diag *why)
{
	size_t colon = str_find_char(line, ':');
	struct str name = str_slice(line, 0, colon);

	/* White space before the colon is an attack on proxies; we only read. */
	while (name.n && ascii_is_space(name.p[name.n - 1]))
		name.n--;
	if (colon == STR_NONE || !http_is_token(name)) {
		h->bad_lines++;
		return ST_OK;
	}
	if (h->n == HTTP_FIELDS_MAX)
		return diag_fail(why, ST_TOO_LARGE, "more than %d fields",
				 HTTP_FIELDS_MAX);
	VEC_ADD(h->fields, h->n, h->cap,
		(struct http_field){ name, str_trim(str_skip(line, colon + 1)) });
	return ST_OK;
}

enum status http_head_parse(struct http_head *ret, struct str text, struct diag *why)
{
	cleanup(http_head_release) struct http_head h = { 0 };
	struct str line;

	if (!take_line(&text, &line))
		return diag_fail(why, ST_SYNTAX, "an empty answer");
	TRY(parse_status_line(&h, str_slice(line, 0, HTTP_HEAD_MAX_BYTES), why));
	struct str rest = text;

	while (take_line(&rest, &line) && line.n) {
		if ((size_t)(rest.p - text.p) > HTTP_HEAD_MAX_BYTES)
			return diag_fail(why, ST_TOO_LARGE,
					 "a head of more than %zu bytes",
					 HTTP_HEAD_MAX_BYTES);
		if (line.p[0] == ' ' || line.p[0] == '\t')
			continue_value(&h, line);
		else
			TRY(add_field(&h, line, why));
	}
	*ret = TAKE(h);
	return ST_OK;
}

bool http_next(const struct http_head *h, struct str name, size_t *at,
	       struct str *ret_value)
{
	for (; *at < h->n; ++*at)
		if (str_eq_nocase(h->fields[*at].name, name)) {
			*ret_value = h->fields[(*at)++].value;
			return true;
		}
	return false;
}

struct str http_get(const struct http_head *h, struct str name)
{
	struct str value = { NULL, 0 };
	size_t at = 0;

	http_next(h, name, &at, &value);
	return value;
}

/* Up to the closing quote; backslashes stay, nobody escapes what we read. */
static struct str take_quoted(struct str *in)
{
	size_t n = 1;

	while (n < in->n && in->p[n] != '"')
		n += in->p[n] == '\\' ? 2 : 1;
	struct str value = str_slice(*in, 1, n);

	*in = str_skip(*in, n + 1);
	return value;
}

bool http_take_param(struct str *in, char separator, struct str *ret_name,
		     struct str *ret_value)
{
	size_t n = 0;

	while (in->n && (ascii_is_space(in->p[0]) || in->p[0] == separator))
		*in = str_skip(*in, 1);
	if (in->n == 0)
		return false;
	while (n < in->n && in->p[n] != '=' && in->p[n] != separator)
		n++;
	*ret_name = str_trim(str_slice(*in, 0, n));
	*in = str_skip(*in, n);
	*ret_value = (struct str){ in->p, 0 };
	if (!str_take_char(in, '='))
		return true;
	while (in->n && (in->p[0] == ' ' || in->p[0] == '\t'))
		*in = str_skip(*in, 1);
	if (in->n && in->p[0] == '"') {
		*ret_value = take_quoted(in);
		n = MIN(str_find_char(*in, separator), in->n);
	} else {
		n = MIN(str_find_char(*in, separator), in->n);
		*ret_value = str_trim(str_slice(*in, 0, n));
	}
	*in = str_skip(*in, n);
	return true;
}
