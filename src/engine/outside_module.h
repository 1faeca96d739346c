/*
 * outside_module.h - a module of the user's that scores links: another process.
 *
 * Each judged page is pushed to it as a JSON line (focus/page_line.h); what it answers is
 * one more score of each link that is still queued, with the weight of "module", and the
 * link moves.  The crawl never waits for it: a page that it cannot take is counted, one
 * that it never answers is forgotten.  It is started again when it ends.  In a simulation
 * alone every answer is waited for, so that the same input gives the same output.  The
 * loop thread's.
 */
#ifndef ENGINE_OUTSIDE_MODULE_H
#define ENGINE_OUTSIDE_MODULE_H

#include "engine/state.h"

struct outside_counts {
	uint64_t sent, answered;
	uint64_t not_taken;  /* pages: it was too slow, or not there */
	uint64_t unanswered; /* pages: no answer came in time */
	uint64_t malformed;  /* lines */
	uint64_t moved, vetoed;
	uint64_t starts;
};

/* ST_SYNTAX when the command cannot be started. */
must_use enum status outside_module_open(struct crawl *c, struct diag *why);
void outside_module_release(struct crawl *c);
/* A judged page whose links were offered. */
void outside_module_push(struct crawl *c, const struct crawl_item *i);
/* NULL when there is none. */
const struct outside_counts *outside_module_counts(const struct crawl *c);
/* Does it judge pages, because the crawl has no terms of its own? */
bool outside_module_judges(const struct crawl *c);
/* Replaying: what a module's score made of a queued URL. */
must_use enum status outside_module_restore(struct crawl *c,
					    const struct journal_steered *s,
					    struct diag *why);
#endif
