#include "eval/sorter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/expr.h"

#define KEEP_MAX     (UINT64_MAX / 8) /* sums of such do not overflow */
#define PORTION_ROWS ((size_t)1 << 14)
#define PRUNE_SLACK  64 /* the sooner the first are known, the fewer keys are made */

struct sorted_row {
	uint64_t seq; /* equal keys stay in the order they came */
	struct compared *keys;
	uint64_t *cells;
};

void sorter_start(struct sorter *s, const struct query *q, const uint32_t *vars,
		  size_t width)
{
	*s = (struct sorter){
		.query = q, .vars = vars, .width = width, .keep = UINT64_MAX
	};
	s->keys = xcalloc(q->n_order + 1, sizeof(*s->keys));
	s->cells = xcalloc(width + 1, sizeof(*s->cells));
	if (q->has_limit && !q->distinct && !q->reduced && q->limit < KEEP_MAX &&
	    q->offset < KEEP_MAX)
		s->keep = q->limit + q->offset;
}

void sorter_release(struct sorter *s)
{
	free(s->rows);
	free(s->keys);
	free(s->cells);
	arena_release(&s->bytes);
	*s = (struct sorter){ 0 };
}

static int by_keys(const void *a, const void *b, void *query)
{
	const struct sorted_row *p = a, *q = b;
	const struct query *asked = query;

	for (size_t i = 0; i < asked->n_order; i++) {
		int order = compared_order(&p->keys[i], &q->keys[i]);

		if (order)
			return asked->order[i].descending ? -order : order;
	}
	return p->seq < q->seq ? -1 : 1;
}

/* Two neighbouring sorted portions of `from` as one in `to`. */
static bool merge(struct exec *x, const struct sorter *s, const struct sorted_row *from,
		  size_t middle, size_t end, struct sorted_row *to)
{
	void *query = (void *)(uintptr_t)s->query;
	size_t a = 0, b = middle;

	for (size_t n = 0; n < end; n++) {
		bool left = b == end ||
			    (a < middle && by_keys(&from[a], &from[b], query) < 0);

		to[n] = left ? from[a++] : from[b++];
		if (!exec_tick(x))
			return false;
	}
	return true;
}

/* In portions, so that a limit is seen soon however many there are; false: it was hit. */
static bool sort(struct exec *x, struct sorter *s)
{
	size_t n = s->n;
	struct sorted_row *other;
	bool ok = true;

	for (size_t at = 0; at < n; at += PORTION_ROWS) {
		qsort_r(s->rows + at, MIN(n - at, PORTION_ROWS), sizeof(*s->rows),
			by_keys, (void *)(uintptr_t)s->query);
		if (!exec_work(x, MIN(n - at, PORTION_ROWS)))
			return false;
	}
	if (n <= PORTION_ROWS)
		return true;
	if (!exec_take_memory(x, n * sizeof(*other)))
		return false;
	other = xcalloc(n, sizeof(*other));
	for (size_t width = PORTION_ROWS; ok && width < n; width *= 2) {
		for (size_t at = 0; ok && at < n; at += 2 * width)
			ok = merge(x, s, s->rows + at, MIN(width, n - at),
				   MIN(2 * width, n - at), other + at);
		if (ok) {
			SWAP(s->rows, other);
			s->cap = n;
		}
	}
	free(other);
	return ok;
}

static struct sorted_row copy_row(struct sorter *s, struct arena *to,
				  const struct sorted_row *r)
{
	size_t n = s->query->n_order;
	struct sorted_row c = { .seq = r->seq };

	c.keys = arena_alloc(to, (n + 1) * sizeof(*c.keys));
	c.cells = arena_alloc(to, (s->width + 1) * sizeof(*c.cells));
	memcpy(c.keys, r->keys, n * sizeof(*c.keys));
	for (size_t i = 0; i < n; i++)
		c.keys[i].term = term_copy(to, c.keys[i].term);
	if (s->width)
		memcpy(c.cells, r->cells, s->width * sizeof(*c.cells));
	return c;
}

static bool prune(struct exec *x, struct sorter *s)
{
	struct arena kept = { 0 };

	if (!sort(x, s))
		return false;
	s->n = MIN(s->n, s->keep);
	for (size_t i = 0; i < s->n; i++)
		s->rows[i] = copy_row(s, &kept, &s->rows[i]);
	arena_release(&s->bytes);
	s->bytes = kept;
	s->last = s->n ? s->rows[s->n - 1].keys : NULL;
	return true;
}

/*
 * The keys of a row; false when it comes behind all that are kept, which mostly the
 * first key tells.
 */
static bool eval_keys(struct exec *x, const struct sorter *s, const uint64_t *row,
		      struct compared *keys)
{
	const struct query *q = s->query;
	bool before = !s->last; /* it is known to come before the last one kept */

	for (size_t i = 0; i < q->n_order; i++) {
		struct value v = expr_eval(x, q->order[i].expr, row);
		int order;

		keys[i] = value_compared(x, &v);
		if (before)
			continue;
		order = compared_order(&keys[i], &s->last[i]);
		order = q->order[i].descending ? -order : order;
		if (order > 0)
			return false;
		before = order < 0;
	}
	return before; /* of equals the first come first */
}

bool sorter_add(struct exec *x, struct sorter *s, const uint64_t *row)
{
	size_t n = s->query->n_order;
	struct sorted_row r = { s->seq++, s->keys, s->cells };
	size_t text = 0;

	if (!eval_keys(x, s, row, r.keys)) {
		exec_reset_scratch(x);
		return exec_tick(x);
	}
	for (size_t i = 0; i < s->width; i++)
		r.cells[i] = row[s->vars[i]];
	for (size_t i = 0; i < n; i++)
		text += r.keys[i].term.text.n;
	VEC_ADD(s->rows, s->n, s->cap, copy_row(s, &s->bytes, &r));
	exec_reset_scratch(x);
	if (s->keep != UINT64_MAX && s->n > 2 * s->keep + PRUNE_SLACK) {
		if (!prune(x, s))
			return false;
	} else if (!exec_take_memory(x, n * sizeof(*r.keys) + 8 * s->width + sizeof(r) +
						text))
		return false;
	return exec_tick(x);
}

bool sorter_end(struct exec *x, struct sorter *s, uint64_t *row, struct sink *next)
{
	bool go_on = sort(x, s);

	for (size_t i = 0; go_on && i < s->n && exec_tick(x); i++) {
		for (size_t k = 0; k < s->width; k++)
			row[s->vars[k]] = s->rows[i].cells[k];
		go_on = next->push(next, row);
	}
	for (size_t k = 0; k < s->width; k++)
		row[s->vars[k]] = ID_NONE;
	return go_on;
}
