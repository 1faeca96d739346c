/*
 * sweep.h - every detector at every threshold, on stored samples.
 *
 * Distances of a detector are measured once; each of its thresholds is then a simulation
 * of the graph and a bisection among the labelled pairs.  Ways are shared out to threads;
 * the result does not depend on their number.
 */
#ifndef CALIBRATE_SWEEP_H
#define CALIBRATE_SWEEP_H

#include "calibrate/score.h"

struct sweep_options {
	struct score_options score;
	size_t steps; /* thresholds per detector that names none */
	unsigned threads;
	/* Called now and then by the first thread; false stops.  NULL: none. */
	bool (*progress)(void *ctx, size_t done, size_t detectors);
	void *ctx;
};

struct sweep_point {
	double threshold; /* in the measure of the detector */
	struct score score;
};

struct swept_detector {
	const struct detector *detector;
	struct sweep_point *v; /* nearest first: from strict to loose */
	size_t n;
	uint64_t measured; /* pairs of fingerprints that were compared */
	double measure_us; /* per pair of fingerprints, with making them */
};

struct sweep {
	struct swept_detector *v; /* in the order of the detectors */
	size_t n;
	size_t points;
	uint64_t measured;
};

/* `detectors` must outlive the sweep.  ST_CANCELLED when `progress` said so. */
must_use enum status sweep_run(const struct sample_set *s,
			       const struct detector_list *detectors,
			       const struct sweep_options *o, struct sweep *ret,
			       struct diag *why);
void sweep_release(struct sweep *s);
/*
 * The thresholds to try, as distances, ascending: those of the detector, or `steps` of
 * the places between the distances that occur.  To be freed.
 */
float *sweep_thresholds(const struct sample_set *s, const struct detector *w,
			const struct distances *d, size_t steps, size_t *ret_n);
#endif
