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

#include "engine/state.h"

/* After the journal was replayed. */
void steer_open(struct crawl *c);
void steer_release(struct steer *s);
/* Carry out what is there, for a few milliseconds; true when there is more. */
bool steer_step(struct crawl *c);
/* The same without waiting for its turn: nothing else is left to do. */
bool steer_step_now(struct crawl *c);
/* Nothing is left, but what is injected may still come (--no-discover). */
bool steer_waits(struct crawl *c);
/* The journal of an earlier process. */
must_use enum status steer_restore(struct crawl *c, const struct journal_steered *s,
				   struct diag *why);
#endif
