/*
 * levenshtein.h - edits between two strings of bytes, 64 columns at a time.
 *
 * Myers' bit vectors in blocks: a step of one byte of the text advances a whole word of
 * the pattern.  What both begin and end with is left out first: two states of one
 * application mostly differ in a few places.  Pure.
 */
#ifndef CALIBRATE_LEVENSHTEIN_H
#define CALIBRATE_LEVENSHTEIN_H

#include "base/str.h"

/* Insertions, deletions and replacements that turn one into the other. */
size_t levenshtein(struct str a, struct str b);
#endif
