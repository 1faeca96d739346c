/*
 * demand.h - what somebody outside wants of a crawl: one URL, a pattern, or a command.
 *
 * Plain data with bytes on disk: demands travel through the inbox (inbox.h), from the
 * threads that answer HTTP to the crawl's loop, and from one process to the next.  Pure.
 */
#ifndef CONTROL_DEMAND_H
#define CONTROL_DEMAND_H

#include "base/buf.h"

enum demand_kind {
	DEMAND_URL,       /* fetch it, or move it in the queue */
	DEMAND_BLACKLIST, /* never fetch it, and ignore all later demands for it */
	DEMAND_SCORE,     /* every queued URL that matches: another score */
	DEMAND_DROP,      /* every queued URL that matches: out of the queue */
	DEMAND_HOLD,      /* every queued URL that matches: not before it is scored */
	DEMAND_PAUSE,     /* send no further request */
	DEMAND_RESUME,
	DEMAND_STOP,   /* as the first ^C */
	DEMAND_RELOAD, /* as SIGHUP: read crawl.yaml and the rules again */
	DEMANDS,
};

struct demand {
	uint8_t kind; /* enum demand_kind */
	bool has_score;
	double score;        /* 0 to 1; beyond counts as these */
	int64_t deadline_ms; /* of a URL: of no use after this time; 0: always */
	struct str text;     /* the URL or the regular expression */
};

/* They concern the process that runs, not the crawl: never carried out later. */
static inline bool demand_is_command(unsigned kind)
{
	return kind >= DEMAND_PAUSE;
}

void demand_encode(const struct demand *d, struct buf *to);
/* The next of a block of demands, `text` pointing into it.  ST_AGAIN at its end,
 * ST_CORRUPT when the bytes are not one. */
must_use enum status demand_next(struct str *block, struct demand *ret);
/* Where it stands in the queue: 0 to 255. */
uint8_t demand_priority(const struct demand *d, uint8_t otherwise);
#endif
