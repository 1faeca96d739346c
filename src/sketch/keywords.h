/*
 * keywords.h - the words of a document that carry its subject, with counts.
 *
 * Stop words go, the rest is stemmed (Snowball) where the language is known;
 * otherwise words count as written.  The order is by count, then by the
 * alphabet, so that it is the same everywhere.  A zeroed struct is empty.
 */
#ifndef SKETCH_KEYWORDS_H
#define SKETCH_KEYWORDS_H

#include "base/arena.h"

struct keyword {
	struct str word;
	uint64_t hash; /* hash64() of the word */
	uint32_t count;
};

struct keywords {
	struct keyword *v; /* most frequent first */
	size_t n, cap;
	struct arena bytes; /* of the words */
	uint32_t *slots;    /* places + 1 in v by hash, while a text is counted */
	size_t n_slots;
};

void keywords_release(struct keywords *k);
/* `language` is an ISO 639-1 code; one we have no stemmer for is no error. */
void keywords_of(struct str text, struct str language, struct keywords *ret);
/* Position of `word` in the table, or STR_NONE. */
size_t keywords_find(const struct keywords *k, struct str word);
bool keywords_is_stop_word(struct str folded_word, struct str language);
#endif
