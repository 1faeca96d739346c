/*
 * learn.h - from clusters to few, proved rules in their order.
 *
 * offers of every training cluster -> candidates offered often enough ->
 * rules that hold on the validation set -> without redundant ones -> by support.
 *
 * With `families` this happens twice: operations are learnt first, then
 * rewrites from URLs as the operations leave them.  A rule loses the sites
 * that contradict it instead of dying of them, and an operation that at least
 * `universal_sites` sites confirm becomes universal, when the share of sites
 * against it is within `fpr_max`, or so small that the evidence is no weaker
 * than that many sites alone; the sites against it are its exceptions.
 *
 * `known` are operations that are believed before anything was learnt, such as
 * those that ship with Thresh.  They need no cluster to offer them; they are
 * tried like all others, sites against them become exceptions, and one that has
 * more sites against it than for it is dropped.
 */
#ifndef LEARN_LEARN_H
#define LEARN_LEARN_H

#include "align/candidates.h"
#include "align/offer.h"
#include "align/url_set.h"
#include "learn/validate.h"

enum learn_method {
	LEARN_DUSTLIN,
	LEARN_DUSTER,
	LEARN_FANOUT,
	LEARN_TREE,
};

struct learn_options {
	enum learn_method method;
	struct offer_options offer;
	bool families; /* beyond the seed; `offer.what` is then chosen here */
	uint64_t min_freq, min_support; /* 0: by the data, learn_set_least() */
	double fpr_max;
	bool doubt;             /* labels are evidence, not truth; with `families` */
	double noise;           /* of labels, with `doubt`; 0: estimated */
	size_t universal_sites; /* 0: no rule becomes universal */
	unsigned threads;
	const uint8_t *role;          /* of each cluster; NULL: all train and validate */
	const struct rule_set *known; /* with `families`; NULL: none */
};

struct learn_report {
	size_t candidates, valid, kept;
	double noise; /* of labels, as estimated; 0 when nobody asked */
	double offer_s, validate_s, prune_s;
	double offer_cpu_s; /* of all threads */
};

/*
 * Choose the method; `families` as in the options.  The baselines have no threshold of
 * frequency, and nothing beyond the seed.
 */
void learn_set_method(struct learn_options *o, enum learn_method method, bool families);
/*
 * Thresholds that were left open: 2 clusters, and one more for each tenfold above a
 * thousand that have several URLs, since the more there are, the more agree by chance.
 * With doubt each pair is weighed, and one is enough to be.
 */
void learn_set_least(struct learn_options *o, size_t clusters);
void learn(const struct url_set *urls, const struct learn_options *options,
	   struct rule_set *ret, struct learn_report *report);

/* The steps by themselves, for the map-reduce jobs. */
void learn_candidates(const struct url_set *urls, const struct learn_options *options,
		      struct candidates *ret);
/* What is known joins the candidates of the first round. */
void learn_add_known(const struct rule_set *known, struct rule_set *candidates);
#endif
