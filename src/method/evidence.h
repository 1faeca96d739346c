/*
 * evidence.h - what two texts share and where they differ, in words.
 *
 * For people who ask why something is a duplicate.  A word counts as shared when
 * it stands in a shingle of `size` words that the other text has too.
 */
#ifndef METHOD_EVIDENCE_H
#define METHOD_EVIDENCE_H

#include "base/str.h"

#define EVIDENCE_RUNS 3

struct evidence {
	struct str shared;                /* the longest run of shared words, in `a` */
	struct str only_a[EVIDENCE_RUNS]; /* the longest runs that only `a` has */
	struct str only_b[EVIDENCE_RUNS];
	size_t words_a, words_b, shared_words_a, shared_words_b;
};

/* Slices of the texts; unused ones are empty. */
void evidence_find(struct str a, struct str b, unsigned size, struct evidence *ret);
#endif
