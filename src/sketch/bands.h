/*
 * bands.h - locality-sensitive hashing of min-wise slots, and its S-curve.
 *
 * The slots are cut into `bands` of `rows`; documents that agree in one whole
 * band become candidates.  A pair of resemblance J does with probability
 * 1 - (1 - J^rows)^bands.  More bands find more, more rows find less.
 */
#ifndef SKETCH_BANDS_H
#define SKETCH_BANDS_H

#include "sketch/minhash.h"

struct bands {
	unsigned bands, rows; /* bands * rows <= OPH_SLOTS */
};

/* Finds 99.6 % at resemblance 0.5 and 93.8 % at 0.4. */
#define BANDS_DEFAULT ((struct bands){ 42, 3 })

double bands_recall(struct bands b, double jaccard);
/* The fewest candidates that still find `recall` of the pairs at `jaccard`. */
struct bands bands_choose(double jaccard, double recall);
/* One key a band, each band with its own seed.  `ret` holds b.bands. */
void bands_keys(struct bands b, const uint32_t slots[OPH_SLOTS], uint64_t *ret);
#endif
