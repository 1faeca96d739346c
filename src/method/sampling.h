/*
 * sampling.h - shingle sets made smaller: mod-p and winnowing.
 *
 * Mod-p keeps the hashes that p divides: simple, but the gap between two kept
 * shingles has no bound.  Winnowing keeps the least of every window (of equal
 * ones the rightmost), so any run of window + size - 1 shared words shares a
 * fingerprint.
 */
#ifndef METHOD_SAMPLING_H
#define METHOD_SAMPLING_H

#include "method/method.h"

#define MODP_P        8
#define WINNOW_WINDOW 8
#define WINNOW_MAX    64

/* Only the features that `p` divides. */
void features_thin(struct features *f, uint64_t p);
/* The winnowed hashes of the shingles of `text`, finished as a set. */
void winnow(struct str text, enum piece_kind piece, unsigned size, unsigned window,
	    struct features *ret);

size_t modp_make(const struct document *, const struct feature_options *, struct buf *);
size_t winnow_make(const struct document *, const struct feature_options *, struct buf *);
#endif
