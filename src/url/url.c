#include "url/url.h"

#include <assert.h>
#include <string.h>

#include "url/percent.h"
#include "url/url_internal.h"

static const struct {
	struct str name;
	uint16_t port;
} schemes[] = {
	[URL_OTHER] = { { "", 0 }, 0 },        [URL_HTTP] = { { "http", 4 }, 80 },
	[URL_HTTPS] = { { "https", 5 }, 443 }, [URL_WS] = { { "ws", 2 }, 80 },
	[URL_WSS] = { { "wss", 3 }, 443 },     [URL_FTP] = { { "ftp", 3 }, 21 },
	[URL_FILE] = { { "file", 4 }, 0 },
};

enum url_scheme url_scheme_of(struct str name)
{
	for (enum url_scheme s = URL_HTTP; s <= URL_FILE; s++)
		if (str_eq(name, schemes[s].name))
			return s;
	return URL_OTHER;
}

uint16_t url_default_port(enum url_scheme scheme)
{
	return schemes[scheme].port;
}

static struct url from_parts(struct str href, const struct url_parts *at)
{
	return (struct url){
		.href = href,
		.scheme = { href.p, at->scheme_end },
		.username = { href.p + at->user_start, at->user_end - at->user_start },
		.password = { href.p + at->pass_start, at->pass_end - at->pass_start },
		.host = { href.p + at->host_start, at->host_end - at->host_start },
		.port = { href.p + at->port_start, at->port_end - at->port_start },
		.path = { href.p + at->path_start, at->path_end - at->path_start },
		.query = { href.p + at->query_start, at->query_end - at->query_start },
		.fragment = { href.p + at->fragment_start, href.n - at->fragment_start },
		.scheme_kind = at->scheme_kind,
		.host_kind = at->host_kind,
		.port_number = at->port_number,
		.has_query = at->has_query,
		.has_fragment = at->has_fragment,
		.opaque_path = at->opaque_path,
	};
}

/* Is the segment at `p`, after a '/', one that the standard would resolve: "." ".."
 * "%2e"? */
static bool may_be_dots(const char *p, const char *end)
{
	for (unsigned dots = 0; dots < 3; dots++) {
		if (p == end || *p == '/' || *p == '?' || *p == '#')
			return dots > 0;
		if (*p == '.')
			p++;
		else if (end - p >= 3 && p[0] == '%' && p[1] == '2' &&
			 (p[2] | 0x20) == 'e')
			p += 3;
		else
			return false;
	}
	return false;
}

/* A host of plain bytes that the IPv4 parser would not change. */
static const char *skip_plain_host(const char *p, const char *end)
{
	const char *start = p, *label = p;

	for (; p < end && has_class(*p, CLASS_HOST_PLAIN); p++)
		if (*p == '.')
			label = p + 1;
	/* The last label must not look like a number; "example.com." has an empty one. */
	if (p == start || label == p || ascii_is_digit(*label))
		return NULL;
	return p;
}

/* Four decimal numbers as an IPv4 address is written. */
static const char *skip_plain_ipv4(const char *p, const char *end)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned value = 0;

		if (i > 0 && (p == end || *p++ != '.'))
			return NULL;
		const char *start = p;

		for (; p < end && ascii_is_digit(*p) && value < 256; p++)
			value = value * 10 + (unsigned)(*p - '0');
		if (p == start || value > 255 || (*start == '0' && p - start > 1))
			return NULL;
	}
	return p;
}

static const char *skip_plain_port(const char *p, const char *end, struct url_parts *at,
				   const char *base)
{
	unsigned port = 0;

	at->port_start = (size_t)(p - base);
	if (p == end || *p < '1' || *p > '9')
		return NULL;
	for (; p < end && ascii_is_digit(*p); p++) {
		port = port * 10 + (unsigned)(*p - '0');
		if (port > UINT16_MAX)
			return NULL;
	}
	at->port_end = (size_t)(p - base);
	if (port == at->port_number)
		return NULL;
	at->port_number = (uint16_t)port;
	return p;
}

/* '\\' is not in the path set, yet the path of a special URL may not keep one. */
static const char *skip_plain_path(const char *p, const char *end)
{
	for (; p < end && !has_class(*p, CLASS_PATH) && *p != '\\'; p++)
		if (*p == '/' && p + 1 < end && (p[1] == '.' || p[1] == '%') &&
		    may_be_dots(p + 1, end))
			return NULL;
	return p;
}

static const char *skip_plain(const char *p, const char *end, unsigned set)
{
	while (p < end && !has_class(*p, set))
		p++;
	return p;
}

/* Query and fragment, from after the path; false unless they are normal up to the end. */
static bool scan_tail(const char *p, const char *end, const char *base,
		      struct url_parts *at)
{
	at->path_end = at->query_start = at->query_end = (size_t)(p - base);
	if (p < end && *p == '?') {
		at->has_query = true;
		at->query_start = (size_t)(++p - base);
		p = skip_plain(p, end, CLASS_SPECIAL_QUERY);
		at->query_end = (size_t)(p - base);
	}
	at->fragment_start = (size_t)(end - base);
	if (p < end && *p == '#') {
		at->has_fragment = true;
		at->fragment_start = (size_t)(++p - base);
		p = skip_plain(p, end, CLASS_FRAGMENT);
	}
	return p == end;
}

/*
 * One pass over an absolute http or https URL without credentials, which is
 * nearly every URL of a crawl: true when it is its own normal form.  False
 * means only that the slow way must look.
 */
static bool scan_normal(struct str in, struct url_parts *at)
{
	const char *p = in.p, *end = in.p + in.n, *after;

	if (in.n < 8 || memcmp(p, "http", 4) != 0)
		return false;
	p += p[4] == 's' ? 5 : 4;
	if (memcmp(p, "://", 3) != 0)
		return false;
	*at = (struct url_parts){
		.scheme_end = (size_t)(p - in.p),
		.scheme_kind = p - in.p == 5 ? URL_HTTPS : URL_HTTP,
		.host_kind = HOST_DOMAIN,
		.port_number = p - in.p == 5 ? 443 : 80,
	};
	p += 3;
	at->user_start = at->user_end = at->pass_start = at->pass_end = at->host_start =
		(size_t)(p - in.p);
	if (p < end && ascii_is_digit(*p) && (after = skip_plain_ipv4(p, end)) &&
	    after < end && (*after == '/' || *after == ':'))
		at->host_kind = HOST_IPV4;
	else
		after = skip_plain_host(p, end);
	if (!(p = after))
		return false;
	at->host_end = at->port_start = at->port_end = (size_t)(p - in.p);
	if (p < end && *p == ':' && !(p = skip_plain_port(p + 1, end, at, in.p)))
		return false;
	if (p == end || *p != '/')
		return false;
	at->path_start = (size_t)(p - in.p);
	return (p = skip_plain_path(p, end)) && scan_tail(p, end, in.p, at);
}

/* What of the base a reference keeps: its origin, or its folder; 0 for none. */
static size_t kept_of_base(struct str in, const struct url *base)
{
	const char *end = in.p + in.n;

	if (!base || !url_is_http(base) || base->username.n || base->password.n || !in.n)
		return 0;
	if (in.p[0] == '/')
		return in.n > 1 && (in.p[1] == '/' || in.p[1] == '\\')
			       ? 0
			       : (size_t)(base->path.p - base->href.p);
	if (in.p[0] == '?' || in.p[0] == '#' || may_be_dots(in.p, end))
		return 0;
	for (const char *p = in.p; p < end && *p != '/' && *p != '?' && *p != '#'; p++)
		if (*p == ':') /* a scheme, perhaps */
			return 0;
	return (size_t)(base->path.p - base->href.p) + str_rfind_char(base->path, '/') +
	       1;
}

/*
 * A reference like "/a/b?c" or "b.html" that is normal as it is, which is nearly every
 * link within a site: joined to its base.  False means that the slow way must look.
 */
static bool join_normal(struct str in, const struct url *base, struct buf *to,
			struct url_parts *at)
{
	const char *end = in.p + in.n, *p;
	size_t kept = kept_of_base(in, base);
	struct url_parts tail = { 0 };

	if (!kept || !(p = skip_plain_path(in.p, end)) || !scan_tail(p, end, in.p, &tail))
		return false;
	const char *href = base->href.p;
	*at = (struct url_parts){
		.scheme_end = base->scheme.n,
		.scheme_kind = base->scheme_kind,
		.host_kind = base->host_kind,
		.port_number = base->port_number,
		.user_start = (size_t)(base->host.p - href),
		.port_start = (size_t)(base->port.p - href),
		.path_start = (size_t)(base->path.p - href),
		.path_end = kept + tail.path_end,
		.query_start = kept + tail.query_start,
		.query_end = kept + tail.query_end,
		.fragment_start = kept + tail.fragment_start,
		.has_query = tail.has_query,
		.has_fragment = tail.has_fragment,
	};
	at->user_end = at->pass_start = at->pass_end = at->host_start = at->user_start;
	at->host_end = at->host_start + base->host.n;
	at->port_end = at->port_start + base->port.n;
	buf_reset(to);
	buf_add(to, (struct str){ href, kept });
	buf_add(to, in);
	return !to->overflow;
}

static struct str trim_controls(struct str s)
{
	while (s.n && (uint8_t)s.p[s.n - 1] <= ' ')
		s.n--;
	while (s.n && (uint8_t)s.p[0] <= ' ')
		s = str_skip(s, 1);
	return s;
}

static bool lies_in(struct str s, const struct buf *b)
{
	return s.n && b->p && s.p >= b->p && s.p < b->p + b->cap;
}

enum status url_parse(struct str input, const struct url *base, struct buf *scratch,
		      struct url *ret, struct diag *why)
{
	struct url_parts at;

	if (input.n > URL_MAX_BYTES)
		return diag_fail(why, ST_TOO_LARGE, "a URL of %zu bytes", input.n);
	input = trim_controls(input);
	if (scan_normal(input, &at)) {
		*ret = from_parts(input, &at);
		return ST_OK;
	}
	assert(!lies_in(input, scratch) && !(base && lies_in(base->href, scratch)));
	if (join_normal(input, base, scratch, &at)) {
		*ret = from_parts(buf_str(scratch), &at);
		return ST_OK;
	}
	buf_reset(scratch);
	TRY(url_parse_whole(input, base, scratch, &at, why));
	*ret = from_parts(buf_str(scratch), &at);
	return ST_OK;
}

static struct str moved(struct str part, const char *from, const char *to)
{
	return (struct str){ to + (part.p - from), part.n };
}

struct url url_at(const struct url *u, const char *to)
{
	struct url r = *u;
	struct str *parts[] = { &r.href, &r.scheme, &r.username, &r.password, &r.host,
				&r.port, &r.path,   &r.query,    &r.fragment };

	for (size_t i = 0; i < COUNT(parts); i++)
		*parts[i] = moved(*parts[i], u->href.p, to);
	return r;
}

struct url url_copy(struct arena *a, const struct url *u)
{
	return url_at(u, arena_copy(a, u->href).p);
}

struct str url_without_fragment(const struct url *u)
{
	size_t n = u->href.n;

	return str_slice(u->href, 0, u->has_fragment ? n - u->fragment.n - 1 : n);
}

struct str url_path_query(const struct url *u)
{
	const char *end = u->has_query ? u->query.p + u->query.n : u->path.p + u->path.n;

	return (struct str){ u->path.p, (size_t)(end - u->path.p) };
}

struct str url_authority(const struct url *u)
{
	return (struct str){ u->host.p, u->host.n + (u->port.n ? u->port.n + 1 : 0) };
}

struct str url_origin(const struct url *u, struct buf *scratch)
{
	struct str authority = url_authority(u);

	if (u->scheme_kind == URL_OTHER || u->scheme_kind == URL_FILE)
		return (struct str){ "", 0 };
	if (!u->username.n && !u->password.n)
		return (struct str){ u->href.p,
				     (size_t)(authority.p - u->href.p) + authority.n };
	buf_reset(scratch);
	buf_add(scratch, u->scheme);
	buf_add(scratch, STR("://"));
	buf_add(scratch, authority);
	return buf_str(scratch);
}

bool url_same_origin(const struct url *a, const struct url *b)
{
	return a->scheme_kind == b->scheme_kind && a->scheme_kind != URL_OTHER &&
	       a->scheme_kind != URL_FILE && a->port_number == b->port_number &&
	       str_eq(a->host, b->host);
}
