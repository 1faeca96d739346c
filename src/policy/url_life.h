/*
 * url_life.h - the life of a URL, as one machine.
 *
 *             refuse ┌───────────┐ queue (nearer way, new scope)
 *          ┌────────▶│  refused  │─────────┐
 *          │         └───────────┘         ▼         hold
 *   found ─┼───────────────────────────▶ queued ◀────────────▶ held
 *          │         ┌───────────┐  return ▲ │ ▲   release
 *          └────────▶│  skipped  │─────────┘ │ │ retry, put back
 *             skip   └───────────┘      send │ │
 *                                            ▼ │
 *                    answered, gone ◀──── in flight ────▶ failed ──▶ queued once more
 *
 * The journal records the events, each with its purpose and reason; whoever reads it
 * (replay, audit, why, report) applies this table.  Two invariants hold at the end of a
 * crawl and are checked there (journal/audit.h):
 *   1. every URL found is in a final state;
 *   2. every skip names a URL that was answered, or whose own end is reported.
 * Only requests for pages count (purpose_is_page): a revisit or a probe is another visit
 * of a URL, not another life.  Pure.
 */
#ifndef POLICY_URL_LIFE_H
#define POLICY_URL_LIFE_H

#include "base/base.h"

enum url_state {
	URL_UNKNOWN,   /* nobody has found it */
	URL_FOUND,     /* found; the seen set on disk has not answered yet */
	URL_REFUSED,   /* final: not wanted or not allowed, when found or when due */
	URL_SKIPPED,   /* final: another URL stands for its page */
	URL_QUEUED,    /* waits for its turn */
	URL_HELD,      /* waits until its template has earned a request */
	URL_IN_FLIGHT, /* requested */
	URL_ANSWERED,  /* final: a page, or a redirect */
	URL_GONE,      /* final: the server has no such page, or not for us */
	URL_FAILED,    /* final unless a last attempt follows: no answer, or a 5xx */
	URL_STATES,
};

enum url_event {
	URL_EVENT_UNDECIDED, /* found, and only the disk knows whether it is new */
	URL_EVENT_REFUSE,
	URL_EVENT_SKIP,
	URL_EVENT_QUEUE,
	URL_EVENT_HOLD,
	URL_EVENT_RELEASE,
	URL_EVENT_SEND,
	URL_EVENT_PUT_BACK, /* nothing was sent: its host asked for a pause */
	URL_EVENT_RETRY,
	URL_EVENT_ANSWER,
	URL_EVENT_GONE,
	URL_EVENT_FAIL,
	URL_EVENTS,
};

extern const char *const url_state_names[URL_STATES];
extern const char *const url_event_names[URL_EVENTS];

/* What becomes of a URL; URL_STATES when the event cannot happen in this state. */
enum url_state url_life_next(enum url_state state, enum url_event event);
bool url_state_is_final(enum url_state state);
#endif
