/*
 * supershingle.h - Broder's super-shingles: the minima of 84 permutations, 14
 * at a time hashed to 6 numbers.  Near when two of the six agree.
 */
#ifndef METHOD_SUPERSHINGLE_H
#define METHOD_SUPERSHINGLE_H

#include "method/method.h"

#define SUPERSHINGLES 6

void supershingles_of(const struct features *f, uint64_t ret[SUPERSHINGLES]);
size_t supershingle_make(const struct document *, const struct feature_options *,
			 struct buf *);
bool supershingle_valid(struct str payload);
/* How many of the six agree. */
double supershingle_measure(struct str a, struct str b);
#endif
