/*
 * rendering.h - what a browser made of a page.
 *
 * Made by render/, taken apart by a worker as any page.  Owned by one thread at a time,
 * with the item that it belongs to.
 */
#ifndef RECORD_RENDERING_H
#define RECORD_RENDERING_H

#include "base/arena.h"
#include "base/buf.h"

#define RENDERED_URLS_MAX 20000

enum render_end {
	RENDER_DONE,
	RENDER_FAILED,    /* the page crashed or hung, twice: `why` says how */
	RENDER_CANCELLED, /* the crawl ends */
	RENDER_SKIPPED,   /* others of its template brought nothing meanwhile */
};

/* A URL that the page used or named, as the browser had it: absolute. */
struct rendered_url {
	struct str url;
	uint8_t hop; /* enum hop, record/fetch.h */
};

struct rendering {
	struct buf dom;     /* the document as HTML in UTF-8, shadow trees in place */
	struct buf plain;   /* the document as received; empty: the item has it */
	struct buf picture; /* PNG; empty when none was wanted */
	struct rendered_url *urls;
	size_t n_urls, urls_cap;
	struct arena text; /* of the URLs */
	uint32_t requests; /* that left the page */
	uint32_t refused;  /* of them */
	uint32_t scrolls, clicks;
	uint32_t presses, presses_paid; /* of what listens; that led somewhere */
	uint32_t duration_ms;
	uint8_t end; /* enum render_end */
	struct diag why;
};

void rendering_free(struct rendering *r);
/* Past RENDERED_URLS_MAX nothing is added. */
void rendering_add_url(struct rendering *r, struct str url, uint8_t hop);
#endif
