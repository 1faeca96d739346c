/*
 * event.h - something that happened in a crawl, for whoever watches it.
 *
 * Each kind has a subsystem and a severity (one table); every event is counted, whether
 * anybody wants to see it or not.  Pure.
 */
#ifndef CONTROL_EVENT_H
#define CONTROL_EVENT_H

#include "base/buf.h"

enum event_kind {
	EVENT_PAGE,    /* an answer was judged */
	EVENT_SKIP,    /* another URL stands for the page */
	EVENT_REFUSAL, /* not wanted or not allowed, when found or when due */
	EVENT_RETRY,   /* an attempt failed for a reason that may pass */
	EVENT_ERROR,   /* no attempt is left */
	EVENT_RULE,    /* a URL rule was learnt, proved or retracted */
	EVENT_TRAP,    /* refused for the form of its URL */
	EVENT_HOST,    /* a host was reached, denied, paused or given up */
	EVENT_LIMIT,   /* a limit of the whole crawl */
	EVENT_COMMIT,  /* all before it is on disk */
	EVENT_CONTROL, /* somebody steers */
	EVENT_KINDS,
};

struct event_traits {
	struct str word, subsystem;
	int severity; /* of syslog, RFC 5424 6.2.1: 3 error, 4 warning, 5 notice, 6 info
		       */
};

extern const struct event_traits event_table[EVENT_KINDS];

/* Empty strings and zeros are left out. */
struct event {
	enum event_kind kind;
	int64_t time_ms;
	struct str url;
	struct str word;   /* verdict, reason or state */
	struct str detail; /* the representative, the rule, the cause */
	int code;
	uint64_t bytes, ms, count;
};

/* One JSON object. */
void event_format(const struct event *e, struct buf *to);
/* "page,skip" to a set of bits; ST_SYNTAX names the word that is none. */
must_use enum status event_kinds_parse(struct str words, unsigned *ret, struct diag *why);
/* A message of RFC 5424, whose MSG is `json`. */
void event_format_syslog(const struct event *e, struct str host, long pid,
			 struct str json, struct buf *to);
#endif
