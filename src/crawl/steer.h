/*
 * steer.h - what somebody outside demands of the crawl while it runs.
 *
 * Demands come through the inbox (control/inbox.h), in order, and are carried out by the
 * loop between other things, a few milliseconds at a time: URLs are queued or moved,
 * blacklisted, scored, held or dropped by pattern; the crawl is paused, resumed, stopped.
 * Every change is in the journal, and so is how far the inbox was read: a process that
 * dies does nothing twice and forgets nothing.  The loop thread's.
 */
#ifndef CRAWL_STEER_H
#define CRAWL_STEER_H

#include "base/map.h"
#include "control/inbox.h"
#include "journal/journal.h"
#include "policy/pattern_list.h"

struct crawl;

/* How far a demand by pattern has come: all that was ever queued is in the journal. */
struct pattern_walk {
	bool is_on;
	bool is_reading; /* the journal is whole up to where it began */
	struct demand demand;
	struct pattern_list pattern;
	struct segment_cursor journal;
	uint64_t end, matched;
};

struct steer {
	struct inbox_reader inbox;
	bool is_open;
	uint64_t position; /* of the journal's last STEER_READ */
	struct buf block;  /* being carried out */
	struct str rest;   /* of it */
	bool is_old;       /* it was there before this process */
	int64_t next_look_ms;
	struct map deadlines; /* key of a queued URL -> ms */
	struct map blacklist; /* hash of a URL */
	struct pattern_walk walk;
	bool is_paused;
	uint64_t injected, moved, ignored, dropped, held; /* since the process began */
	uint64_t malformed;
};

/* After the journal was replayed. */
void steer_open(struct crawl *c);
void steer_release(struct steer *s);
/* Carry out what is there, for a few milliseconds; true when there is more. */
bool steer_step(struct crawl *c);
/* The same without waiting for its turn: nothing else is left to do. */
bool steer_step_now(struct crawl *c);
/* Nothing is left, but what is injected may still come (--no-discover). */
bool steer_waits(struct crawl *c);
/* Its deadline has passed; it is due now, or not at all. */
bool steer_is_expired(struct crawl *c, struct u128 key);
bool steer_is_blacklisted(const struct crawl *c, struct u128 hash);
/* The journal of an earlier process. */
must_use enum status steer_restore(struct crawl *c, const struct journal_steered *s,
				   struct diag *why);
#endif
