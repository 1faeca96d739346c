/*
 * belief.h - what a few answers of people say about a threshold, and which question next.
 *
 * Pairs lie in cells, from near to far.  Somewhere people stop calling them near: at a
 * cut, more or less sharply, and now and then by mistake (BELIEF_LAPSE).  Every cut with
 * every sharpness is a hypothesis; an answer weighs them anew (Bayes).  The best question
 * is the one whose answer is expected to tell the hypotheses apart the most; the best
 * threshold is the one with the highest expected F1 over all pairs, the unanswered ones
 * too.  Pure; deterministic.
 */
#ifndef ANNOTATE_BELIEF_H
#define ANNOTATE_BELIEF_H

#include "base/base.h"

#define BELIEF_CELLS  128
#define BELIEF_SLOPES 5
#define BELIEF_LAPSE  0.05

struct belief {
	size_t cells;
	double pairs[BELIEF_CELLS]; /* how many lie in each */
	/* Of each hypothesis: the cut is before cell `i`; 0 says that nothing is near. */
	double weight[BELIEF_CELLS + 1][BELIEF_SLOPES];
	size_t answers;
};

struct belief_estimate {
	size_t cut;       /* cells before it are near-duplicates */
	size_t low, high; /* 95 % of the belief lies there, both included */
	double f1;        /* expected */
};

/* Before any answer every cut is as likely as another. */
void belief_init(struct belief *b, const double *pairs, size_t cells);
void belief_add(struct belief *b, size_t cell, bool near);
/* That a pair of this cell is near, in truth. */
double belief_near(const struct belief *b, size_t cell);
/* How many bits an answer to a pair of this cell is expected to tell. */
double belief_information(const struct belief *b, size_t cell);
struct belief_estimate belief_estimate(const struct belief *b);
#endif
