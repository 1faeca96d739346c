/*
 * features.h - a document as a weighted set of hashed features.
 *
 * Features of different kinds never meet: each kind salts its hashes.  After
 * features_finish() the hashes are distinct and ascending, so that sets are
 * compared by one merge, and the result does not depend on the order in
 * which they were added.  A zeroed struct is empty.
 */
#ifndef SKETCH_FEATURES_H
#define SKETCH_FEATURES_H

#include "sketch/document.h"
#include "sketch/hash_list.h"
#include "sketch/idf.h"
#include "sketch/piece.h"

enum feature_kind {
	FEATURE_SHINGLES,
	FEATURE_KEYWORDS,
	FEATURE_LINKS,
	FEATURE_ANCHORS,
	FEATURE_METADATA,
	FEATURE_TAG_PATHS,  /* tags with their classes */
	FEATURE_TAGS,       /* tags alone */
	FEATURE_CLICKABLES, /* what can be clicked or filled in */
	FEATURE_WINDOWS,    /* words of links and around them (windows.h) */
	FEATURE_SPOTS,      /* function words and what follows them (spots.h) */
	FEATURE_PICTURE,    /* of the screenshot; only of methods that compare pictures */
};

/* In the order above, for the command line and for presets. */
#define FEATURE_WORDS                                                         \
	"shingles|keywords|links|anchors|metadata|tag-paths|tags|clickables|" \
	"windows|spots|picture"

enum feature_weight {
	WEIGHT_SET, /* 1 each */
	WEIGHT_TF,  /* how often it stands in the document */
	WEIGHT_IDF, /* tf times the logarithm of its rarity in a corpus table */
};

struct feature_options {
	enum feature_kind kind;
	enum piece_kind piece; /* for shingles */
	unsigned size;         /* pieces a shingle, 1 to 63 */
	enum feature_weight weight;
	const struct idf *idf; /* for WEIGHT_IDF; NULL weighs as WEIGHT_TF */
};

struct feature {
	uint64_t hash;
	double weight;
};

struct features {
	struct feature *v;
	size_t n, cap;
};

void features_release(struct features *f);
void features_reset(struct features *f);
void features_add(struct features *f, uint64_t hash, double weight);
/*
 * Every `size` neighbouring pieces.  A text with fewer pieces than `size`
 * gives one shingle of all of them; an empty one gives none.  Returns the
 * number of pieces.
 */
size_t features_add_shingles(struct features *f, struct str text, enum piece_kind piece,
			     unsigned size);
/*
 * The hashes of features_add_shingles() for words, by the fast kernel: every occurrence,
 * in the order of the text.  `size` is 16 at the most.
 */
#define FEATURES_FAST_SIZE 16
void features_word_shingles(struct str text, unsigned size, struct hash_list *ret);
/* Each string is a feature; `kind` salts. */
void features_add_strings(struct features *f, const struct str *v, size_t n,
			  enum feature_kind kind);
/* Sort, join equal hashes, weigh. */
void features_finish(struct features *f, enum feature_weight weight,
		     const struct idf *idf);
/* All of the above for one document, from empty to finished. */
void features_of(const struct document *doc, const struct feature_options *how,
		 struct features *ret);
#endif
