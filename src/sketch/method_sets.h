/*
 * method_sets.h - measures over a set of hashes kept whole: the exact ones.
 */
#ifndef SKETCH_METHOD_SETS_H
#define SKETCH_METHOD_SETS_H

#include "sketch/method.h"
#include "sketch/sets.h"

size_t set_make(const struct document *doc, const struct feature_options *how,
		struct buf *to);
bool set_valid(struct str payload);
struct overlap set_overlap(struct str a, struct str b);
double set_jaccard(struct str a, struct str b);
double set_containment(struct str a, struct str b);

/*
 * The resemblance a pair must reach grows with its size: half at a thousand
 * shingles, a tenth more for every factor of ten; 0.4 at the least.
 * Six tenths shared of forty thousand words still leave sixteen thousand new
 * ones, which people do not call a duplicate; of a short page they do.
 */
#define RESEMBLANCE_THRESHOLD 0.5
double resemblance_needed(struct overlap o, double threshold);
/* Jaccard, less what the size asks for beyond the threshold. */
double resemblance_score(struct overlap o);
double set_resemblance(struct str a, struct str b);

/* Multisets: payloads of (hash, count) with the Ruzicka similarity. */
size_t bag_make(const struct document *doc, const struct feature_options *how,
		struct buf *to);
bool bag_valid(struct str payload);
double bag_similarity(struct str a, struct str b);
#endif
