/*
 * method_sets.h - measures over a set of hashes kept whole: the exact ones.
 */
#ifndef METHOD_METHOD_SETS_H
#define METHOD_METHOD_SETS_H

#include "method/method.h"
#include "sketch/sets.h"

size_t set_make(const struct document *doc, const struct feature_options *how,
		struct buf *to);
bool set_valid(struct str payload);
struct overlap set_overlap(struct str a, struct str b);
double set_jaccard(struct str a, struct str b);
double set_containment(struct str a, struct str b);

/* The probability of near_model.h, the order of the set being unknown. */
double set_resemblance(struct str a, struct str b);

/* Multisets: payloads of (hash, count) with the Ruzicka similarity. */
size_t bag_make(const struct document *doc, const struct feature_options *how,
		struct buf *to);
bool bag_valid(struct str payload);
double bag_similarity(struct str a, struct str b);
#endif
