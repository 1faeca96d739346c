/*
 * minhash.h - min-wise sketches: the share of equal slots estimates Jaccard.
 *
 * One-permutation hashing throws every feature into one of `n` slots by its
 * upper bits and keeps the least of each slot: one hash a feature.  Empty
 * slots borrow from a slot chosen by a hash of (slot, attempt) alone, the
 * same for every document (optimal densification, Shrivastava 2017).
 * The classic sketch applies `n` permutations to every feature: modulo 2^61 - 1 where
 * the seeds' methods ask for it, and a multiplication of 32 bits where it has to be fast.
 */
#ifndef SKETCH_MINHASH_H
#define SKETCH_MINHASH_H

#include "sketch/features.h"

#define OPH_SLOTS 128
#define OPH_EMPTY UINT32_MAX

void oph_init(uint32_t slots[OPH_SLOTS]);
static inline void oph_add(uint32_t slots[OPH_SLOTS], uint64_t hash)
{
	uint32_t *slot = &slots[hash >> 57], value = (uint32_t)(hash >> 25);

	*slot = MIN(*slot, value);
}
/* Fill the empty slots; false, and nothing changed, when all are empty. */
bool oph_densify(uint32_t slots[OPH_SLOTS]);
/* Slots that agree, out of OPH_SLOTS. */
unsigned oph_equal(const uint32_t a[OPH_SLOTS], const uint32_t b[OPH_SLOTS]);
bool oph_of(const struct features *f, uint32_t ret[OPH_SLOTS]);

/*
 * The least of a x + b modulo 2^32 over all hashes, for OPH_SLOTS pairs (a, b), a odd, x
 * the upper half of the hash; all OPH_EMPTY when there is none.
 */
void minhash_of(const uint64_t *hashes, size_t n, uint32_t ret[OPH_SLOTS]);
/* Its plain twin, for the tests. */
void minhash_of_scalar(const uint64_t *hashes, size_t n, uint32_t ret[OPH_SLOTS]);
/* The least of (a x + b) mod 2^61 - 1 over all features, for n pairs (a, b). */
void minhash_classic(const struct features *f, uint32_t *ret, unsigned n);
/* (a x + b) mod 2^61 - 1 without losing a bit: the product has 128. */
uint64_t minhash_permute(uint64_t x, uint64_t a, uint64_t b);
#endif
