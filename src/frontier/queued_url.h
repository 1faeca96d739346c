/*
 * queued_url.h - a task as it lies in the queue of its site: as few bytes as
 * possible.
 *
 * The site's origin is known, so the URL is its path and query; the page it was
 * found on usually begins the same way, so that is the length of what they share
 * and the rest.  The seed it descends from is a number.  Pure.
 */
#ifndef FRONTIER_QUEUED_URL_H
#define FRONTIER_QUEUED_URL_H

#include "base/arena.h"
#include "record/fetch.h"

struct queued_url {
	struct str url; /* whole */
	struct str via;
	struct str hops;
	uint32_t source;
	uint32_t depth;
	uint8_t off_hops;
	uint8_t attempt;
	uint8_t purpose;   /* enum purpose */
	struct str scores; /* how its score was made (focus/); empty for none */
	bool is_again;     /* it was held as one whose page is known under another URL */
};

/* `origin_bytes` of the URL are the site's. */
void queued_url_encode(const struct queued_url *q, size_t origin_bytes, struct buf *to);
/* Strings live in `a`.  ST_CORRUPT when the bytes are not one. */
must_use enum status queued_url_decode(struct str in, struct str origin, struct arena *a,
				       struct queued_url *ret);
#endif
