/*
 * Rows wait before a step until there are many.  Look-ups in a hash table then fetch
 * what they need while others are prepared, and searches in an index are made in the
 * order of their keys, so that each is near the last.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "query/bgp.h"

static uint64_t *cells_at(const struct step_batch *b, size_t i)
{
	return b->cells + i * (b->n_vars + 1);
}

static void load_row(struct bgp_run *r, const struct step_batch *b, const uint64_t *cells)
{
	for (size_t k = 0; k < b->n_vars; k++)
		r->row[b->vars[k]] = cells[k];
	r->x->times = cells[b->n_vars];
}

static void save_row(const struct bgp_run *r, const struct step_batch *b, uint64_t *cells)
{
	for (size_t k = 0; k < b->n_vars; k++)
		cells[k] = r->row[b->vars[k]];
	cells[b->n_vars] = r->x->times;
}

static bool run_hashed(struct bgp_run *r, size_t at)
{
	struct step *t = &r->b->steps[at];
	const struct step_batch *b = &t->batch;
	bool go_on = true;

	for (int stage = 0; t->hash.made && stage < 2; stage++)
		for (size_t i = 0; i < b->n; i++) {
			load_row(r, b, cells_at(b, i));
			table_fetch(&t->hash, r->row, stage);
		}
	for (size_t i = 0; go_on && i < b->n; i++) {
		load_row(r, b, cells_at(b, i));
		go_on = bgp_run_step(r, at);
	}
	return go_on;
}

static bool run_sorted(struct bgp_run *r, size_t at)
{
	const struct step_batch *b = &r->b->steps[at].batch;
	struct sort_pair *order = xrealloc(NULL, 2 * b->n, sizeof(*order));
	size_t key = 0;
	bool go_on = true;

	while (b->vars[key] != b->key)
		key++;
	for (size_t i = 0; i < b->n; i++)
		order[i] = (struct sort_pair){ cells_at(b, i)[key], i };
	sort_pairs(order, order + b->n, b->n);
	for (size_t i = 0; go_on && i < b->n; i++) {
		load_row(r, b, cells_at(b, order[i].value));
		go_on = bgp_run_step(r, at);
	}
	free(order);
	return go_on;
}

/* The row at hand is as it was afterwards. */
static bool run_batch(struct bgp_run *r, size_t at)
{
	struct step_batch *b = &r->b->steps[at].batch;
	uint64_t *now = cells_at(b, b->size);
	bool go_on;

	save_row(r, b, now);
	go_on = b->key == VAR_NONE ? run_hashed(r, at) : run_sorted(r, at);
	load_row(r, b, now);
	b->n = 0;
	return go_on;
}

bool bgp_batch_add(struct bgp_run *r, size_t at)
{
	struct step_batch *b = &r->b->steps[at].batch;

	if (!b->cells) {
		size_t cells = (b->size + 1) * (b->n_vars + 1);

		if (!exec_take_memory(r->x, cells * sizeof(*b->cells)))
			return false;
		b->cells = xrealloc(NULL, cells, sizeof(*b->cells));
	}
	save_row(r, b, cells_at(b, b->n++));
	return b->n < b->size || run_batch(r, at);
}

bool bgp_batch_end(struct bgp_run *r, bool go_on)
{
	for (size_t at = 0; at < r->b->n; at++) {
		struct step_batch *b = &r->b->steps[at].batch;

		if (b->n && go_on)
			go_on = run_batch(r, at);
		b->n = 0;
	}
	return go_on;
}
