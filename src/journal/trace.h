/*
 * trace.h - what happened to the loop of a crawl, in order: whatever its decisions depend
 * on and the answers do not say.
 *
 * With many requests in flight it is chance which answer comes first, and when.  The
 * loop writes each such event down, with the time by which it decided; whoever lets the
 * same events happen again in the same order gets the same decisions
 * (`thresh crawl --replay`).  Events travel in JOURNAL_TRACE records, a few bytes each.
 * Pure.
 */
#ifndef JOURNAL_TRACE_H
#define JOURNAL_TRACE_H

#include "base/buf.h"

enum trace_kind {
	TRACE_START,    /* a process began */
	TRACE_NEXT,     /* the frontier was asked for the next step */
	TRACE_QUIET,    /* of that step: nothing was on its way any more */
	TRACE_RESOLVED, /* a name was resolved, or not */
	TRACE_ANSWER,   /* a request was answered, or failed */
	TRACE_DEFERRED, /* a request was not sent: its host asked for a pause */
	TRACE_JUDGED,   /* the links of an answer were decided */
	TRACE_LEARN,    /* the rules learnt from the answers so far */
	TRACE_LINES,    /* lines that belong to no page were handed to the writer */
	TRACE_STOP,     /* somebody stopped it: a signal, the disk, the time */
	TRACE_ABORT,    /* requests in flight were given up */
	TRACE_BLIND,    /* something happened that is not written down: see blind */
	TRACE_KINDS,
};

enum trace_outcome {
	TRACE_NO_ADDRESS,
	TRACE_NO_ADDRESS_YET, /* the resolver had trouble */
	TRACE_ADDRESS,
	TRACE_ADDRESS_BUSY, /* another crawler has it */
	TRACE_OUTCOMES,
};

/* Why what follows cannot happen again. */
enum trace_blind {
	BLIND_SEEN_ON_DISK, /* the seen set answers late, when its merge is done */
	BLIND_SETTINGS,     /* crawl.yaml was read again */
	BLIND_REVISITS, /* pages are requested again, which old bodies are compared with
			 */
	BLIND_CONTROL,  /* somebody changed the queue from outside */
	BLIND_BROWSER,  /* what a browser makes of a page is not in the archive */
	BLINDS,
};
extern const char *const trace_blind_words[BLINDS];

struct trace_event {
	uint8_t kind;     /* enum trace_kind */
	int64_t time_ms;  /* by the clock of the frontier */
	uint64_t request; /* its number, from 0; of a name: how many were resolved before
			   */
	uint8_t outcome;  /* of a name: enum trace_outcome */
	uint8_t ip[16], ip_bytes;
	int code; /* of an answer; of a stop: how it ends */
	uint8_t cause, truncated;
	bool sets_cookie; /* it is worth another request with the cookie that came */
	uint32_t duration_ms, retry_after_ms;
	uint64_t wire_bytes;
	struct str error; /* of an answer, for people; borrowed */
	uint8_t blind;    /* enum trace_blind */
};

/* `*last_ms` is the time of the event before, 0 for the first of a record. */
void trace_event_add(struct buf *to, const struct trace_event *e, int64_t *last_ms);
/* The next of a record; false at its end, and for what is no event. */
bool trace_event_take(struct str *in, int64_t *last_ms, struct trace_event *ret);
#endif
