/*
 * simulated.h - an annotator who knows the truth and errs now and then.
 *
 * Shows how many answers a threshold needs: the labels of a set answer the questions of a
 * study.  The same seed gives the same answers.
 */
#ifndef ANNOTATE_SIMULATED_H
#define ANNOTATE_SIMULATED_H

#include "annotate/study.h"

struct simulated_options {
	size_t answers;
	double mistakes; /* share of wrong answers */
	uint64_t seed;
};

struct simulated_result {
	struct study_estimate estimate;
	size_t answers;  /* fewer when nothing was left to ask */
	size_t mistakes; /* made */
	double f1;       /* of the estimated threshold on the labelled pairs */
	double best_f1;  /* of the best threshold in hindsight */
};

/* ST_NOT_FOUND when no pair is labelled. */
must_use enum status simulated_run(struct study *s, const struct simulated_options *o,
				   struct simulated_result *ret, struct diag *why);
#endif
