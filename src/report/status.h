/*
 * status.h - how a crawl is doing, as lines for a terminal and as JSON for programs.
 *
 * A snapshot of numbers in, text out.  Pure.
 */
#ifndef REPORT_STATUS_H
#define REPORT_STATUS_H

#include "base/buf.h"
#include "frontier/waiting.h"
#include "journal/counts.h"

struct site_census {
	unsigned active, waiting, dead, done;
	unsigned waits[SITE_WAITS]; /* of the waiting */
};

struct crawl_status {
	struct crawl_counts counts;
	struct site_census sites;
	uint64_t queued, held, found, known, in_flight;
	double rate; /* pages per second, lately */
	int64_t time_ms, elapsed_ms;
	bool is_stopping;
	struct str ended; /* why; empty while it runs */
};

/* Three lines, the last without its end. */
void status_format(const struct crawl_status *s, struct buf *to);
/* One object. */
void status_format_json(const struct crawl_status *s, struct buf *to);
#endif
