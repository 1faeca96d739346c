/*
 * method_bits.h - fingerprints of a few words: SimHash, Crawlhash, digests,
 * min-wise slots.
 */
#ifndef METHOD_METHOD_BITS_H
#define METHOD_METHOD_BITS_H

#include "method/method.h"

size_t payload_digest_make(const struct document *, const struct feature_options *,
			   struct buf *);
size_t text_digest_make(const struct document *, const struct feature_options *,
			struct buf *);
size_t simhash32_make(const struct document *, const struct feature_options *,
		      struct buf *);
size_t simhash64_make(const struct document *, const struct feature_options *,
		      struct buf *);
size_t simhash128_make(const struct document *, const struct feature_options *,
		       struct buf *);
size_t crawlhash_make(const struct document *, const struct feature_options *,
		      struct buf *);
/* Bits that differ, over payloads of equal length. */
double bits_distance(struct str a, struct str b);
/* 1 when equal, else 0. */
double bits_equal(struct str a, struct str b);
bool one_u64_valid(struct str payload);
bool two_u64_valid(struct str payload);

size_t oph_make(const struct document *, const struct feature_options *, struct buf *);
size_t minhash_make(const struct document *, const struct feature_options *,
		    struct buf *);
/* The share of equal slots. */
double slots_similarity(struct str a, struct str b);
bool slots_valid(struct str payload);
#endif
