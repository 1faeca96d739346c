/*
 * vectors.h - documents as vectors of counted words: cosine, and measures of identity.
 *
 * Hoad and Zobel (2003) found the cosine inadequate for versions of a document, and
 * proposed measures in which words that both have count the more, the more alike their
 * counts are, and documents of different lengths lose.  Their printed formulas were not
 * at hand; these are three of the kind, told apart by how fast differences cost:
 *     S(a, b) = 1 / (1 + g(| |a| - |b| |))  *  sum over common words of
 *               r(t) / (1 + h(| count a - count b |))
 * with g and h the identity or ln(1 + x), and r the rarity of the word in a corpus (1
 * without a table).  Divided by the larger of S(a, a) and S(b, b): 0 to 1.
 */
#ifndef METHOD_VECTORS_H
#define METHOD_VECTORS_H

#include "method/method.h"

/* Payloads of (hash, count, rarity). */
size_t vector_make(const struct document *, const struct feature_options *, struct buf *);
bool vector_valid(struct str payload);
/* Counts times rarity. */
double vector_cosine(struct str a, struct str b);
double identity_strict(struct str a, struct str b); /* g and h the identity */
double identity_length(struct str a, struct str b); /* g the logarithm */
double identity_mild(struct str a, struct str b);   /* g and h the logarithm */
#endif
