/*
 * sets.h - exact resemblance and containment of ascending arrays of hashes.
 */
#ifndef SKETCH_SETS_H
#define SKETCH_SETS_H

#include "sketch/features.h"

/* What two sets have in common, and what only one of them has. */
struct overlap {
	uint32_t shared, only_a, only_b;
};

struct overlap overlap_u32(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b);
struct overlap features_overlap(const struct features *a, const struct features *b);
/* Features of either. */
static inline double overlap_union(struct overlap o)
{
	return (double)o.shared + o.only_a + o.only_b;
}
/* Broder's resemblance |A and B| / |A or B|; 0 when both are empty. */
double overlap_jaccard(struct overlap o);
/* The share of the smaller set that the larger one has; 0 when it is empty. */
double overlap_containment(struct overlap o);
/* Sum of the smaller weights over the sum of the larger ones (Ruzicka). */
double features_weighted_jaccard(const struct features *a, const struct features *b);
#endif
