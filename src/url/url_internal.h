/*
 * url_internal.h - between url.c (fast path, slices) and url_parse.c (the
 * standard's whole machine).  Nobody else includes it.
 */
#ifndef URL_URL_INTERNAL_H
#define URL_URL_INTERNAL_H

#include "url/url.h"

/*
 * Where the parts stand in an href, as offsets, because the buffer may move
 * while it is written.  Invariant: each is <= the next, and
 *   href = scheme ":" ["//" [user [":" pass] "@"] host [":" port]] path ["?" query]
 * ["#" fragment]
 */
struct url_parts {
	size_t scheme_end;             /* at ':' */
	size_t user_start, user_end;   /* equal when there is none */
	size_t pass_start, pass_end;   /* likewise */
	size_t host_start, host_end;   /* likewise */
	size_t port_start, port_end;   /* likewise; the digits */
	size_t path_start, path_end;   /* after "/." where the standard inserts it */
	size_t query_start, query_end; /* after '?' */
	size_t fragment_start;         /* after '#' */
	/*
	 * Not in the order of struct url: neighbours here and there are copied as one
	 * word, which must then wait for the two halves written just before.
	 */
	enum url_scheme scheme_kind;
	bool opaque_path, has_query;
	enum host_kind host_kind;
	bool has_fragment;
	uint16_t port_number;
};

/* Scheme of a name in lower case. */
enum url_scheme url_scheme_of(struct str name);
/* The slow way; `to` is empty.  `input` without space at its ends. */
must_use enum status url_parse_whole(struct str input, const struct url *base,
				     struct buf *to, struct url_parts *ret,
				     struct diag *why);
#endif
