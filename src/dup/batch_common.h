/*
 * batch_common.h - what many documents of a batch share, learnt from those that met.
 *
 * Only documents that a template makes alike need to be judged without it, so only those
 * that share a fifth with another are read again.  Copies of one text, found by the first
 * comparison of the pairs, are counted as one: a passage that a hundred copies have is no
 * template.
 */
#ifndef DUP_BATCH_COMMON_H
#define DUP_BATCH_COMMON_H

#include "dup/batch.h"

struct batch_common {
	uint32_t *
		text; /* of each document: one that is the same text, itself at the end */
	uint64_t *met; /* a bit each: to be counted; after learning: those with common
			  text */
	size_t n;
};

void batch_common_init(struct batch_common *k, size_t documents);
void batch_common_release(struct batch_common *k);
void batch_common_meet(struct batch_common *k, uint32_t doc);
/* The two are one text. */
void batch_common_join(struct batch_common *k, uint32_t a, uint32_t b);
/* Fill b->common. */
must_use enum status batch_common_learn(struct batch_common *k, struct batch *b,
					struct diag *why);
/* After learning: whether one of the two has common text. */
bool batch_common_touches(const struct batch_common *k, const struct near_pair *p);
#endif
