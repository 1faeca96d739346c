/*
 * url.h - a URL, parsed and serialised by the WHATWG URL standard.
 *
 * url_parse() never copies what is already normal: then every slice points
 * into the input.  Otherwise all slices point into `scratch`.  Either way they
 * are parts of one string, `href`, in its order, so a URL is copied by copying
 * href and moving the slices (url_copy).  A `struct url` owns nothing and has
 * no release function.  Pure; any thread.
 *
 * What is parsed is also in normal form in the sense of the standard: scheme
 * and host in lower case, default port gone, dot segments resolved, what must
 * be percent-encoded encoded.  The further steps (percent-encoding of
 * unreserved characters, fragment, order of the query ...) are normal.h's.
 */
#ifndef URL_URL_H
#define URL_URL_H

#include "base/arena.h"
#include "base/buf.h"

/* Longer inputs are answered with ST_TOO_LARGE before they are looked at. */
#define URL_MAX_BYTES ((size_t)64 * 1024)

/* The special schemes of the standard, and all others. */
enum url_scheme {
	URL_OTHER = 0, /* mailto:, data:, javascript: ... */
	URL_HTTP,
	URL_HTTPS,
	URL_WS,
	URL_WSS,
	URL_FTP,
	URL_FILE,
};

enum host_kind {
	HOST_NONE = 0, /* mailto:x */
	HOST_EMPTY,    /* file:///x */
	HOST_DOMAIN,   /* lower case, IDNA's ASCII form */
	HOST_IPV4,     /* four decimal parts */
	HOST_IPV6,     /* shortest form, in brackets */
	HOST_OPAQUE,   /* of a scheme that is not special */
};

struct url {
	struct str href;     /* the whole serialisation */
	struct str scheme;   /* lower case, without ':' */
	struct str username; /* percent-encoded, as all that follow */
	struct str password;
	struct str host;
	struct str port;     /* digits; empty when absent or the scheme's default */
	struct str path;     /* with its leading '/'; of a special URL never empty */
	struct str query;    /* without '?' */
	struct str fragment; /* without '#' */
	enum url_scheme scheme_kind;
	enum host_kind host_kind;
	uint16_t port_number; /* given or default; 0 when the scheme has none */
	bool has_query;       /* "?" alone is a query, an empty one */
	bool has_fragment;
	bool opaque_path; /* mailto:x, data:...: the path has no segments */
};

/*
 * Parse `input`, relative to `base` unless that is NULL.  `input` should be
 * UTF-8; what is malformed in it counts as U+FFFD.  `scratch` is reset and
 * written only if the input is not normal; neither `input` nor `base` may lie
 * in it.  The result lives as long as `input` and until the next use of
 * `scratch`.  ST_SYNTAX where the standard says failure, ST_TOO_LARGE past
 * URL_MAX_BYTES; then `ret` is untouched and `why` (may be NULL) says what is
 * wrong in one line.
 */
must_use enum status url_parse(struct str input, const struct url *base,
			       struct buf *scratch, struct url *ret, struct diag *why);

/* The same URL with its one string in `a`. */
struct url url_copy(struct arena *a, const struct url *u);
/* The same URL with its one string at `to`, where the bytes of href already are. */
struct url url_at(const struct url *u, const char *to);

/* href up to '#': what is asked of a server. */
struct str url_without_fragment(const struct url *u);
/* Path and query: what stands in the request line, and what robots rules match. */
struct str url_path_query(const struct url *u);
/* Host, and ":port" unless it is the default: the Host field. */
struct str url_authority(const struct url *u);
/*
 * "https://host:port" for the schemes that have an origin, otherwise empty (an
 * opaque origin).  A slice of href unless the URL has a username or password,
 * and then written to `scratch`.
 */
struct str url_origin(const struct url *u, struct buf *scratch);
bool url_same_origin(const struct url *a, const struct url *b);

/*
 * Host, and the port unless it is the scheme's own: http and https of a host are one
 * server, what listens elsewhere is another program.
 */
static inline struct str url_server(const struct url *u)
{
	size_t n = u->port.n ? (size_t)(u->port.p + u->port.n - u->host.p) : u->host.n;

	return (struct str){ u->host.p, n };
}
static inline bool url_is_http(const struct url *u)
{
	return u->scheme_kind == URL_HTTP || u->scheme_kind == URL_HTTPS;
}
static inline bool url_is_special(const struct url *u)
{
	return u->scheme_kind != URL_OTHER;
}
/* 0 for schemes without one. */
uint16_t url_default_port(enum url_scheme scheme);
#endif
