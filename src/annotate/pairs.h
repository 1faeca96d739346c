/*
 * pairs.h - the pairs of a set that a person may be asked about, by distance.
 *
 * All pairs of each site, measured by one detector; of more than PAIRS_MAX a sample,
 * drawn by a fixed seed, in which each pair stands for several.  The distances are cut
 * into cells (belief.h), half of them by rank and half by value: near pairs are few, and
 * the threshold lies among them.  Owned by one thread.
 */
#ifndef ANNOTATE_PAIRS_H
#define ANNOTATE_PAIRS_H

#include "annotate/belief.h"
#include "base/map.h"
#include "calibrate/distances.h"

#define PAIRS_MAX 200000

struct candidate {
	uint32_t a, b; /* samples, a < b */
	float distance;
	uint32_t cell;
};

struct pairs {
	const struct sample_set *set;
	const struct detector *detector;
	struct candidate *v; /* nearest first */
	size_t n;
	double stands_for; /* pairs of the set per pair here */
	size_t cells;
	float edge[BELIEF_CELLS];       /* the farthest distance of each */
	double count[BELIEF_CELLS];     /* pairs in each */
	size_t first[BELIEF_CELLS + 1]; /* in v */
	struct map index;               /* of a pair in v */
};

/* ST_NOT_FOUND when no two samples of a site can be compared. */
must_use enum status pairs_make(struct pairs *ret, const struct sample_set *set,
				const struct detector *detector, struct diag *why);
void pairs_release(struct pairs *p);
/* NULL when it is not among them; in any order. */
const struct candidate *pairs_find(const struct pairs *p, uint32_t a, uint32_t b);
/* In the measure of the detector: what is called near when the cells before `cut` are. */
double pairs_threshold(const struct pairs *p, size_t cut);
#endif
