/*
 * final_sweep.h - before a crawl says that nothing is left to fetch: was anything skipped
 * for a page that never came?
 *
 * A skip names a URL that stood for its page at that time, by the rules of that time.
 * That URL may have been skipped itself, held, dropped or forgotten since, and the rules
 * may have changed: which URL answers for a skip is only certain when no more answers
 * come.  So at the end, once, every skip is matched with every answer under the rules
 * that are proved by then, and one URL of each page that nobody answered for is queued.
 * Takes a commit, so that the journal is whole, and a reading of it.  The loop thread's.
 */
#ifndef CRAWL_FINAL_SWEEP_H
#define CRAWL_FINAL_SWEEP_H

#include <stdbool.h>

struct crawl;

/* Nothing is left to fetch: true when there may be, and it is to be called again. */
bool final_sweep(struct crawl *c);
#endif
