/*
 * distances.h - how far all samples of a site are from each other, measured once.
 *
 * Every threshold of a detector is answered from the same numbers.  They are kept as
 * distances: smaller is nearer, similarities are negated (distance_of()), so that one
 * comparison serves all detectors.  A pair that a method cannot compare is infinitely
 * far. Samples with equal fingerprints are measured once.  A zeroed struct is empty;
 * owned by one thread, reused for the next detector.
 */
#ifndef CALIBRATE_DISTANCES_H
#define CALIBRATE_DISTANCES_H

#include "calibrate/detector.h"

struct distances {
	float *v;       /* of each site: n * n, symmetric */
	size_t *offset; /* of each site in v */
	size_t n, cap;
	uint64_t measured; /* pairs that were really measured */
};

void distances_make(const struct sample_set *s, const struct detector *w,
		    struct distances *ret);
void distances_release(struct distances *d);

static inline float distance_of(const struct detector *w, double measure)
{
	return (float)(detector_smaller_is_nearer(w) ? measure : -measure);
}
static inline double measure_of(const struct detector *w, double distance)
{
	return detector_smaller_is_nearer(w) ? distance : -distance;
}
/* Between two samples of one site, numbered in it. */
static inline float distance_at(const struct distances *d, const struct sample_set *s,
				size_t site, uint32_t a, uint32_t b)
{
	return d->v[d->offset[site] + (size_t)a * s->sites[site].n + b];
}
#endif
