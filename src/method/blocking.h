/*
 * blocking.h - keys under which near documents meet, for every method.
 *
 * Documents that share a key become candidates.  How surely near ones share one
 * is known: keys_recall() says it for a pair exactly at the threshold.
 */
#ifndef METHOD_BLOCKING_H
#define METHOD_BLOCKING_H

#include "method/method.h"
#include "sketch/bands.h"

#define BLOCKING_KEYS 128

enum blocking {
	BLOCK_BANDS,      /* LSH bands of the min-wise sketch of a set of hashes */
	BLOCK_SLOTS,      /* LSH bands of a min-wise sketch */
	BLOCK_BITS,       /* pieces of the bits, one more than may differ: exact */
	BLOCK_EACH,       /* every number of the payload, by its place */
	BLOCK_SUPER,      /* the super-shingles in front of the payload */
	BLOCK_WHOLE,      /* the payload itself: equal or nothing */
	BLOCK_KEYWORDS_4, /* the set of the four most frequent keywords */
	BLOCK_KEYWORDS_3,
};

enum blocking method_blocking(const struct method *m);
/* Bits of a fingerprint whose measure is how many of them differ; else 0. */
unsigned method_bits(const struct method *m);
/* The fingerprint of such a method with 64 bits; false when it is near to nothing. */
bool method_word(const struct method *m, struct str fingerprint, uint64_t *ret);
/* Keys of a fingerprint; 0 for one that is near to nothing, or is none. */
size_t method_keys(const struct method *m, struct str fingerprint, double threshold,
		   struct bands bands, uint64_t ret[BLOCKING_KEYS]);
/* The share of pairs at measure `at` that meet; 1 where it is certain, NAN if unknown. */
double method_keys_recall(const struct method *m, double threshold, struct bands bands,
			  double at);
#endif
