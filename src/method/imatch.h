/*
 * imatch.h - I-Match with randomised lexicons (Chowdhury 2002, Kolcz 2004).
 *
 * One hash over the distinct words of the document that a lexicon contains.
 * The lexicon leaves out stop words, numbers and very short words and, with a
 * corpus table, the commonest and the rarest.  Ten more lexicons drop a third
 * of it each, by a hash of the word: a changed word spoils only some of them.
 */
#ifndef METHOD_IMATCH_H
#define METHOD_IMATCH_H

#include "method/method.h"

#define IMATCH_LEXICONS 11 /* the whole one first */

size_t imatch_make(const struct document *, const struct feature_options *, struct buf *);
bool imatch_valid(struct str payload);
/* How many of the signatures agree. */
double imatch_measure(struct str a, struct str b);
#endif
