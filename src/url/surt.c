#include "url/surt.h"

#include <stdlib.h>
#include <string.h>

#include "url/percent.h"

#define PARAMS_MAX 512

struct str surt_without_www(struct str host)
{
	struct str rest = host;

	if (!str_take_prefix(&rest, STR("www")))
		return host;
	while (rest.n && ascii_is_digit(rest.p[0]))
		rest = str_skip(rest, 1);
	return str_take_char(&rest, '.') ? rest : host;
}

static void add_reversed(struct buf *b, struct str host)
{
	while (host.n && host.p[host.n - 1] == '.')
		host.n--;
	for (size_t dot; (dot = str_rfind_char(host, '.')) != STR_NONE;) {
		buf_add(b, str_skip(host, dot + 1));
		buf_add_char(b, ',');
		host.n = dot;
	}
	buf_add(b, host);
}

/*
 * Decode until nothing is left to decode: whenever the last three bytes written
 * are %XX they become one.  As no two such triples overlap, the order does not
 * matter, and this takes one pass where repetition would take many.
 */
static void add_decoded_fully(struct buf *b, struct str s)
{
	size_t start = b->n;

	for (size_t i = 0; i < s.n; i++) {
		buf_add_char(b, s.p[i]);
		while (b->n >= start + 3) {
			int value = percent_value((struct str){ b->p + b->n - 3, 3 });

			if (value < 0)
				break;
			b->n -= 2;
			b->p[b->n - 1] = (char)value;
		}
	}
}

/* In lower case, with what is not printable, '#' and '%' encoded, in lower case, too. */
static void add_escaped(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		uint8_t c = (uint8_t)s.p[i];
		size_t at = b->n;

		if (c <= ' ' || c >= 0x7f || c == '#' || c == '%')
			buf_add_percent(b, s.p[i]);
		else
			buf_add_char(b, s.p[i]);
		for (; at < b->n; at++)
			b->p[at] = ascii_lower(b->p[at]);
	}
}

/* Decoding may have brought new dot segments and empty segments to light. */
static void add_segments(struct buf *b, struct str path)
{
	size_t start = b->n, at;

	do {
		path = str_skip(path, 1);
		at = str_find_char(path, '/');
		struct str segment = str_slice(path, 0, at);
		bool last = at == STR_NONE;

		if (str_eq(segment, STR(".."))) {
			while (b->n > start && b->p[--b->n] != '/')
				;
		} else if (segment.n && !str_eq(segment, STR("."))) {
			buf_add_char(b, '/');
			buf_add(b, segment);
		}
		path = str_skip(path, last ? path.n : at);
	} while (at != STR_NONE);
	if (b->n == start)
		buf_add_char(b, '/');
}

static bool all_alnum(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_digit(s.p[i]) && !ascii_is_alpha(s.p[i]))
			return false;
	return true;
}

/* "(S(24 letters and digits))" or "(24 of them)": ASP.NET's session in a path. */
static bool is_asp_session(struct str segment)
{
	if (segment.n < 2 || segment.p[0] != '(' || segment.p[segment.n - 1] != ')')
		return false;
	segment = str_slice(segment, 1, segment.n - 1);
	if (segment.n == 24 && all_alnum(segment))
		return true;
	size_t groups = segment.n / 27;

	for (size_t i = 0; i < groups; i++) {
		struct str group = str_slice(segment, i * 27, i * 27 + 27);

		if (!ascii_is_alpha(group.p[0]) || group.p[1] != '(' ||
		    group.p[26] != ')' || !all_alnum(str_slice(group, 2, 26)))
			return false;
	}
	return groups > 0 && groups * 27 == segment.n;
}

static void drop_asp_session(struct buf *b, size_t start)
{
	struct str path = { b->p + start, b->n - start };

	for (size_t i = 0; i < path.n; i++) {
		struct str rest = str_skip(path, i + 1);
		size_t end = str_find_char(rest, '/');

		if (path.p[i] != '/' || end == STR_NONE ||
		    !is_asp_session(str_slice(rest, 0, end)) ||
		    str_find(rest, STR(".aspx")) == STR_NONE)
			continue;
		memmove(b->p + start + i, rest.p + end, rest.n - end);
		b->n -= end + 1;
		return;
	}
}

static void add_path(struct buf *b, struct str path)
{
	cleanup(buf_release) struct buf decoded = { 0 }, segments = { 0 };
	size_t start = b->n;

	add_decoded_fully(&decoded, path);
	add_segments(&segments, buf_str(&decoded));
	add_escaped(b, buf_str(&segments));
	drop_asp_session(b, start);
}

/* The sessions that the Internet Archive's rules know. */
static bool is_session(struct str name, struct str value)
{
	static const struct str names[] = { { "jsessionid", 10 },
					    { "phpsessid", 9 },
					    { "sid", 3 } };

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(name, names[i]))
			return value.n == 32 && all_alnum(value);
	if (str_starts(name, STR("aspsessionid")))
		return name.n == 20 && value.n == 24 && all_alnum(value);
	return str_eq(name, STR("cfid")) || str_eq(name, STR("cftoken"));
}

/* By name, a name without '=' first, then by value. */
static int compare_params(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	size_t x_eq = MIN(str_find_char(*x, '='), x->n),
	       y_eq = MIN(str_find_char(*y, '='), y->n);
	int order = str_cmp(str_slice(*x, 0, x_eq), str_slice(*y, 0, y_eq));

	return order ? order : str_cmp(str_skip(*x, x_eq), str_skip(*y, y_eq));
}

static void add_query(struct buf *b, struct str query)
{
	cleanup(buf_release) struct buf decoded = { 0 }, escaped = { 0 };
	struct str params[PARAMS_MAX];
	size_t n = 0, at;

	add_decoded_fully(&decoded, query);
	add_escaped(&escaped, buf_str(&decoded));
	struct str rest = buf_str(&escaped);

	do {
		at = n + 1 < PARAMS_MAX ? str_find_char(rest, '&') : STR_NONE;
		struct str param = str_slice(rest, 0, at), value = param,
			   name = { "", 0 };

		str_take_until(&value, '=', &name);
		if (!is_session(name, value))
			params[n++] = param;
		rest = str_skip(rest, at == STR_NONE ? rest.n : at + 1);
	} while (at != STR_NONE);
	qsort(params, n, sizeof(params[0]), compare_params);
	for (size_t i = 0; i < n; i++) {
		if (n == 1 && params[0].n == 0)
			break;
		buf_add_char(b, i == 0 ? '?' : '&');
		buf_add(b, params[i]);
	}
}

void buf_add_surt(struct buf *b, const struct url *u)
{
	if (u->host_kind == HOST_NONE || u->opaque_path) {
		buf_add(b, url_without_fragment(u));
		return;
	}
	if (u->host_kind == HOST_IPV6)
		buf_add(b, u->host);
	else
		add_reversed(b, surt_without_www(u->host));
	if (u->port.n) {
		buf_add_char(b, ':');
		buf_add(b, u->port);
	}
	buf_add_char(b, ')');
	add_path(b, u->path);
	if (u->query.n)
		add_query(b, u->query);
}
