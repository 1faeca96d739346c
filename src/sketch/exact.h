/*
 * exact.h - digests for "the same": of the bytes, and of the text however it
 * is set.
 */
#ifndef SKETCH_EXACT_H
#define SKETCH_EXACT_H

#include "base/hash.h"

/* Of the bytes as they are. */
struct u128 payload_digest(struct str bytes);
/*
 * Of the folded words in their order: white space, punctuation, case, accents
 * and width do not count.  `*ret_words` (may be NULL) says how many there
 * were; the digest of a text without words equals that of every other.
 */
struct u128 text_digest(struct str text, size_t *ret_words);
#endif
