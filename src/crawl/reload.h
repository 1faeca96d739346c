/*
 * reload.h - crawl.yaml changed: limits, politeness, seeds and scope are taken over,
 * and what was decided by the old scope is decided again.
 *
 * On SIGHUP, and when a crawl goes on with another scope than it had.  What waits in
 * the queue and is out of scope now is dropped; what was refused, or dropped so, and is
 * in scope now comes back.  Both are in journal and ledger.  Owned by the loop thread.
 */
#ifndef CRAWL_RELOAD_H
#define CRAWL_RELOAD_H

#include "crawl/crawl.h"

/* SIGHUP: read the file; a broken one changes nothing. */
void reload_settings(struct crawl *c);
/* Every turn: look at old decisions once the journal on disk has them all. */
void reload_step(struct crawl *c);
/* When a crawl goes on: was the scope another one? */
must_use enum status reload_begin(struct crawl *c, struct diag *why);
/* For the `begin` record: a hash of what decides the scope; never 0. */
uint64_t scope_hash(const struct crawl_settings *s, const struct str_list *seeds);
#endif
