/*
 * politeness.h - when may this be asked again?
 *
 * A lane is anything that may be asked only so often: a host, a pay-level
 * domain, an IP address, a group the operator made.  A request needs all its
 * lanes at once.  Pure: the clock and the randomness are parameters.  Times are
 * wall clock (ms since 1970), so that a lane written to disk is still right
 * after a restart; when the clock was set back, no wait gets longer than it was when
 * it began.  Not thread-safe: the loop thread owns every lane.
 */
#ifndef FRONTIER_POLITENESS_H
#define FRONTIER_POLITENESS_H

#include "base/buf.h"
#include "base/rng.h"

struct politeness {
	uint32_t at_once;            /* requests in flight; 0 means no limit */
	double factor;               /* wait this many times the last response time ... */
	uint32_t min_ms, max_ms;     /* ... but within these */
	uint32_t crawl_delay_max_ms; /* robots' Crawl-delay is obeyed up to this */
	uint32_t retry_after_max_ms; /* so is Retry-After */
	uint32_t backoff_ms; /* first wait after an error; doubles with each more */
	uint32_t backoff_max_ms;
};

struct lane {
	int64_t next_ms;   /* no request starts before */
	int64_t closed_ms; /* nor is one that was started sent: the host has said so */
	uint32_t wait_ms;  /* how long the wait until next_ms was when it began */
	uint32_t in_flight;
	uint32_t crawl_delay_ms; /* as robots.txt says; 0 when it does not */
	uint32_t smooth_ms;      /* moving average of the response time */
	uint16_t troubles;       /* in a row: 429, 503, broken connections */
	bool has_answered;       /* ever */
};

/* What an answer means for its lanes. */
enum answer_kind {
	ANSWER_FINE,    /* anything the server is not in trouble with */
	ANSWER_TROUBLE, /* 429, 503, connection refused or lost, time out */
};

struct answer {
	int64_t end_ms; /* when the last byte came */
	uint32_t duration_ms;
	uint32_t retry_after_ms; /* 0 when not said */
	uint32_t backoff_max_ms; /* 0: as the lane's rules say */
	uint8_t kind;            /* enum answer_kind */
	bool is_silent;          /* nobody answered: refused, lost, no answer in time */
};

/*
 * The earliest time at which `l` lets a request start; INT64_MAX while it has
 * as many in flight as it may.
 */
int64_t lane_ready_ms(struct lane *l, const struct politeness *p, int64_t now_ms);
/* A request starts; the lane must be ready. */
void lane_start(struct lane *l, const struct politeness *p, int64_t now_ms);
/* Whether one that was started a while ago may still be sent. */
bool lane_may_send(const struct lane *l, int64_t now_ms);
/* It ended, in whatever way. */
void lane_stop(struct lane *l, const struct politeness *p, const struct answer *a,
	       struct rng *random);
/* It ended before anything was sent. */
void lane_cancel(struct lane *l);
/* After a restart: whatever was in flight may have just ended. */
void lane_resume(struct lane *l, const struct politeness *p, int64_t now_ms);

/* The wait between two requests when nothing is wrong. */
uint32_t politeness_delay_ms(const struct politeness *p, const struct lane *l,
			     uint32_t duration_ms);
#endif
