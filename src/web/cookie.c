#include "web/cookie.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/date.h"
#include "url/host.h"
#include "url/suffix.h"
#include "web/http.h"

#define ATTRIBUTE_MAX_BYTES 1024
/* RFC 6265bis 5.5: no cookie lives longer than 400 days. */
#define LIFE_MAX_MS ((int64_t)400 * 24 * 3600 * 1000)

struct cookie {
	char *text; /* name, value, domain and path, one after the other */
	uint16_t name_n, value_n, domain_n, path_n;
	bool host_only, secure;
	int64_t expires_ms;
	uint64_t seq; /* the order of birth, which a new value keeps */
};

static struct str cookie_name(const struct cookie *c)
{
	return (struct str){ c->text, c->name_n };
}

static struct str cookie_value(const struct cookie *c)
{
	return (struct str){ c->text + c->name_n, c->value_n };
}

static struct str cookie_domain(const struct cookie *c)
{
	return (struct str){ c->text + c->name_n + c->value_n, c->domain_n };
}

static struct str cookie_path(const struct cookie *c)
{
	return (struct str){ c->text + c->name_n + c->value_n + c->domain_n, c->path_n };
}

static bool has_control(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (((uint8_t)s.p[i] < 0x20 && s.p[i] != '\t') || s.p[i] == 0x7f)
			return true;
	return false;
}

/* Max-Age: a number, maybe negative; it has the last word over Expires. */
static bool parse_max_age(struct str value, int64_t now_ms, int64_t *ret_ms)
{
	bool negative = str_take_char(&value, '-');
	uint64_t seconds;

	if (!str_to_uint(value, UINT64_MAX, &seconds)) {
		/* More digits than fit are still a number. */
		for (size_t i = 0; i < value.n; i++)
			if (!ascii_is_digit(value.p[i]))
				return false;
		if (value.n == 0)
			return false;
		seconds = (uint64_t)LIFE_MAX_MS;
	}
	if (negative || seconds == 0)
		*ret_ms = INT64_MIN;
	else
		*ret_ms = now_ms +
			  MIN((int64_t)MIN(seconds, (uint64_t)LIFE_MAX_MS / 1000) * 1000,
			      LIFE_MAX_MS);
	return true;
}

static enum same_site parse_same_site(struct str value)
{
	if (str_eq_nocase(value, STR("strict")))
		return SAME_SITE_STRICT;
	if (str_eq_nocase(value, STR("none")))
		return SAME_SITE_NONE;
	return str_eq_nocase(value, STR("lax")) ? SAME_SITE_LAX : SAME_SITE_UNSET;
}

static void read_attribute(struct set_cookie *c, struct str name, struct str value,
			   int64_t now_ms, bool *max_age_seen)
{
	int64_t ms;

	if (value.n > ATTRIBUTE_MAX_BYTES)
		return;
	if (str_eq_nocase(name, STR("max-age"))) {
		if (parse_max_age(value, now_ms, &ms)) {
			c->expires_ms = ms;
			c->has_expiry = *max_age_seen = true;
		}
	} else if (str_eq_nocase(name, STR("expires"))) {
		if (!*max_age_seen && date_parse_http(value, &ms)) {
			c->expires_ms = MIN(ms, now_ms + LIFE_MAX_MS);
			c->has_expiry = true;
		}
	} else if (str_eq_nocase(name, STR("domain"))) {
		str_take_char(&value, '.');
		c->domain = value;
	} else if (str_eq_nocase(name, STR("path"))) {
		c->path =
			value.n && value.p[0] == '/' ? value : (struct str){ value.p, 0 };
	} else if (str_eq_nocase(name, STR("secure"))) {
		c->secure = true;
	} else if (str_eq_nocase(name, STR("httponly"))) {
		c->http_only = true;
	} else if (str_eq_nocase(name, STR("samesite"))) {
		c->same_site = parse_same_site(value);
	}
}

enum status set_cookie_parse(struct str field, int64_t now_ms, struct set_cookie *ret)
{
	struct set_cookie c = { 0 };
	struct str pair, part, name;
	bool max_age_seen = false;

	if (has_control(field) || !str_take_until(&field, ';', &pair))
		return ST_SYNTAX;
	size_t equals = str_find_char(pair, '=');

	/* Without '=' all of it is the value of a cookie without name. */
	c.name = equals == STR_NONE ? (struct str){ pair.p, 0 }
				    : str_trim(str_slice(pair, 0, equals));
	c.value = str_trim(str_skip(pair, equals == STR_NONE ? 0 : equals + 1));
	if (c.name.n + c.value.n == 0)
		return ST_SYNTAX;
	if (c.name.n + c.value.n > COOKIE_MAX_BYTES)
		return ST_TOO_LARGE;
	while (str_take_until(&field, ';', &part)) {
		struct str value = part;

		if (!str_take_until(&value, '=', &name))
			continue;
		read_attribute(&c, str_trim(name), str_trim(value), now_ms,
			       &max_age_seen);
	}
	*ret = c;
	return ST_OK;
}

void cookie_jar_release(struct cookie_jar *j)
{
	for (size_t i = 0; i < j->n; i++)
		free(j->cookies[i].text);
	free(j->cookies);
	*j = (struct cookie_jar){ 0 };
}

static void remove_at(struct cookie_jar *j, size_t i)
{
	free(j->cookies[i].text);
	memmove(&j->cookies[i], &j->cookies[i + 1], (--j->n - i) * sizeof(*j->cookies));
}

/* RFC 6265bis 5.1.4: up to the last slash of the request's path. */
static struct str default_path(const struct url *u)
{
	size_t slash = str_rfind_char(u->path, '/');

	return slash == STR_NONE || slash == 0 ? STR("/") : str_slice(u->path, 0, slash);
}

/* May `from` set a cookie for this domain, and does it reach beyond the host? */
static enum status choose_domain(const struct url *from, struct str wanted,
				 struct str *ret_domain, bool *ret_host_only)
{
	char lower[256];
	struct ip ip;

	if (wanted.n == 0 || str_eq_nocase(wanted, from->host)) {
		/* Naming itself opens the cookie to subdomains, unless it is a suffix. */
		*ret_domain = from->host;
		*ret_host_only = wanted.n == 0 || suffix_is_public(from->host) ||
				 host_to_ip(from->host, &ip);
		return ST_OK;
	}
	if (wanted.n > sizeof(lower) || host_to_ip(from->host, &ip))
		return ST_DENIED;
	for (size_t i = 0; i < wanted.n; i++)
		lower[i] = ascii_lower(wanted.p[i]);
	struct str domain = { lower, wanted.n };

	if (!host_within(from->host, domain) || suffix_is_public(domain))
		return ST_DENIED;
	*ret_domain = str_skip(from->host, from->host.n - domain.n);
	*ret_host_only = false;
	return ST_OK;
}

/* __Secure- and __Host- promise what the attributes must keep (RFC 6265bis 4.1.3). */
static bool keeps_its_prefix(const struct set_cookie *c, const struct url *from)
{
	bool secure = c->secure && from->scheme_kind == URL_HTTPS;

	if (str_starts_nocase(c->name, STR("__Host-")))
		return secure && c->domain.n == 0 && str_eq(c->path, STR("/"));
	return !str_starts_nocase(c->name, STR("__Secure-")) || secure;
}

static size_t find_same(const struct cookie_jar *j, struct str name, struct str domain,
			struct str path)
{
	for (size_t i = 0; i < j->n; i++)
		if (str_eq(cookie_name(&j->cookies[i]), name) &&
		    str_eq(cookie_domain(&j->cookies[i]), domain) &&
		    str_eq(cookie_path(&j->cookies[i]), path))
			return i;
	return STR_NONE;
}

/* Keep both bounds: first the domain's, then the jar's; the oldest goes. */
static void make_room(struct cookie_jar *j, struct str domain)
{
	size_t of_domain = 0, oldest = STR_NONE;

	for (size_t i = 0; i < j->n; i++)
		if (str_eq(cookie_domain(&j->cookies[i]), domain)) {
			of_domain++;
			oldest = oldest == STR_NONE ? i : oldest;
		}
	if (of_domain >= COOKIE_DOMAIN_MAX)
		remove_at(j, oldest);
	else if (j->n >= COOKIE_JAR_MAX)
		remove_at(j, 0);
}

static void store(struct cookie_jar *j, const struct set_cookie *c, struct str domain,
		  struct str path, bool host_only)
{
	const struct str parts[] = { c->name, c->value, domain, path };
	size_t n = c->name.n + c->value.n + domain.n + path.n, at = 0;
	struct cookie stored = {
		.text = xrealloc(NULL, n ? n : 1, 1),
		.name_n = (uint16_t)c->name.n,
		.value_n = (uint16_t)c->value.n,
		.domain_n = (uint16_t)domain.n,
		.path_n = (uint16_t)path.n,
		.host_only = host_only,
		.secure = c->secure,
		.expires_ms = c->has_expiry ? c->expires_ms : INT64_MAX,
		.seq = j->next_seq++,
	};

	for (size_t i = 0; i < COUNT(parts); at += parts[i].n, i++)
		if (parts[i].n)
			memcpy(stored.text + at, parts[i].p, parts[i].n);
	VEC_ADD(j->cookies, j->n, j->cap, stored);
}

enum status cookie_jar_add(struct cookie_jar *j, const struct url *from, struct str field,
			   int64_t now_ms)
{
	struct set_cookie c;
	struct str domain, path;
	bool host_only;

	if (!url_is_http(from))
		return ST_DENIED;
	TRY(set_cookie_parse(field, now_ms, &c));
	TRY(choose_domain(from, c.domain, &domain, &host_only));
	if (!keeps_its_prefix(&c, from) || (c.secure && from->scheme_kind != URL_HTTPS))
		return ST_DENIED;
	path = c.path.n ? c.path : default_path(from);
	if (domain.n + path.n > UINT16_MAX - 1 || path.n > ATTRIBUTE_MAX_BYTES)
		return ST_TOO_LARGE;

	size_t same = find_same(j, c.name, domain, path);

	if (same != STR_NONE)
		remove_at(j, same);
	if (c.has_expiry && c.expires_ms <= now_ms)
		return ST_OK;
	make_room(j, domain);
	store(j, &c, domain, path, host_only);
	return ST_OK;
}

/* RFC 6265bis 5.1.4. */
static bool path_matches(struct str request, struct str path)
{
	if (!str_starts(request, path))
		return false;
	return request.n == path.n || path.p[path.n - 1] == '/' ||
	       request.p[path.n] == '/';
}

static bool goes_to(const struct cookie *c, const struct url *u)
{
	struct str domain = cookie_domain(c);

	if (c->secure && u->scheme_kind != URL_HTTPS)
		return false;
	if (c->host_only ? !str_eq(u->host, domain) : !host_within(u->host, domain))
		return false;
	return path_matches(u->path, cookie_path(c));
}

static void drop_expired(struct cookie_jar *j, int64_t now_ms)
{
	for (size_t i = j->n; i-- > 0;)
		if (j->cookies[i].expires_ms <= now_ms)
			remove_at(j, i);
}

/* Longer paths first, then the older. */
static int by_path(const void *a, const void *b)
{
	const struct cookie *x = *(const struct cookie *const *)a;
	const struct cookie *y = *(const struct cookie *const *)b;

	if (x->path_n != y->path_n)
		return x->path_n < y->path_n ? 1 : -1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

void cookie_jar_format(struct cookie_jar *j, const struct url *to, int64_t now_ms,
		       struct buf *b)
{
	const struct cookie *chosen[COOKIE_JAR_MAX];
	size_t n = 0;

	drop_expired(j, now_ms);
	for (size_t i = 0; i < j->n; i++)
		if (goes_to(&j->cookies[i], to))
			chosen[n++] = &j->cookies[i];
	qsort(chosen, n, sizeof(chosen[0]), by_path);
	size_t start = b->n;
	for (size_t i = 0; i < n; i++) {
		if (b->n - start + chosen[i]->name_n + chosen[i]->value_n + 3 >
		    COOKIE_FIELD_MAX)
			continue;
		if (b->n > start)
			buf_add(b, STR("; "));
		buf_add(b, cookie_name(chosen[i]));
		if (chosen[i]->name_n)
			buf_add_char(b, '=');
		buf_add(b, cookie_value(chosen[i]));
	}
}

/* --- the lines of a file --- */

static bool take_flag(struct str *line, bool *ret)
{
	struct str word;

	if (!str_take_until(line, '\t', &word))
		return false;
	*ret = str_eq_nocase(word, STR("true"));
	return *ret || str_eq_nocase(word, STR("false"));
}

enum status cookie_jar_add_line(struct cookie_jar *j, struct str line, int64_t now_ms)
{
	struct str domain, path, seconds;
	struct set_cookie c = { 0 };
	bool subdomains, secure;
	uint64_t expires;

	if (has_control(line) || !str_take_until(&line, '\t', &domain) ||
	    !take_flag(&line, &subdomains) || !str_take_until(&line, '\t', &path) ||
	    !take_flag(&line, &secure) || !str_take_until(&line, '\t', &seconds) ||
	    !str_take_until(&line, '\t', &c.name))
		return ST_SYNTAX;
	str_take_char(&domain, '.');
	c.value = line;
	c.secure = secure;
	if (domain.n == 0 || path.n == 0 || path.p[0] != '/' ||
	    !str_to_uint(seconds, (uint64_t)INT64_MAX / 1000, &expires))
		return ST_SYNTAX;
	if (c.name.n + c.value.n > COOKIE_MAX_BYTES || domain.n > 255 ||
	    path.n > ATTRIBUTE_MAX_BYTES)
		return ST_TOO_LARGE;
	if (subdomains && suffix_is_public(domain))
		return ST_DENIED;
	c.has_expiry = expires > 0;
	c.expires_ms = MIN((int64_t)expires * 1000, now_ms + LIFE_MAX_MS);
	size_t same = find_same(j, c.name, domain, path);
	if (same != STR_NONE)
		remove_at(j, same);
	if (c.has_expiry && c.expires_ms <= now_ms)
		return ST_OK;
	make_room(j, domain);
	store(j, &c, domain, path, !subdomains);
	return ST_OK;
}

void cookie_jar_format_lines(const struct cookie_jar *j, struct buf *b)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct cookie *c = &j->cookies[i];
		int64_t seconds = c->expires_ms == INT64_MAX ? 0 : c->expires_ms / 1000;

		buf_add(b, c->host_only ? STR("") : STR("."));
		buf_add(b, cookie_domain(c));
		buf_add(b, c->host_only ? STR("\tFALSE\t") : STR("\tTRUE\t"));
		buf_add(b, cookie_path(c));
		buf_addf(b, "\t%s\t%lld\t", c->secure ? "TRUE" : "FALSE",
			 (long long)seconds);
		buf_add(b, cookie_name(c));
		buf_add_char(b, '\t');
		buf_add(b, cookie_value(c));
		buf_add_char(b, '\n');
	}
}
