/*
 * exact.h - digests for "the same": of the bytes, and of the text however it
 * is set.
 */
#ifndef SKETCH_EXACT_H
#define SKETCH_EXACT_H

#include "sketch/piece.h"

#include "base/hash.h"

/* Of the bytes as they are. */
struct u128 payload_digest(struct str bytes);
/*
 * Of the folded words in their order: white space, punctuation, case, accents
 * and width do not count.  `*ret_words` (may be NULL) says how many there
 * were; the digest of a text without words equals that of every other.
 */
struct u128 text_digest(struct str text, size_t *ret_words);

/*
 * Take the hash of word number `n` into a digest that started as zero.  A sum
 * of hashes keyed by position: the words need not wait for one another.
 */
static inline void text_digest_add(struct u128 *d, uint64_t word, uint64_t n)
{
	uint64_t keyed = word + (n + 1) * PIECE_K1;
	unsigned __int128 m =
		(unsigned __int128)(keyed ^ PIECE_K0) * (word ^ PIECE_K1 ^ n << 32);

	d->lo += (uint64_t)m ^ keyed;
	d->hi += (uint64_t)(m >> 64) ^ word;
}
#endif
