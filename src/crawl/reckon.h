/*
 * reckon.h - before a crawl says that nothing is left to ask: was anything skipped for a
 * page that never came?
 *
 * The journal knows every answer, the rules every skip.  One URL of each page that
 * nobody answered for is queued, and counts as a page that nobody asked for.  Takes a
 * commit, so that the journal is whole, and a reading of it.  Owned by the loop thread.
 */
#ifndef CRAWL_RECKON_H
#define CRAWL_RECKON_H

#include <stdbool.h>

struct crawl;

/* Nothing is left to ask: true when there may be, and it is to be called again. */
bool reckon(struct crawl *c);
#endif
