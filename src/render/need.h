/*
 * need.h - does a page need a browser?  Evidence in its bytes.
 *
 * A page is looked at as it was fetched: how much it says, how much of it is script, and
 * the marks of pages that are made by scripts.  That gives a need.  How much need is
 * enough is learnt (learned.h).  Pure.
 */
#ifndef RENDER_NEED_H
#define RENDER_NEED_H

#include "base/buf.h"
#include "record/page.h"

enum render_need {
	NEED_ANY,       /* every HTML page has as much */
	NEED_SCRIPTS,   /* scripts, and nothing says that they show anything */
	NEED_SIGNS,     /* scripts that ask the server, or an element for them to fill */
	NEED_LIKELY,    /* it shows little without them, or says so */
	NEED_NEVER,     /* more than any page can need */
	NEED_ONLY_SEEN, /* likewise; its need is looked at nevertheless */
};

struct render_features {
	uint32_t text_bytes, links; /* that a reader sees; to other pages */
	uint32_t scripts, inline_bytes;
	bool empty_mount;  /* an element for an application to fill, and it is empty */
	bool says_so;      /* <noscript> asks for JavaScript */
	bool hydration;    /* data for a script to show */
	bool builds;       /* an inline script makes elements */
	bool asks;         /* ... or asks the server */
	bool search;       /* scripts are asked for by a page with a search field */
	bool has_handlers; /* onclick= and its like, or links to javascript: */
};

/* Of a page and its decoded bytes. */
void render_features_of(struct str html, const struct page *p,
			struct render_features *ret);
enum render_need render_need_of(const struct render_features *f);
/* "212 bytes of text, 1 link, 2 scripts, empty mount point", for people. */
void render_features_format(const struct render_features *f, struct buf *to);
#endif
