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

/* ST_SYNTAX when the command cannot be started. */
must_use enum status outside_module_open(struct crawl *c, struct diag *why);
void outside_module_release(struct crawl *c);
/* A judged page whose links were offered. */
void outside_module_push(struct crawl *c, const struct crawl_item *i);
/* Does it judge pages, because the crawl has no terms of its own? */
bool outside_module_judges(const struct crawl *c);
/* Replaying: what a module's score made of a queued URL. */
must_use enum status outside_module_restore(struct crawl *c,
					    const struct journal_steered *s,
					    struct diag *why);
#endif
