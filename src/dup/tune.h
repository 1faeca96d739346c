/*
 * tune.h - a threshold from labelled pairs, and how sure one can be of it.
 *
 * Pure arithmetic over measures and labels; who makes the measures is the
 * caller's business.
 */
#ifndef DUP_TUNE_H
#define DUP_TUNE_H

#include "base/str.h"

struct tune_pair {
	double measure;
	bool near; /* the label */
};

struct tune_point {
	double threshold, precision, recall, f1;
};

struct tune_result {
	struct tune_point best; /* on all pairs */
	double held_out_f1; /* thresholds chosen on four fifths, judged on the fifth */
	double f1_low, f1_high; /* 95 % of 1,000 resamples at the best threshold */
};

/* Quality at one threshold. */
struct tune_point tune_at(const struct tune_pair *v, size_t n, bool smaller_is_nearer,
			  double threshold);
/* The order of `v` does not matter; it is left as it is. */
struct tune_result tune(const struct tune_pair *v, size_t n, bool smaller_is_nearer);
#endif
