/*
 * buckets.h - bucket checksums (Pugh and Henzinger, US patent 6,658,423):
 * every distinct word falls into one of 32 buckets by its hash; a bucket's
 * checksum is the sum of its words' hashes.  A changed word spoils one bucket.
 */
#ifndef METHOD_BUCKETS_H
#define METHOD_BUCKETS_H

#include "method/method.h"

#define BUCKETS 32

size_t buckets_make(const struct document *, const struct feature_options *,
		    struct buf *);
bool buckets_valid(struct str payload);
/* The share of equal ones among the buckets that hold a word in either. */
double buckets_measure(struct str a, struct str b);
#endif
