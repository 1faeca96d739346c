/*
 * importance.h - how much links lead to a page, estimated while the crawl runs (OPIC).
 *
 * Every page has some cash; when it is fetched it hands its cash out evenly over its
 * links.  What waits with much cash is linked from much, and from what is itself linked
 * much: near what PageRank would find, without the whole graph.  (Abiteboul, Preda,
 * Cobena, WWW 2003.)  Bounded: past four million waiting URLs no new one gets any.  The
 * loop thread's.
 */
#ifndef FOCUS_IMPORTANCE_H
#define FOCUS_IMPORTANCE_H

#include "base/map.h"

struct importance {
	struct map cash; /* of URLs that wait, by the low half of their key */
	double total;    /* in all of them */
};

void importance_release(struct importance *i);
/* A page was fetched: its cash, to be handed out.  One that nobody linked to has 1. */
double importance_take(struct importance *i, uint64_t key);
void importance_give(struct importance *i, uint64_t key, double cash);
/* 0.5 for as much as the mean of what waits. */
float importance_score(const struct importance *i, uint64_t key);
#endif
