/*
 * cookie.h - cookies as RFC 6265bis has them, in a small jar with bounds.
 *
 * A crawler keeps cookies only because some sites show nothing without them:
 * one jar a host or a pay-level domain, forgotten at the end.  A jar owns its
 * memory; a zeroed struct is empty.  Not thread-safe.  The clock is a parameter.
 */
#ifndef WEB_COOKIE_H
#define WEB_COOKIE_H

#include "url/url.h"

#define COOKIE_MAX_BYTES  4096 /* name and value, as browsers have it */
#define COOKIE_JAR_MAX    180  /* cookies in a jar; then the oldest goes */
#define COOKIE_DOMAIN_MAX 50   /* of one domain */
#define COOKIE_FIELD_MAX  8192 /* bytes of a Cookie field; more are left out */

enum same_site { SAME_SITE_UNSET, SAME_SITE_NONE, SAME_SITE_LAX, SAME_SITE_STRICT };

/* A Set-Cookie field, as slices of its value. */
struct set_cookie {
	struct str name, value, domain, path;
	bool has_expiry, secure, http_only;
	int64_t expires_ms; /* INT64_MIN when it is to be dropped */
	enum same_site same_site;
};

/* ST_SYNTAX or ST_TOO_LARGE for what a browser would ignore. */
must_use enum status set_cookie_parse(struct str field, int64_t now_ms,
				      struct set_cookie *ret);

struct cookie_jar {
	struct cookie *cookies;
	size_t n, cap;
	uint64_t next_seq;
};

void cookie_jar_release(struct cookie_jar *j);
/*
 * Take a Set-Cookie field of an answer from `from`.  ST_DENIED when it is for a
 * domain that `from` may not speak for: another site, or a public suffix.
 */
must_use enum status cookie_jar_add(struct cookie_jar *j, const struct url *from,
				    struct str field, int64_t now_ms);
/* Append the value of the Cookie field for a request; nothing when there is none. */
void cookie_jar_format(struct cookie_jar *j, const struct url *to, int64_t now_ms,
		       struct buf *b);
/*
 * A line of the file that browsers and curl exchange: domain, whether it reaches
 * subdomains, path, secure, expiry in seconds (0: with the session), name, value.
 */
must_use enum status cookie_jar_add_line(struct cookie_jar *j, struct str line,
					 int64_t now_ms);
/* All of them, as such lines. */
void cookie_jar_format_lines(const struct cookie_jar *j, struct buf *b);
#endif
