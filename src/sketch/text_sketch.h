/*
 * text_sketch.h - text to SimHash64 and a 128-slot min-wise sketch in one pass.
 *
 * The features are word shingles as features_add_shingles() makes them, every
 * occurrence counted once.  There are two kernels with equal results: plain C,
 * and AVX2 that classifies 64 bytes at a time; the processor is asked once.
 * Text may be fed in one piece only; memory is a few kilobytes on the stack.
 */
#ifndef SKETCH_TEXT_SKETCH_H
#define SKETCH_TEXT_SKETCH_H

#include "base/hash.h"
#include "sketch/hash_list.h"
#include "sketch/minhash.h"

struct text_sketch {
	struct u128 digest;        /* of the folded words in their order */
	uint64_t simhash;          /* 0 when there is no shingle */
	uint32_t slots[OPH_SLOTS]; /* densified; all OPH_EMPTY when there is no shingle */
	uint64_t n_words, n_shingles;
};

/*
 * `size` words a shingle, 1 to 16.  When `shingles` is not NULL every shingle
 * hash is appended to it, in the order of the text.
 */
void text_sketch(struct str text, unsigned size, struct text_sketch *ret,
		 struct hash_list *shingles);
/* The same without filling the empty slots, for those who want the shingles. */
void text_shingles(struct str text, unsigned size, struct text_sketch *ret,
		   struct hash_list *shingles);
/* The SimHash alone: filling the empty slots of a short text takes longer than all else.
 */
uint64_t text_simhash(struct str text, unsigned size);

/* The kernels by name, for the tests and the benchmark; empty slots stay empty. */
void text_sketch_scalar(struct str text, unsigned size, struct text_sketch *ret,
			struct hash_list *shingles);
void text_sketch_avx2(struct str text, unsigned size, struct text_sketch *ret,
		      struct hash_list *shingles);
bool text_sketch_has_avx2(void);
#endif
