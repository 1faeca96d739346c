/*
 * henzinger.h - the combination of Henzinger 2006: candidates by Broder's
 * super-shingles, confirmed by a SimHash of 384 bits of which 355 must agree.
 */
#ifndef METHOD_HENZINGER_H
#define METHOD_HENZINGER_H

#include "method/method.h"

#define HENZINGER_BITS 384

size_t henzinger_make(const struct document *, const struct feature_options *,
		      struct buf *);
bool henzinger_valid(struct str payload);
/* Bits that differ; infinite unless two super-shingles agree. */
double henzinger_measure(struct str a, struct str b);
#endif
