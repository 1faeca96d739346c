/*
 * doubt.h - how sure a rule is, when the labels it is judged by may be wrong.
 *
 * A rule joins URLs; each join is right or wrong by the labels of the clusters.  A good
 * rule joins different pages in a share of `fpr` at most, and its joins are called wrong
 * as often as labels of one page disagree, which is `noise`.  The joins of a bad rule
 * are mostly wrong: their rate is drawn from Beta(4, 1).  What is known before the joins
 * are counted is the odds of the rule's kind.  All numbers are estimates of the data at
 * hand or stand in the table of kinds in doubt.c.
 *
 * Pure.
 */
#ifndef LEARN_DOUBT_H
#define LEARN_DOUBT_H

#include "dust/rule.h"

/* What a rule did at one site. */
struct joins {
	uint64_t right, wrong; /* URLs joined to the first of their key */
	uint64_t sources;      /* clusters that the right ones come from */
};

struct doubt {
	double noise; /* share of the joins of one page that labels call wrong */
	double fpr;   /* wrong joins that are allowed beside */
};

/* A rule is believed at a site when it is bad with this probability at most. */
#define DOUBT_BAD_MAX 0.1

/* Odds that the rule is good before anything is counted. */
double doubt_prior(const struct rule *r, bool known);
/* How much more likely the joins are of a good rule than of a bad one.  Joins of one
 * cluster are hardly more than one: a wrong label makes all of them. */
double doubt_ratio(const struct doubt *d, const struct joins *j);

/*
 * Fetches that must have found what a rule promises, and none anything else, until the
 * rule is bad with this probability at most.
 */
unsigned doubt_proofs(double prior);

#define DOUBT_PROVED_BAD 0.05
#define DOUBT_PROOFS_MAX 32

/* What the noise is estimated from: joins of rules that are good nearly everywhere. */
struct noise_sample {
	struct joins *v;
	size_t n, cap;
	uint64_t agreed, disagreed; /* labels of URLs that stand in several clusters */
};

void noise_sample_release(struct noise_sample *s);
/* By expectation and maximisation; small samples give nearly DOUBT_NOISE_LEAST. */
double noise_estimate(const struct noise_sample *s);

#define DOUBT_NOISE_LEAST 0.01
#define DOUBT_NOISE_MOST  0.7

static inline double odds_to_share(double odds)
{
	return odds / (1 + odds);
}
#endif
