#include "annotate/word_diff.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"

struct words {
	struct str *v;
	uint64_t *hash;
	bool *only_here;
	size_t n;
	bool is_cut;
};

static void words_split(struct str text, struct words *ret)
{
	size_t cap = 0, hash_cap = 0, hashes = 0;

	for (size_t i = 0; i < text.n && ret->n < WORD_DIFF_WORDS;) {
		size_t from;

		while (i < text.n && ascii_is_space(text.p[i]))
			i++;
		for (from = i; i < text.n && !ascii_is_space(text.p[i]);)
			i++;
		if (i > from) {
			struct str word = { text.p + from, i - from };

			VEC_ADD(ret->v, ret->n, cap, word);
			VEC_ADD(ret->hash, hashes, hash_cap, hash64(word));
		}
		ret->is_cut = i < text.n;
	}
	ret->only_here = xcalloc(ret->n + 1, sizeof(*ret->only_here));
}

static void words_release(struct words *w)
{
	free(w->v);
	free(w->hash);
	free(w->only_here);
}

/* Row d of Myers' table is what d edits reach on each diagonal; all are kept. */
struct reached {
	int32_t **rows;
	size_t n;
};

static void reached_release(struct reached *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->rows[i]);
	free(r->rows);
}

/* How far one gets on diagonal k with d edits, from what d - 1 reached. */
static int32_t step(const int32_t *before, int32_t d, int32_t k)
{
	const int32_t *at = before + d; /* its diagonals run from 1 - d to d - 1 */

	if (d == 0)
		return 0;
	if (k == -d || (k != d && at[k - 1] < at[k + 1]))
		return at[k + 1];
	return at[k - 1] + 1;
}

/* Rows are stored from diagonal -d on, each second one is used; false: too many edits. */
static bool reach_end(const struct words *a, const struct words *b, struct reached *ret)
{
	int32_t n = (int32_t)a->n, m = (int32_t)b->n;

	ret->rows = xcalloc(WORD_DIFF_EDITS + 1, sizeof(*ret->rows));
	for (int32_t d = 0; d <= WORD_DIFF_EDITS; d++) {
		int32_t *row = xcalloc(2 * (size_t)d + 3, sizeof(*row));
		const int32_t *before = d ? ret->rows[d - 1] : NULL;

		ret->rows[ret->n++] = row;
		for (int32_t k = -d; k <= d; k += 2) {
			int32_t x = step(before, d, k), y = x - k;

			while (x < n && y < m && a->hash[x] == b->hash[y])
				x++, y++;
			row[k + d + 1] = x;
			if (x >= n && y >= m)
				return true;
		}
	}
	return false;
}

/* From the end back: each edit is a word that only one of them has. */
static void mark_edits(struct words *a, struct words *b, const struct reached *r)
{
	int32_t x = (int32_t)a->n, y = (int32_t)b->n;

	for (int32_t d = (int32_t)r->n - 1; d > 0; d--) {
		const int32_t *at = r->rows[d - 1] + d; /* as in step() */
		int32_t k = x - y;
		bool inserted = k == -d || (k != d && at[k - 1] < at[k + 1]);

		if (inserted) {
			x = at[k + 1];
			y = x - (k + 1);
			b->only_here[y] = true;
		} else {
			x = at[k - 1];
			y = x - (k - 1);
			a->only_here[x] = true;
		}
	}
}

static void mark_missing(struct words *a, const struct words *b)
{
	struct map in_b = { 0 };

	for (size_t i = 0; i < b->n; i++)
		map_add(&in_b, b->hash[i], NULL);
	for (size_t i = 0; i < a->n; i++)
		a->only_here[i] = !map_find(&in_b, a->hash[i]);
	map_release(&in_b);
}

static void make_runs(const struct words *w, struct word_runs *ret)
{
	*ret = (struct word_runs){ .is_cut = w->is_cut };
	for (size_t i = 0; i < w->n; i++) {
		struct word_run *last = ret->n ? &ret->v[ret->n - 1] : NULL;

		if (last && last->only_here == w->only_here[i])
			last->text.n = (size_t)(w->v[i].p + w->v[i].n - last->text.p);
		else
			VEC_ADD(ret->v, ret->n, ret->cap,
				(struct word_run){ w->v[i], w->only_here[i] });
	}
}

void word_diff(struct str a, struct str b, struct word_runs *ret_a,
	       struct word_runs *ret_b)
{
	struct words x = { 0 }, y = { 0 };
	struct reached reached = { 0 };

	words_split(a, &x);
	words_split(b, &y);
	if (reach_end(&x, &y, &reached)) {
		mark_edits(&x, &y, &reached);
	} else {
		mark_missing(&x, &y);
		mark_missing(&y, &x);
	}
	make_runs(&x, ret_a);
	make_runs(&y, ret_b);
	reached_release(&reached);
	words_release(&x);
	words_release(&y);
}

void word_runs_release(struct word_runs *r)
{
	free(r->v);
	*r = (struct word_runs){ 0 };
}
