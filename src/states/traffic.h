/*
 * traffic.h - what the browser asked and got, as WARC with its index.
 *
 *   DIR/archive/states-*.warc.gz   DIR/indexes/index.cdxj
 *
 * Every request of the tab, of its frames and workers over HTTP: the answer with
 * its body as DevTools gives it (browser/exchange.h), the request, and metadata.  A
 * body met before at the same URL becomes a revisit.  Written before the event that
 * caused it is logged; what a killed crawl had not logged is cut off on resumption,
 * so that nothing is there twice.  Past the cap nothing more is written, and counted.
 */
#ifndef STATES_TRAFFIC_H
#define STATES_TRAFFIC_H

#include "archive/archive.h"
#include "base/map.h"
#include "browser/tab.h"

struct traffic_position {
	struct archive_position archive;
	uint64_t bytes; /* written in all, before the index */
};

struct traffic_origin {
	struct str url;
	int64_t date_ms;
	struct record_id id;
};

struct traffic {
	struct archive archive;
	struct encoder encoder;
	struct capture capture;
	struct traffic_position at;
	uint64_t max_bytes;
	struct map seen; /* of URL and body -> index + 1 in `origins` */
	struct traffic_origin *origins;
	size_t origin_count, origin_cap;
	struct arena memory;
	uint64_t exchanges, revisits, skipped;
	bool open, dirty;
};

/* `max_bytes` 0: nothing is recorded, and every function is harmless. */
must_use enum status traffic_open(struct traffic *ret, const char *dir,
				  uint64_t max_bytes, const struct traffic_position *at,
				  struct diag *why);
/* Write what the tab has finished since the last time. */
must_use enum status traffic_take(struct traffic *t, struct tab *tab, struct diag *why);
/* A state that is new: a line of DIR/pages.jsonl, where it has an address of the web. */
must_use enum status traffic_add_page(struct traffic *t, struct str url, struct str title,
				      struct diag *why);
/* Make it last; true in `ret_moved` when the position changed since the last time. */
must_use enum status traffic_commit(struct traffic *t, bool *ret_moved, struct diag *why);
/* Finish the files: the index is sorted. */
must_use enum status traffic_close(struct traffic *t, struct diag *why);
/* Leave the files as they are. */
void traffic_release(struct traffic *t);

void traffic_position_encode(const struct traffic_position *p, struct buf *to);
must_use enum status traffic_position_decode(struct str *in,
					     struct traffic_position *ret);
#endif
