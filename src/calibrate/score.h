/*
 * score.h - what a crawl with this threshold would have made of the samples.
 *
 * The state-flow graph of each site is simulated exactly as states/simulate.h decides
 * (the nearest kept state within the threshold absorbs, the earliest wins a tie), from
 * distances measured before.  A state is missed when no state of its bin is kept (a false
 * positive of the detection); it is a duplicate when its bin has one already (a false
 * negative).  Each counts one, as in the seed.  Pure.
 */
#ifndef CALIBRATE_SCORE_H
#define CALIBRATE_SCORE_H

#include "calibrate/distances.h"

struct score {
	uint32_t samples, kept, merged;
	uint32_t bins;           /* labelled */
	uint32_t missed;         /* bins without a kept sample */
	uint32_t duplicates;     /* kept samples beyond the first of their bin */
	uint32_t missed_samples; /* samples of the missed bins */
	uint32_t edges;          /* transitions whose source was met */
	uint32_t explored;       /* transitions from kept states: what would be fired */
	uint32_t transitions;
	uint64_t pairs_found, pairs_wrong, pairs_lost; /* near and said so; not near but
							  said so; near, not said */
	uint64_t pairs;                                /* labelled */
};

struct score_options {
	/* What follows a merged state is lost, as in Crawljax; otherwise it counts from
	 * the state that absorbed it. */
	bool merged_is_silent;
};

/* Reused between points. */
struct score_work {
	uint32_t *absorbed_by, *kept, *in_bin;
	size_t cap, bin_cap;
};

void score_work_release(struct score_work *w);
/* One site at a distance; adds to `ret`.  w->absorbed_by is by sample of the site. */
void score_site(const struct sample_set *s, size_t site, const struct distances *d,
		float threshold, const struct score_options *o, struct score_work *w,
		struct score *ret);
/* All sites. */
void score_all(const struct sample_set *s, const struct distances *d, float threshold,
	       const struct score_options *o, struct score_work *w, struct score *ret);

/* Labelled pairs, nearest first: the pair counts of any threshold by bisection. */
struct pair_curve {
	float *distance;
	uint32_t *near; /* near pairs among the first i + 1 */
	size_t n, cap;
	uint64_t all_near;
};

void pair_curve_make(const struct sample_set *s, const struct distances *d,
		     struct pair_curve *ret);
void pair_curve_release(struct pair_curve *c);
void pair_curve_at(const struct pair_curve *c, float threshold, struct score *ret);

/* What a score is worth, by name: the columns of every report. */
struct metric {
	const char *name;
	const char *about;
	bool less_is_better;
	double (*value)(const struct score *s);
};

extern const struct metric metrics[]; /* ended by a NULL name */
const struct metric *metric_find(struct str name);
/* Missed states count `price` each, duplicates one: the knob of a recommendation. */
double score_cost(const struct score *s, double price);
#endif
