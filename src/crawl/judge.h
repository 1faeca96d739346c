/* judge.h - is what an item brought new?  Part of the writer. */
#ifndef CRAWL_JUDGE_H
#define CRAWL_JUDGE_H

#include "crawl/writer.h"

/*
 * Fills form, origin, verdict and novelty.  The same bytes as a stored body make a
 * revisit; a near-duplicate is stored whole and only said to be one.
 */
must_use enum status judge_item(struct writer *w, struct crawl_item *i, struct diag *why);
/* The same number for pages that say the same, as far as this verdict of the page
 * at `url` knows; 0: nothing can be said. */
uint64_t verdict_content(const struct verdict *v, struct str url);
#endif
