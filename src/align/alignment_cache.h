/*
 * alignment_cache.h - alignments remembered by the shape of their clusters.
 *
 * An alignment depends on the types of tokens and on which of them are equal,
 * with and without case, not on what they say: "?sid=17" and "?sid=4" of one
 * cluster are aligned as "?sid=8" and "?sid=9" of the next.  So the words of a
 * cluster are numbered as they come; clusters whose numbers, types and marks
 * agree have one shape, and the alignment of the first serves the others.
 *
 * Shapes are told apart by 64 bits.  One per thread; memory is bounded.
 */
#ifndef ALIGN_ALIGNMENT_CACHE_H
#define ALIGN_ALIGNMENT_CACHE_H

#include "align/align.h"
#include "base/map.h"

/* Of all URLs of a cluster together. */
#define SHAPE_TOKENS_MAX 512
#define SHAPE_URLS_MAX   256
/* A cluster of more tokens than this is not cached. */
#define SHAPE_SIGNED_MAX 64

struct cluster_shape {
	struct token tokens[SHAPE_TOKENS_MAX];
	uint16_t first[SHAPE_URLS_MAX + 1]; /* token of each URL, and one more */
	size_t n_urls, n_tokens;
	/* The distinct words, as numbers.h has them, with and without case. */
	uint64_t words[SHAPE_SIGNED_MAX], folded[SHAPE_SIGNED_MAX];
	size_t n_words;
	uint64_t hash;
};

/* A consensus without its tokens. */
struct cached_alignment {
	struct token_set *sets;
	uint16_t *members; /* of all sets, in order: numbers of tokens in the shape */
	size_t n, n_more;  /* sets; members that are not the first of theirs */
	bool usable;
};

struct alignment_cache {
	struct cluster_shape shape; /* the cluster at hand */
	struct cached_alignment *v;
	size_t n, cap;
	struct map by_shape; /* hash -> place in `v` + 1 */
	struct arena in;
};

void alignment_cache_release(struct alignment_cache *r);
void cluster_shape_reset(struct cluster_shape *l);
/* Bytes `from` to `to` of a URL, which no token crosses.  False when the cluster has more
 * than the bounds above; then the shape is of no use. */
must_use bool cluster_shape_add(struct cluster_shape *l, struct str url, size_t from,
				size_t to);
/* After the last URL: number the words.  False when there is no use in it.  Shapes of
 * another `seed` are others. */
must_use bool cluster_shape_sign(struct cluster_shape *l, uint64_t seed);
/* Give equal tokens, without case, equal ids; false when there are too many of them. */
must_use bool cluster_shape_number(struct cluster_shape *l);
/* The alignment of clusters of this shape, or NULL; of a shape that is signed. */
const struct cached_alignment *alignment_cache_find(const struct alignment_cache *r);
/* Remember `c`, made of the tokens of the shape, or with NULL that there is none. */
void alignment_cache_add(struct alignment_cache *r, const struct consensus *c);
/* The tokens that a rule of the alignment spells out when sets of `card` are classes; of
 * a shape that is signed. */
size_t cached_alignment_words(const struct cached_alignment *m,
			      const struct cluster_shape *l, unsigned card,
			      struct token ret[SHAPE_SIGNED_MAX]);
/* The consensus that the tokens of the shape give. */
struct consensus cached_alignment_fill(const struct cached_alignment *m,
				       const struct cluster_shape *l, struct arena *in);
#endif
