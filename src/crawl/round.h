/*
 * round.h - asking again: the pages that are due go back into the queue, and each
 * is compared with what it was.
 *
 * A round begins with a `begin` record marked BEGIN_ROUND: limits count from there.
 * What it queues stands in the journal as links of purpose `revisit`, so that a
 * round which is killed goes on.  Owned by the loop thread.
 */
#ifndef CRAWL_ROUND_H
#define CRAWL_ROUND_H

#include "crawl/crawl.h"

/* Once the writer runs: the table, if anybody needs it; what is due is queued. */
must_use enum status round_begin(struct crawl *c, struct diag *why);
/* Before a revisit is asked for: what it was last time, and the conditions. */
void round_prepare(struct crawl *c, struct crawl_item *i);
/* Nothing is left to ask: begin the next round, or wait for it; false to end. */
bool round_idle(struct crawl *c);
/* It was written: when is it due again? */
void round_done(struct crawl *c, const struct crawl_item *i);
#endif
