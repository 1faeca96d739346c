/*
 * recommend.h - which point of a sweep to take, and how sure one can be of it.
 *
 * The least cost (score_cost()) wins.  Of the thresholds of a detector that cost the
 * least, the middle of the longest run is the safest elsewhere; of several detectors the
 * one whose run covers the largest share of the range of its distances, then the one with
 * the better pairs, then the first.  The interval comes from 1,000 resamples of the bins:
 * where the best threshold and its errors lie in 95 % of them.  Deterministic.
 */
#ifndef CALIBRATE_RECOMMEND_H
#define CALIBRATE_RECOMMEND_H

#include "calibrate/sweep.h"

struct recommendation {
	size_t detector, point; /* in the sweep */
	double cost;
	double price;            /* of a missed state, in duplicates */
	size_t run_from, run_to; /* points of that cost around it, both included */
	double margin;    /* the run's share of the detector's range of distances */
	double low, high; /* of the threshold, 95 % */
	double errors_low, errors_high;
	bool has_interval;
};

/* False when nothing is labelled or swept. */
bool recommend(const struct sweep *sw, double price, struct recommendation *ret);
/* Only among the points of one detector. */
bool recommend_in_detector(const struct sweep *sw, size_t detector, double price,
			   struct recommendation *ret);
/* Fills the interval; measures the detector once more. */
void recommend_interval(const struct sample_set *s, const struct sweep *sw,
			const struct score_options *o, struct recommendation *r);
#endif
