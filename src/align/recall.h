/*
 * recall.h - alignments remembered by what the URLs looked like.
 *
 * An alignment depends on the types of tokens and on which of them are equal,
 * with and without case, not on what they say: "?sid=17" and "?sid=4" of one
 * cluster are aligned as "?sid=8" and "?sid=9" of the next.  So the words of a
 * cluster are numbered as they come; clusters whose numbers, types and marks
 * agree look alike, and the consensus of the first is the mould for the others.
 *
 * Looks are told apart by 64 bits.  One a thread; memory is bounded.
 */
#ifndef ALIGN_RECALL_H
#define ALIGN_RECALL_H

#include "align/align.h"
#include "base/map.h"

/* Of all URLs of a cluster together. */
#define LOOK_TOKENS_MAX 512
#define LOOK_URLS_MAX   256
/* A cluster of more tokens than this looks like no other. */
#define LOOK_SIGNED_MAX 64

struct look {
	struct token tokens[LOOK_TOKENS_MAX];
	uint16_t first[LOOK_URLS_MAX + 1]; /* token of each URL, and one more */
	size_t n_urls, n_tokens;
	/* The distinct words, as numbers.h has them, with and without case. */
	uint64_t words[LOOK_SIGNED_MAX], folded[LOOK_SIGNED_MAX];
	size_t n_words;
	uint64_t hash;
};

/* A consensus without its tokens. */
struct mould {
	struct token_set *sets;
	uint16_t *members; /* of all sets, in order: numbers of tokens in the look */
	size_t n, n_more;  /* sets; members that are not the first of theirs */
	bool usable;
};

struct recall {
	struct look look; /* the cluster at hand */
	struct mould *v;
	size_t n, cap;
	struct map by_look; /* hash -> place in `v` + 1 */
	struct arena in;
};

void recall_release(struct recall *r);
void look_reset(struct look *l);
/* Bytes `from` to `to` of a URL, which no token crosses.  False when the cluster has more
 * than the bounds above; then the look is of no use. */
must_use bool look_add(struct look *l, struct str url, size_t from, size_t to);
/* After the last URL: number the words.  False when there is no use in it.  Looks of
 * another `seed` are others. */
must_use bool look_sign(struct look *l, uint64_t seed);
/* Give equal tokens, without case, equal ids; false when there are too many of them. */
must_use bool look_number(struct look *l);
/* The mould of clusters that look as this one does, or NULL; of a look that is signed. */
const struct mould *recall_find(const struct recall *r);
/* Remember `c`, made of the tokens of the look, or with NULL that there is none. */
void recall_add(struct recall *r, const struct consensus *c);
/* The tokens that a rule of the mould spells out when sets of `card` are classes; of a
 * look that is signed. */
size_t mould_spelt(const struct mould *m, const struct look *l, unsigned card,
		   struct token ret[LOOK_SIGNED_MAX]);
/* The consensus that the tokens of the look give. */
struct consensus mould_fill(const struct mould *m, const struct look *l,
			    struct arena *in);
#endif
