/*
 * search.h - the best point of a grid without trying all of it.
 *
 * A point is a detector and one of its thresholds; its cost is score_cost().  Points are
 * scored when first asked for and remembered, so `evaluations` counts different points.
 * What is found depends on the seed alone.
 *   grid     every detector from strict to loose, until it got worse four times in a row
 *   random   points drawn without replacement
 *   genetic  families, sizes and thresholds are crossed and changed (the seed's 14.2)
 *   halving  all detectors on an eighth of the samples, the better half on a quarter ...
 */
#ifndef CALIBRATE_SEARCH_H
#define CALIBRATE_SEARCH_H

#include "calibrate/recommend.h"

enum search_by { SEARCH_GRID, SEARCH_RANDOM, SEARCH_GENETIC, SEARCH_HALVING };

#define SEARCH_WORDS "grid|random|genetic|halving"

struct search_options {
	enum search_by by;
	struct score_options score;
	size_t steps;    /* thresholds per detector that names none */
	size_t budget;   /* evaluations; 0: a tenth of the grid */
	size_t patience; /* genetic: generations without a better one; 0: 40 */
	double price;
	uint64_t seed;
	unsigned threads;
};

struct search_result {
	size_t detector; /* in the list */
	double threshold;
	double cost;
	struct score score;
	size_t evaluations, points; /* tried, and in the whole grid */
	uint64_t comparisons;       /* pairs of fingerprints measured */
	size_t best_after;          /* evaluations until it was found */
};

/* False when nothing is labelled or the grid is empty. */
bool search_run(const struct sample_set *s, const struct detector_list *grid,
		const struct search_options *o, struct search_result *ret);
/*
 * A part of the samples: of each bin the first, of the others one in so many; of pairs
 * and small sites one in so many.  Without transitions and grades.  The strings are those
 * of `s`; the caller releases only `ret`.
 */
void samples_part(const struct sample_set *s, unsigned one_in, uint64_t seed,
		  struct sample_set *ret);
#endif
