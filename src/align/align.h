/*
 * align.h - where two URLs agree and where they differ (4.1.2).
 *
 * Sequences of token sets are aligned by dynamic programming with the score of
 * equation 4.1: the Jaccard coefficient of the two sets, -1 when their types
 * differ, gaps free.  For the score tokens are compared without case ("irs" is
 * "IRS": only so does figure 4.1 come out); the set keeps both spellings.
 * Ties go to the diagonal, then left, then up, as the arrows of the figure do.
 *
 * The result is a consensus: per position the union of the tokens seen there.
 * Sets live in the arena the caller gives.  Not thread-safe: one aligner a thread.
 */
#ifndef ALIGN_ALIGN_H
#define ALIGN_ALIGN_H

#include "base/arena.h"
#include "dust/token.h"

struct token_set {
	struct token first;
	const struct token *more; /* the other n - 1 distinct tokens */
	uint16_t n;
	uint16_t n_folded; /* distinct tokens without regard to case */
	bool gap;          /* lambda is a member */
	/* XOR of one random word a URL that has a token here: two positions of
	 * equal signature are present in the same URLs. */
	uint64_t present;
};

#define TOKEN_IDS_MAX 64

struct consensus {
	struct token_set *v; /* in the arena */
	size_t n;
};

/* The scores are integers, so that ties are exact: 1 = ALIGN_ONE, a multiple of
 * every union size up to 16; larger unions are rounded down. */
#define ALIGN_ONE 720720

struct aligner {
	int32_t *score; /* (rows + 1) x (columns + 1) */
	size_t cap;
	struct token_set *path; /* the result, last position first */
	size_t path_cap;
	bool whole_matrix; /* do not trim equal ends; the result is the same */
	bool numbered;     /* all tokens have an id up to TOKEN_IDS_MAX, and `x` is one
			      URL: scores are then looked up in bits */
	struct column *columns;
	size_t columns_cap;
	bool touched; /* set when more tokens before both, the same on both
			 sides, could have changed the result */
};

void aligner_release(struct aligner *a);
/* The i-th URL of a cluster as a sequence of singletons. */
struct consensus consensus_of(const struct token *url, size_t n, size_t nr,
			      struct arena *in);
/* Align `x` (rows) with `y` (columns).  Returns the score of the alignment. */
int32_t align(struct aligner *a, const struct consensus *x, const struct consensus *y,
	      struct arena *in, struct consensus *ret);
/* After align() with `whole_matrix`: cell (row, column), for tests. */
static inline int32_t aligner_cell(const struct aligner *a, size_t columns, size_t row,
				   size_t column)
{
	return a->score[row * (columns + 1) + column];
}

static inline struct token set_token(const struct token_set *s, size_t i)
{
	return i == 0 ? s->first : s->more[i - 1];
}
#endif
