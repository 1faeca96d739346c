#include "testweb/http_request.h"

#include <string.h>

static bool parse_line(struct str line, struct http_request *r)
{
	struct str version;

	if (!str_take_until(&line, ' ', &r->method) || r->method.n == 0 ||
	    !str_take_until(&line, ' ', &r->target) || r->target.n == 0)
		return false;
	version = line;
	if (!str_starts(version, STR("HTTP/1.")))
		return false;
	r->old = str_ends(version, STR(".0"));
	r->keep_alive = !r->old;
	r->head_only = str_eq(r->method, STR("HEAD"));
	return true;
}

/* "gzip, br;q=0.5, zstd;q=0": the codings that are not refused. */
static uint8_t parse_codings(struct str value)
{
	static const char *const names[CODINGS] = { "identity", "gzip", "br", "zstd" };
	struct str one;
	uint8_t bits = 0;

	while (str_take_until(&value, ',', &one)) {
		struct str name = str_trim(str_slice(one, 0, str_find_char(one, ';')));
		struct str rest =
			str_trim(str_skip(one, MIN(str_find_char(one, ';'), one.n)));
		bool refused = str_ends(rest, STR("q=0")) || str_ends(rest, STR("q=0.0"));

		for (unsigned i = 0; i < CODINGS; i++)
			if (!refused && str_eq_nocase(name, str_from(names[i])))
				bits |= (uint8_t)(1u << i);
	}
	return bits;
}

static void parse_field(struct str line, struct http_request *r)
{
	size_t colon = str_find_char(line, ':');

	if (colon == STR_NONE)
		return;
	struct str name = str_slice(line, 0, colon),
		   value = str_trim(str_skip(line, colon + 1));

	/* The length tells most fields apart before a byte is compared. */
	switch (name.n) {
	case 4:
		if (str_eq_nocase(name, STR("host")))
			r->host = value;
		break;
	case 6:
		if (str_eq_nocase(name, STR("cookie")))
			r->cookie = value;
		break;
	case 10:
		if (str_eq_nocase(name, STR("connection"))) {
			if (str_eq_nocase(value, STR("close")))
				r->keep_alive = false;
			else if (str_eq_nocase(value, STR("keep-alive")))
				r->keep_alive = true;
		} else if (str_eq_nocase(name, STR("user-agent"))) {
			r->user_agent = value;
		}
		break;
	case 13:
		if (str_eq_nocase(name, STR("if-none-match")))
			r->if_none_match = value;
		else if (str_eq_nocase(name, STR("authorization")))
			r->authorization = value;
		break;
	case 14:
		if (str_eq_nocase(name, STR("content-length")))
			(void)str_to_uint(value, UINT32_MAX, &r->body_bytes);
		break;
	case 15:
		if (str_eq_nocase(name, STR("accept-encoding")))
			r->codings = parse_codings(value);
		break;
	case 17:
		if (str_eq_nocase(name, STR("if-modified-since")))
			r->if_modified_since = value;
		break;
	}
}

/* "http://host/path" as proxies are asked: the host stands in the target. */
static void take_absolute(struct http_request *r)
{
	struct str rest = r->target;

	r->https = str_take_prefix(&rest, STR("https://"));
	if (!r->https && !str_take_prefix(&rest, STR("http://")))
		return;
	size_t slash = str_find_char(rest, '/');

	r->host = str_slice(rest, 0, slash);
	r->target = slash == STR_NONE ? STR("/") : str_skip(rest, slash);
}

static bool find_end(struct str in, size_t *ret_n)
{
	const char *at = in.p, *end = in.p + in.n;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		if (at < end && *at == '\n')
			return *ret_n = (size_t)(at + 1 - in.p), true;
		if (at + 1 < end && at[0] == '\r' && at[1] == '\n')
			return *ret_n = (size_t)(at + 2 - in.p), true;
	}
	return false;
}

enum status http_request_parse(struct str in, struct http_request *ret, size_t *ret_n)
{
	struct http_request r = { 0 };
	struct str line;
	size_t n;

	if (!find_end(in, &n))
		return in.n >= HTTP_REQUEST_MAX ? ST_TOO_LARGE : ST_AGAIN;
	in.n = n;
	if (!str_take_line(&in, &line))
		return ST_SYNTAX;
	if (!parse_line(str_trim(line), &r))
		return ST_SYNTAX;
	while (str_take_line(&in, &line))
		parse_field(line, &r);
	take_absolute(&r);
	*ret = r;
	*ret_n = n;
	return ST_OK;
}
