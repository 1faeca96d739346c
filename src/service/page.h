/*
 * page.h - how a list goes on: from one answer to the parameters of the next request.
 *
 * The state between two requests is a text, so that it can be written to the journal: ""
 * for the first page, then a number, a cursor, a URL, or parameters "a=b&c=d".  Pure.
 */
#ifndef SERVICE_PAGE_H
#define SERVICE_PAGE_H

#include "service/service.h"
#include "web/http.h"

/* What an answer says of the list. */
struct page_facts {
	const struct http_head *head;
	const struct json *root;
	struct str url;  /* of the request: relative links are relative to it */
	struct str page; /* the state of this page */
	size_t items;
	uint32_t pages;               /* fetched so far, this one included */
	uint64_t before;              /* items of the pages before */
	struct str best, best_before; /* the greatest incremental value, and without
					 this page */
};

enum page_end {
	PAGE_GOES_ON,
	PAGE_LAST,    /* the answer says so, or an empty page does */
	PAGE_LIMIT,   /* max_pages of the description */
	PAGE_BAD_NEXT /* what should lead on is no URL of the same origin */
};

/* The state of the next page goes to `to`. */
enum page_end page_next(const struct api_paginate *p, const struct page_facts *f,
			struct buf *to);
/* The parameter that a state adds; false for links, whose state is the whole URL. */
bool page_is_link(const struct api_paginate *p, struct str page);
/* "name=value" pairs, encoded, for the query of a request; nothing for the first page of
 * most kinds. */
void page_add_params(const struct api_paginate *p, struct str page, struct buf *to);
/* A parameter that the state sets, so that the request does not say it twice. */
bool page_sets(const struct api_paginate *p, struct str page, struct str name);
#endif
