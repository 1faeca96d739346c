/*
 * http.h - the head of an HTTP answer, and the fields a crawler reads.
 *
 * Everything is a slice of the input; only the array of fields is owned.  What
 * servers get wrong is read as browsers read it, what is out of bounds is
 * refused before anything is stored.  Pure; any thread.
 */
#ifndef WEB_HTTP_H
#define WEB_HTTP_H

#include "base/buf.h"

#define HTTP_HEAD_MAX_BYTES ((size_t)256 * 1024)
#define HTTP_FIELDS_MAX     512

struct http_field {
	struct str name, value; /* as sent; without white space around the value */
};

struct http_head {
	int status;        /* 100 to 999 */
	int version;       /* 9, 10, 11, 20, 30 */
	struct str reason; /* may be empty */
	struct http_field *fields;
	size_t n, cap;
	unsigned bad_lines; /* passed over: without a colon, or a bad name */
};

void http_head_release(struct http_head *h);
/*
 * Parse a status line and the fields after it, up to the empty line or the end.
 * The slices live as long as `text`.  ST_SYNTAX without a status line,
 * ST_TOO_LARGE past the bounds above.
 */
must_use enum status http_head_parse(struct http_head *ret, struct str text,
				     struct diag *why);

/* The first field of this name; an empty slice with p NULL when there is none. */
struct str http_get(const struct http_head *h, struct str name);
/* All fields of a name: start with *at = 0; false at the end. */
bool http_next(const struct http_head *h, struct str name, size_t *at,
	       struct str *ret_value);

/* type/subtype; charset=..., without quotes. */
struct media_type {
	struct str essence; /* "text/html", as sent */
	struct str charset, boundary;
};
/* False for what is no media type; then `ret` is untouched. */
bool media_type_parse(struct str value, struct media_type *ret);
static inline bool media_type_is(const struct media_type *m, struct str essence)
{
	return str_eq_nocase(m->essence, essence);
}

/* One link of a Link field (RFC 8288). */
struct http_link {
	struct str target; /* between the angle brackets */
	struct str rel, type, hreflang, media, title, anchor;
};
/* Take the next link from the front of a field's value; false at the end. */
bool http_link_next(struct str *value, struct http_link *ret);
bool http_link_has_rel(const struct http_link *l, struct str rel);

/* Retry-After in both forms: from now, 0 when it lies in the past. */
bool http_parse_retry_after(struct str value, int64_t now_ms, uint64_t *ret_ms);

struct http_rate_limit {
	uint64_t limit, remaining;
	uint64_t reset_ms; /* from now, until the quota is full again */
	bool has_limit, has_remaining, has_reset;
};
/* RateLimit (the IETF's structured form), RateLimit-* and X-RateLimit-*. */
struct http_rate_limit http_rate_limit(const struct http_head *h, int64_t now_ms);

struct http_cache {
	bool no_store, no_cache, is_private, must_revalidate, immutable;
	bool has_max_age;
	uint64_t max_age_s;
};
struct http_cache http_cache_control(const struct http_head *h);
/* How long the answer stays fresh by its own words (RFC 9111 4.2); 0 when it says
 * nothing. */
uint64_t http_fresh_for_ms(const struct http_head *h, int64_t now_ms);

/* A field with a date: Last-Modified, Date, Expires. */
bool http_get_date(const struct http_head *h, struct str name, int64_t *ret_ms);

/*
 * A Refresh field or the content of <meta http-equiv=refresh>, as HTML reads it:
 * the delay (UINT32_MAX at most) and, if given, the URL (unquoted, not yet resolved).
 */
bool http_parse_refresh(struct str value, uint64_t *ret_delay_s, struct str *ret_url);

/* Words the parsers share. */
bool http_is_token(struct str s);
/* Take "name" or "name=value" from a list of parameters; quotes are removed. */
bool http_take_param(struct str *in, char separator, struct str *ret_name,
		     struct str *ret_value);
#endif
