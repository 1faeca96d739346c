/*
 * text_sketch_impl.h - what the two kernels share: words' hashes in, sketch out.
 *
 * Words are gathered in batches.  For a batch the shingle hashes are rolled,
 * thrown into their slots, and added to counters kept as bit planes: plane j
 * holds bit j of 64 counters, so adding a hash is a few logical operations
 * whatever the number of bits.
 */
#ifndef SKETCH_TEXT_SKETCH_IMPL_H
#define SKETCH_TEXT_SKETCH_IMPL_H

#include "sketch/piece.h"
#include "sketch/text_sketch.h"

#define BATCH      1024
#define HISTORY    16 /* words of the batch before, for shingles across the border */
#define SIM_PLANES 40 /* counts to 2^40 */

struct word_batch {
	uint64_t v[HISTORY + BATCH]; /* the first `size - 1` are the last ones before */
	size_t n;                    /* words after the history */
	unsigned size;
	uint64_t planes[SIM_PLANES];
	struct text_sketch *to;
	struct hash_list *shingles;
};

void word_batch_init(struct word_batch *b, unsigned size, struct text_sketch *ret,
		     struct hash_list *shingles);
/* Take the gathered words in; called when the batch is full and at the end. */
void word_batch_flush(struct word_batch *b);
void word_batch_finish(struct word_batch *b);

static inline void word_batch_add(struct word_batch *b, uint64_t hash)
{
	b->v[HISTORY + b->n] = hash;
	if (__builtin_expect(++b->n == BATCH, 0))
		word_batch_flush(b);
}

/* Feed the words of `in` one by one up to the first that starts at or after `until`. */
const char *word_batch_add_scalar(struct word_batch *b, struct str in, const char *until);
#endif
