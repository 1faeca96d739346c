#include "url/normal.h"

#include <stdlib.h>
#include <string.h>

#include "url/host.h"
#include "url/percent.h"

/* More parameters than this are left in their order: no page has them, traps do. */
#define PARAMS_MAX 512

const struct normal_row normal_rows[] = {
	{ "case", NORMAL_CASE, "scheme and host in lower case (always)" },
	{ "dots", NORMAL_DOTS, "resolve . and .. in the path (always)" },
	{ "port", NORMAL_PORT, "drop the scheme's default port (always)" },
	{ "root", NORMAL_ROOT, "an empty path becomes / (always)" },
	{ "percent-case", NORMAL_PERCENT_CASE, "%3a becomes %3A" },
	{ "unreserved", NORMAL_UNRESERVED,
	  "%7E becomes ~: decode letters, digits and -._~" },
	{ "fragment", NORMAL_FRAGMENT, "drop what follows #" },
	{ "lower-path", NORMAL_LOWER_PATH, "path in lower case" },
	{ "trailing-slash", NORMAL_TRAILING_SLASH, "drop the last slash of a path" },
	{ "default-page", NORMAL_DEFAULT_PAGE,
	  "drop index.html, default.htm and the like" },
	{ "slashes", NORMAL_SLASHES, "// in a path becomes /" },
	{ "www", NORMAL_WWW, "drop www., www2. ... before a host" },
	{ "host-dot", NORMAL_HOST_DOT, "drop the dot after a host" },
	{ "scheme", NORMAL_SCHEME, "https becomes http, for comparing" },
	{ "credentials", NORMAL_CREDENTIALS, "drop user:password@" },
	{ "sort-query", NORMAL_SORT_QUERY, "parameters in the order of their names" },
	{ "tracking", NORMAL_TRACKING, "drop utm_*, gclid, fbclid and the like" },
	{ "session", NORMAL_SESSION, "drop jsessionid, PHPSESSID and the like" },
	{ "empty-query", NORMAL_EMPTY_QUERY,
	  "drop an empty ? and parameters without name" },
	{ "plus", NORMAL_PLUS, "+ in a query becomes %20" },
	{ NULL, 0, NULL },
};

static bool find_steps(struct str name, unsigned *ret)
{
	if (str_eq(name, STR("standard"))) {
		*ret = NORMAL_STANDARD;
		return true;
	}
	if (str_eq(name, STR("all"))) {
		*ret = NORMAL_ALL;
		return true;
	}
	for (const struct normal_row *r = normal_rows; r->name; r++)
		if (str_eq(name, str_from(r->name))) {
			*ret = r->step;
			return true;
		}
	return false;
}

static enum status set_one(unsigned *steps, struct str word, struct diag *why)
{
	bool off = str_take_char(&word, '-');
	unsigned step = 0;

	if (str_eq(word, STR("none")) && !off) {
		*steps = NORMAL_PARSED;
		return ST_OK;
	}
	if (!find_steps(word, &step))
		return diag_fail(why, ST_SYNTAX,
				 "no normalisation step is named '" STR_FMT "'",
				 STR_ARG(word));
	if (off && (step & ~NORMAL_PARSED) == 0)
		return diag_fail(why, ST_SYNTAX,
				 "'" STR_FMT
				 "' is part of reading a URL and cannot be off",
				 STR_ARG(word));
	*steps = (off ? *steps & ~step : *steps | step) | NORMAL_PARSED;
	return ST_OK;
}

enum status normal_set(unsigned *steps, struct str text, struct diag *why)
{
	unsigned set = *steps;

	while (text.n) {
		size_t n = 0;

		while (n < text.n && text.p[n] != ',' && !ascii_is_space(text.p[n]))
			n++;
		if (n)
			TRY(set_one(&set, str_slice(text, 0, n), why));
		text = str_skip(text, n + 1);
	}
	*steps = set;
	return ST_OK;
}

/* Would percent_normal() change anything from here on? */
static bool percent_is_normal(struct str s, unsigned steps)
{
	size_t at;

	while ((at = str_find_char(s, '%')) != STR_NONE) {
		s = str_skip(s, at);
		int value = percent_value(s);

		if (value >= 0 && (steps & NORMAL_UNRESERVED) &&
		    has_class((char)value, CLASS_UNRESERVED))
			return false;
		if (value >= 0 && (steps & NORMAL_PERCENT_CASE) &&
		    ((s.p[1] >= 'a') | (s.p[2] >= 'a')))
			return false;
		s = str_skip(s, 1);
	}
	return true;
}

/*
 * The editors below change the end of `b` from `from` on, in place: every step
 * leaves as many bytes as there were, or fewer.
 */
static bool ends_in_stray_percent(const struct buf *b, size_t from, size_t end)
{
	return (end > from && b->p[end - 1] == '%') ||
	       (end > from + 1 && b->p[end - 2] == '%');
}

/* "%%41c" must not become "%Ac", which would mean another byte. */
static void normalize_percents(struct buf *b, size_t from, unsigned steps)
{
	size_t to = from;
	const unsigned keep_case = !(steps & NORMAL_PERCENT_CASE);

	for (size_t i = from; i < b->n;) {
		int value = percent_value((struct str){ b->p + i, b->n - i });

		if (value < 0) {
			b->p[to++] = b->p[i++];
		} else if ((steps & NORMAL_UNRESERVED) &&
			   has_class((char)value, CLASS_UNRESERVED) &&
			   !ends_in_stray_percent(b, from, to)) {
			b->p[to++] = (char)value;
			i += 3;
		} else {
			for (unsigned j = 0; j < 3; j++, i++, to++)
				b->p[to] = keep_case || !ascii_is_alpha(b->p[i])
						   ? b->p[i]
						   : (char)(b->p[i] & ~0x20);
		}
	}
	b->n = to;
}

static void lower_from(struct buf *b, size_t from)
{
	for (size_t i = from; i < b->n; i++) {
		if (percent_value((struct str){ b->p + i, b->n - i }) >= 0)
			i += 2;
		else
			b->p[i] = ascii_lower(b->p[i]);
	}
}

static void merge_slashes(struct buf *b, size_t from)
{
	size_t to = from;

	for (size_t i = from; i < b->n; i++)
		if (b->p[i] != '/' || to == from || b->p[to - 1] != '/')
			b->p[to++] = b->p[i];
	b->n = to;
}

/* "/a;jsessionid=1;v=2/b" without its session: the parameters of segments. */
static void drop_path_sessions(struct buf *b, size_t from)
{
	size_t to = from, i = from;

	while (i < b->n) {
		size_t end = i + 1;

		while (end < b->n && b->p[end] != ';' && b->p[end] != '/')
			end++;
		struct str part = { b->p + i + 1, end - i - 1 }, name = part,
			   value = part;

		if (b->p[i] == ';' && str_take_until(&value, '=', &name) &&
		    param_is_session(name, value)) {
			i = end;
			continue;
		}
		memmove(b->p + to, b->p + i, end - i);
		to += end - i;
		i = end;
	}
	b->n = to;
}

static bool is_default_page(struct str name)
{
	static const struct str stems[] = { { "index", 5 }, { "default", 7 } };
	static const struct str kinds[] = {
		{ ".html", 5 },  { ".htm", 4 }, { ".php", 4 }, { ".asp", 4 },
		{ ".aspx", 5 },  { ".jsp", 4 }, { ".cgi", 4 }, { ".shtml", 6 },
		{ ".xhtml", 6 }, { ".cfm", 4 }, { ".do", 3 }
	};

	for (size_t i = 0; i < COUNT(stems); i++) {
		if (!str_starts_nocase(name, stems[i]))
			continue;
		for (size_t k = 0; k < COUNT(kinds); k++)
			if (str_eq_nocase(str_skip(name, stems[i].n), kinds[k]))
				return true;
	}
	return false;
}

/* The two steps uncover each other, as in "/x/index.html/". */
static void trim_path(struct buf *b, size_t from, unsigned steps)
{
	size_t before;

	do {
		struct str path = { b->p + from, b->n - from };
		size_t slash = str_rfind_char(path, '/');

		before = b->n;
		if ((steps & NORMAL_DEFAULT_PAGE) && slash != STR_NONE &&
		    is_default_page(str_skip(path, slash + 1)))
			b->n = from + slash + 1;
		if ((steps & NORMAL_TRAILING_SLASH) && b->n > from + 1 &&
		    b->p[b->n - 1] == '/')
			b->n--;
	} while (b->n < before);
}

static void add_path(struct buf *b, const struct url *u, unsigned steps)
{
	size_t from = b->n;

	buf_add(b, u->path);
	normalize_percents(b, from, steps);
	if (steps & NORMAL_LOWER_PATH)
		lower_from(b, from);
	if (steps & NORMAL_SESSION)
		drop_path_sessions(b, from);
	if (steps & NORMAL_SLASHES)
		merge_slashes(b, from);
	trim_path(b, from, steps);
}

static bool keeps_param(struct str param, unsigned steps)
{
	struct str value = param, name = { "", 0 };

	if (!str_take_until(&value, '=', &name))
		return !(steps & NORMAL_EMPTY_QUERY);
	if ((steps & NORMAL_EMPTY_QUERY) && name.n == 0 && value.n == 0)
		return false;
	if ((steps & NORMAL_TRACKING) && param_is_tracking(name))
		return false;
	return !(steps & NORMAL_SESSION) || !param_is_session(name, value);
}

static struct str param_name(struct str param)
{
	return str_slice(param, 0, MIN(str_find_char(param, '='), param.n));
}

/* By name only, and by place where the names are equal: their order may matter. */
static int compare_params(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	int order = str_cmp(param_name(*x), param_name(*y));

	return order ? order : (x->p > y->p) - (x->p < y->p);
}

/* The parameters that stay; SIZE_MAX when they are too many to look at. */
static size_t split_query(struct str query, unsigned steps, struct str *params)
{
	size_t n = 0, at;

	do {
		at = str_find_char(query, '&');
		struct str param = str_slice(query, 0, at);

		if (n == PARAMS_MAX)
			return SIZE_MAX;
		if (keeps_param(param, steps))
			params[n++] = param;
		query = str_skip(query, at == STR_NONE ? query.n : at + 1);
	} while (at != STR_NONE);
	return n;
}

static void replace_plus(struct buf *b, size_t from)
{
	cleanup(buf_release) struct buf copy = { 0 };
	struct str part, rest;

	buf_add(&copy, (struct str){ b->p + from, b->n - from });
	rest = buf_str(&copy);
	b->n = from;
	for (size_t at; (at = str_find_char(rest, '+')) != STR_NONE;) {
		part = str_slice(rest, 0, at);
		buf_add(b, part);
		buf_add(b, STR("%20"));
		rest = str_skip(rest, at + 1);
	}
	buf_add(b, rest);
}

/* Drop and sort the parameters of the query that stands in `b` from `from` on. */
static void edit_params(struct buf *b, size_t from, unsigned steps)
{
	cleanup(buf_release) struct buf copy = { 0 };
	struct str params[PARAMS_MAX];

	buf_add(&copy, (struct str){ b->p + from, b->n - from });
	size_t n = split_query(buf_str(&copy), steps, params);

	if (n == SIZE_MAX)
		return;
	if (steps & NORMAL_SORT_QUERY)
		qsort(params, n, sizeof(params[0]), compare_params);
	b->n = from;
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_add_char(b, '&');
		buf_add(b, params[i]);
	}
}

static void add_query(struct buf *b, const struct url *u, unsigned steps)
{
	size_t start = b->n;
	unsigned editing =
		NORMAL_SORT_QUERY | NORMAL_TRACKING | NORMAL_SESSION | NORMAL_EMPTY_QUERY;

	if (!u->has_query)
		return;
	buf_add_char(b, '?');
	buf_add(b, u->query);
	normalize_percents(b, start + 1, steps);
	if (steps & NORMAL_PLUS)
		replace_plus(b, start + 1);
	if (steps & editing)
		edit_params(b, start + 1, steps);
	/* A query that lost all its parameters goes, and an empty one if asked. */
	if (b->n == start + 1 && (u->query.n || (steps & NORMAL_EMPTY_QUERY)))
		b->n = start;
}

static struct str without_dots(struct str host)
{
	struct str name = host;

	while (name.n && name.p[name.n - 1] == '.')
		name.n--;
	return name.n ? name : host;
}

static void add_host(struct buf *b, const struct url *u, unsigned steps)
{
	struct str host = u->host;

	if (u->host_kind == HOST_DOMAIN) {
		if (steps & NORMAL_HOST_DOT)
			host = without_dots(host);
		if (steps & NORMAL_WWW)
			host = host_without_www(host);
	}
	buf_add(b, host);
	if (u->port.n) {
		buf_add_char(b, ':');
		buf_add(b, u->port);
	}
}

static void add_credentials(struct buf *b, const struct url *u, unsigned steps)
{
	if ((steps & NORMAL_CREDENTIALS) || (!u->username.n && !u->password.n))
		return;
	buf_add(b, u->username);
	if (u->password.n) {
		buf_add_char(b, ':');
		buf_add(b, u->password);
	}
	buf_add_char(b, '@');
}

static void add_edited(struct buf *b, const struct url *u, unsigned steps)
{
	bool secure = u->scheme_kind == URL_HTTPS || u->scheme_kind == URL_WSS;

	buf_add(b, str_slice(u->scheme, 0,
			     u->scheme.n -
				     (secure && (steps & NORMAL_SCHEME) && !u->port.n)));
	buf_add(b, STR("://"));
	add_credentials(b, u, steps);
	add_host(b, u, steps);
	add_path(b, u, steps);
	add_query(b, u, steps);
	if (u->has_fragment && !(steps & NORMAL_FRAGMENT)) {
		buf_add_char(b, '#');
		buf_add(b, u->fragment);
	}
}

static struct url cut_fragment(const struct url *u, unsigned steps)
{
	struct url r = *u;

	if (!u->has_fragment || !(steps & NORMAL_FRAGMENT))
		return r;
	r.href = url_without_fragment(u);
	r.fragment = (struct str){ r.href.p + r.href.n, 0 };
	r.has_fragment = false;
	return r;
}

/* Edit `u`, parse what came out, and leave it in `scratch`. */
static enum status edit_once(const struct url *u, unsigned steps, struct buf *scratch,
			     struct url *ret)
{
	cleanup(buf_release) struct buf other = { 0 };
	struct url r;

	buf_reset(scratch);
	add_edited(scratch, u, steps);
	TRY(buf_status(scratch));
	TRY(url_parse(buf_str(scratch), NULL, &other, &r, NULL));
	if (r.href.p != scratch->p) {
		SWAP(other, *scratch);
		r = url_at(&r, scratch->p);
	}
	*ret = r;
	return ST_OK;
}

/*
 * One extension may make room for another ("/..;jsessionid=1" becomes "/.."),
 * so they are repeated until nothing changes; the bound is for the paranoid.
 */
static enum status edit(const struct url *u, unsigned steps, struct buf *scratch,
			struct url *ret)
{
	cleanup(buf_release) struct buf before = { 0 };
	struct url r;

	TRY(edit_once(u, steps, scratch, &r));
	for (int round = 0; (steps & ~NORMAL_STANDARD) && round < 8; round++) {
		if (round == 0 ? str_eq(r.href, u->href)
			       : str_eq(r.href, buf_str(&before)))
			break;
		buf_reset(&before);
		buf_add(&before, r.href);
		struct url from = url_at(&r, before.p);

		TRY(edit_once(&from, steps, scratch, &r));
	}
	*ret = r;
	return ST_OK;
}

enum status url_normalize(const struct url *u, unsigned steps, struct buf *scratch,
			  struct url *ret)
{
	bool eligible = url_is_special(u) && u->scheme_kind != URL_FILE;
	struct str edited = { u->path.p, url_path_query(u).n };

	if (!eligible ||
	    ((steps & ~NORMAL_STANDARD) == 0 && percent_is_normal(edited, steps))) {
		*ret = cut_fragment(u, steps);
		return ST_OK;
	}
	return edit(u, steps, scratch, ret);
}

enum status url_parse_normal(struct str input, const struct url *base, unsigned steps,
			     struct buf scratch[2], struct url *ret, struct diag *why)
{
	struct url u;

	TRY(url_parse(input, base, &scratch[0], &u, why));
	return url_normalize(&u, steps, &scratch[1], ret);
}
