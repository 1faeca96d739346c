#include "align/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

static bool has_folded(const struct token_set *s, struct token t, size_t below)
{
	for (size_t i = 0; i < below; i++)
		if (token_eq_nocase(set_token(s, i), t))
			return true;
	return false;
}

static bool has_exactly(const struct token_set *s, struct token t)
{
	for (size_t i = 0; i < s->n; i++)
		if (token_eq(set_token(s, i), t))
			return true;
	return false;
}

/* Members of `x` that `y` has too, each spelling without case counted once. */
static int32_t common(const struct token_set *x, const struct token_set *y)
{
	int32_t n = 0;

	for (size_t i = 0; i < x->n; i++) {
		struct token t = set_token(x, i);

		n += has_folded(y, t, y->n) && !has_folded(x, t, i);
	}
	return n;
}

/* Equation 4.1.  A set never mixes types: a score of -1 never wins a cell. */
static int32_t score_sets(const struct token_set *x, const struct token_set *y)
{
	if (x->first.type != y->first.type)
		return -ALIGN_ONE;
	if (x->n == 1 && y->n == 1)
		return token_eq_nocase(x->first, y->first) ? ALIGN_ONE : 0;
	int32_t both = common(x, y);
	return both * (ALIGN_ONE / (x->n_folded + y->n_folded - both));
}

/* Score exactly 1: the same members without regard to case. */
static bool same_sets(const struct token_set *x, const struct token_set *y)
{
	if (x->n == 1 && y->n == 1)
		return token_eq_nocase(x->first, y->first);
	return x->first.type == y->first.type && x->n_folded == y->n_folded &&
	       common(x, y) == x->n_folded;
}

/* The same for one token: the members of `y` differ from each other already. */
static struct token_set unite_one(const struct token_set *x, const struct token_set *y,
				  struct arena *in)
{
	struct token *more = arena_alloc(in, (size_t)y->n * sizeof(*more));
	struct token_set u = *x;
	bool like = false;

	u.more = more;
	for (size_t i = 0; i < y->n; i++) {
		struct token t = set_token(y, i);
		bool folded = token_eq_nocase(t, x->first);

		like |= folded;
		if (!folded || !token_eq(t, x->first))
			more[u.n++ - 1] = t;
	}
	u.n_folded = (uint16_t)(y->n_folded + !like);
	u.gap = x->gap || y->gap;
	u.present = x->present ^ y->present;
	return u;
}

static struct token_set unite_sets(const struct token_set *x, const struct token_set *y,
				   struct arena *in)
{
	struct token_set u = *x;
	struct token *more = NULL;

	for (size_t i = 0; i < y->n; i++) {
		struct token t = set_token(y, i);

		if (has_exactly(&u, t))
			continue;
		if (!more) {
			more = arena_alloc(in, (size_t)(x->n + y->n) * sizeof(*more));
			for (size_t k = 1; k < x->n; k++)
				more[k - 1] = x->more[k - 1];
			u.more = more;
		}
		if (!has_folded(&u, t, u.n))
			u.n_folded++;
		more[u.n++ - 1] = t;
	}
	u.gap = x->gap || y->gap;
	u.present = x->present ^ y->present;
	return u;
}

/* Most positions hold one token, the same on both sides. */
static inline void unite(const struct token_set *x, const struct token_set *y,
			 struct arena *in, struct token_set *ret)
{
	if (x->n > 1 || y->n > 1 || !token_eq(x->first, y->first)) {
		*ret = x->n == 1 ? unite_one(x, y, in) : unite_sets(x, y, in);
		return;
	}
	*ret = *x;
	ret->gap |= y->gap;
	ret->present ^= y->present;
}

struct consensus consensus_of(const struct token *url, size_t n, size_t nr,
			      struct arena *in)
{
	struct consensus c = { arena_alloc(in, (n + 1) * sizeof(*c.v)), n };
	uint64_t present = hash_mix(nr + 1);

	for (size_t i = 0; i < n; i++)
		c.v[i] = (struct token_set){
			.first = url[i], .n = 1, .n_folded = 1, .present = present
		};
	return c;
}

/* What a row of one token needs of a column: its members as bits, and what one of them
 * scores. */
struct column {
	uint64_t ids;
	int32_t score;
	uint8_t type;
};

static void number_columns(struct aligner *a, const struct token_set *y, size_t n)
{
	VEC_RESERVE(a->columns, a->columns_cap, n + 1);
	for (size_t j = 0; j < n; j++) {
		struct column c = { 0, ALIGN_ONE / y[j].n_folded, y[j].first.type };

		for (size_t k = 0; k < y[j].n; k++)
			c.ids |= (uint64_t)1 << (set_token(&y[j], k).id - 1);
		a->columns[j] = c;
	}
}

static inline int32_t score_column(struct token row, const struct column *c)
{
	int32_t same = c->ids >> (row.id - 1) & 1 ? c->score : 0;

	return row.type == c->type ? same : -ALIGN_ONE;
}

/* One row of the matrix; the cells before it and above are there. */
static void fill_row(const struct aligner *a, struct token x, int32_t *row,
		     const int32_t *above, size_t columns)
{
	int32_t left = 0;

	for (size_t j = 1; j <= columns; j++) {
		int32_t best = above[j - 1] + score_column(x, &a->columns[j - 1]);

		best = MAX(best, above[j]);
		row[j] = left = MAX(best, left);
	}
}

/* Equation 2.1 over rows x columns of the part that is left after trimming. */
static void fill(struct aligner *a, const struct token_set *x, size_t rows,
		 const struct token_set *y, size_t columns)
{
	size_t width = columns + 1, need = (rows + 1) * width;

	VEC_RESERVE(a->score, a->cap, need);
	memset(a->score, 0, width * sizeof(*a->score));
	if (a->numbered)
		number_columns(a, y, columns);
	for (size_t i = 1; i <= rows; i++) {
		int32_t *row = a->score + i * width, *above = row - width;

		row[0] = 0;
		if (a->numbered) {
			fill_row(a, x[i - 1].first, row, above, columns);
			continue;
		}
		for (size_t j = 1; j <= columns; j++) {
			int32_t best = above[j - 1] + score_sets(&x[i - 1], &y[j - 1]);

			best = MAX(best, row[j - 1]);
			row[j] = MAX(best, above[j]);
		}
	}
}

struct walk {
	const struct token_set *x, *y;
	struct arena *in;
	struct token_set *path;
	size_t n;
};

static void both(struct walk *w, size_t i, size_t j)
{
	unite(&w->x[i - 1], &w->y[j - 1], w->in, &w->path[w->n++]);
}

static void alone(struct walk *w, const struct token_set *s)
{
	w->path[w->n] = *s;
	w->path[w->n++].gap = true;
}

/*
 * The rest of the way from cell (i, j), where i or j is at most the length of
 * the common prefix.  There S(i, j) = min(i, j), so the arrows need no matrix:
 * diagonal when the two sets are the same, else along the longer side.
 */
static bool walk_prefix(struct walk *w, size_t i, size_t j)
{
	bool met = false; /* the two sides, before they ended */

	while (i > 0 && j > 0) {
		met |= i == j;
		if (i == j || same_sets(&w->x[i - 1], &w->y[j - 1])) {
			both(w, i, j);
			i--, j--;
		} else if (j > i) {
			alone(w, &w->y[--j]);
		} else {
			alone(w, &w->x[--i]);
		}
	}
	while (j > 0)
		alone(w, &w->y[--j]);
	while (i > 0)
		alone(w, &w->x[--i]);
	return met;
}

/* From the last cell of the matrix to its border; `skip` is the prefix left out.
 * Returns how much of it is still to come, the same on both sides. */
static size_t walk_matrix(struct aligner *a, struct walk *w, size_t rows, size_t columns,
			  size_t skip)
{
	size_t i = rows, j = columns, width = columns + 1;

	while (i > 0 && j > 0) {
		const int32_t *cell = a->score + i * width + j;
		int32_t sf = a->numbered ? score_column(w->x[skip + i - 1].first,
							&a->columns[j - 1])
					 : score_sets(&w->x[skip + i - 1],
						      &w->y[skip + j - 1]);

		if (*cell == cell[-(ptrdiff_t)width - 1] + sf) {
			both(w, skip + i, skip + j);
			i--, j--;
		} else if (*cell == cell[-1]) {
			alone(w, &w->y[skip + --j]);
		} else {
			alone(w, &w->x[skip + --i]);
		}
	}
	if (i == j)
		return skip;
	a->touched |= !walk_prefix(w, skip + i, skip + j);
	return 0;
}

/*
 * Equal ends need no matrix.  At the end of both sequences the diagonal always
 * wins a tie, and S grows by at most one a step, so taking it is what the
 * traceback would do; at the start S(p+i, p+j) = p + S'(i, j), because matching
 * equal first sets is never worse than leaving them.
 */
static size_t trim_suffix(const struct consensus *x, const struct consensus *y)
{
	size_t n = 0, most = MIN(x->n, y->n);

	while (n < most && same_sets(&x->v[x->n - 1 - n], &y->v[y->n - 1 - n]))
		n++;
	return n;
}

static size_t trim_prefix(const struct consensus *x, const struct consensus *y,
			  size_t suffix)
{
	size_t n = 0, most = MIN(x->n, y->n) - suffix;

	while (n < most && same_sets(&x->v[n], &y->v[n]))
		n++;
	return n;
}

int32_t align(struct aligner *a, const struct consensus *x, const struct consensus *y,
	      struct arena *in, struct consensus *ret)
{
	size_t suffix = a->whole_matrix ? 0 : trim_suffix(x, y);
	size_t prefix = a->whole_matrix ? 0 : trim_prefix(x, y, suffix);
	size_t rows = x->n - suffix - prefix, columns = y->n - suffix - prefix;

	fill(a, x->v + prefix, rows, y->v + prefix, columns);
	VEC_RESERVE(a->path, a->path_cap, x->n + y->n);
	struct walk w = { .x = x->v, .y = y->v, .in = in, .path = a->path };
	a->touched |= suffix == MIN(x->n, y->n);
	size_t same = walk_matrix(a, &w, rows, columns, prefix);

	struct consensus c = { arena_alloc(in, (same + w.n + suffix + 1) * sizeof(*c.v)),
			       same + w.n + suffix };
	for (size_t k = 0; k < same; k++)
		unite(&x->v[k], &y->v[k], in, &c.v[k]);
	for (size_t k = 0; k < w.n; k++)
		c.v[same + k] = w.path[w.n - 1 - k];
	for (size_t k = 1; k <= suffix; k++)
		unite(&x->v[x->n - k], &y->v[y->n - k], in, &c.v[c.n - k]);
	*ret = c;
	return a->score[(rows + 1) * (columns + 1) - 1] +
	       (int32_t)(prefix + suffix) * ALIGN_ONE;
}

void aligner_release(struct aligner *a)
{
	free(a->score);
	free(a->path);
	free(a->columns);
	*a = (struct aligner){ 0 };
}
