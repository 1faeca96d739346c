/*
 * simhash.h - Charikar's fingerprint: near documents differ in few bits.
 *
 * Bit i is 1 when the features whose hash has bit i set weigh more than the
 * others; a tie is 0.  32 bits are the lower half of 64; 128 bits are the 64
 * and a second 64 over re-mixed hashes.  No features give 0.
 */
#ifndef SKETCH_SIMHASH_H
#define SKETCH_SIMHASH_H

#include "base/hash.h"
#include "sketch/features.h"

uint64_t simhash64(const struct features *f);
struct u128 simhash128(const struct features *f);
static inline uint32_t simhash32(const struct features *f)
{
	return (uint32_t)simhash64(f);
}

static inline unsigned hamming64(uint64_t a, uint64_t b)
{
	return (unsigned)__builtin_popcountll(a ^ b);
}
static inline unsigned hamming128(struct u128 a, struct u128 b)
{
	return hamming64(a.hi, b.hi) + hamming64(a.lo, b.lo);
}

/*
 * Crawlhash as seed 000 works it out: `size` pieces run together, hashed like a Java
 * string, 32 bits.  Its words are what stands between white space, as written; characters
 * and sentences are those of piece.h.  `*ret_n` (may be NULL): how many runs there are.
 */
uint32_t crawlhash32(struct str text, enum piece_kind piece, unsigned size,
		     size_t *ret_n);
/* Java's String.hashCode() over UTF-16 units. */
uint32_t java_string_hash(struct str utf8);
#endif
