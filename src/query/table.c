#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "query/op.h"

void table_init(struct exec *x, struct table *t, const bool *vars, const bool *keys)
{
	size_t n = 0;

	*t = (struct table){ 0 };
	for (size_t i = 0; i < x->n_vars; i++)
		n += vars[i];
	t->vars = exec_tree(x, (n + 1) * sizeof(*t->vars));
	t->keys = exec_tree(x, (n + 1) * sizeof(*t->keys));
	for (size_t i = 0; i < x->n_vars; i++) {
		if (!vars[i])
			continue;
		if (keys && keys[i])
			t->keys[t->n_keys++] = (uint32_t)t->n_vars;
		t->vars[t->n_vars++] = (uint32_t)i;
	}
}

bool table_add(struct exec *x, struct table *t, const uint64_t *row)
{
	size_t width = t->n_vars ? t->n_vars : 1;

	if (t->n_rows == t->rows_cap) {
		size_t more = t->rows_cap ? 2 * t->rows_cap : 16;

		if (!exec_take_memory(x, (more - t->rows_cap) * (width + 1) * 8))
			return false;
		t->cells = xrealloc(t->cells, more * width, sizeof(*t->cells));
		t->rows_cap = more;
	}
	for (size_t i = 0; i < t->n_vars; i++)
		t->cells[t->n_rows * width + i] = row[t->vars[i]];
	t->n_rows++;
	return true;
}

static const uint64_t *row_at(const struct table *t, size_t i)
{
	return t->cells + i * (t->n_vars ? t->n_vars : 1);
}

#define BITS_A_ROW 64 /* as much memory as the rows themselves */

/* A set of ids as bits, when there are enough of them in their range. */
static bool index_bits(struct table *t)
{
	uint64_t low = UINT64_MAX, high = 0;

	if (t->n_vars != 1 || t->n_keys != 1 || t->n_rows == 0)
		return false;
	for (size_t i = 0; i < t->n_rows; i++) {
		low = MIN(low, t->cells[i]);
		high = MAX(high, t->cells[i]);
	}
	if ((high - low) / BITS_A_ROW >= t->n_rows)
		return false;
	t->first_bit = low;
	t->n_bits = high - low + 1;
	t->bits = xcalloc(t->n_bits / 64 + 1, sizeof(*t->bits));
	for (size_t i = 0; i < t->n_rows; i++) {
		uint64_t bit = t->cells[i] - low;

		if (t->bits[bit / 64] >> (bit % 64) & 1) { /* twice: not a set */
			free(t->bits);
			t->bits = NULL;
			return false;
		}
		t->bits[bit / 64] |= (uint64_t)1 << (bit % 64);
	}
	return true;
}

static bool has_bit(const struct table *t, uint64_t id)
{
	uint64_t bit = id - t->first_bit;

	return bit < t->n_bits && t->bits[bit / 64] >> (bit % 64) & 1;
}

void table_index(struct table *t)
{
	free(t->heads);
	free(t->chain);
	free(t->bits);
	t->heads = t->chain = NULL;
	t->bits = NULL;
	if (index_bits(t))
		return;
	t->n_heads = 16;
	while (t->n_heads < t->n_rows)
		t->n_heads *= 2;
	t->heads = xcalloc(t->n_heads, sizeof(*t->heads));
	t->chain = xcalloc(t->n_rows + 1, sizeof(*t->chain));
	for (size_t i = t->n_rows; i-- > 0;) { /* backwards, so that chains go forwards */
		uint64_t hash = 0;

		for (size_t k = 0; k < t->n_keys; k++)
			hash = hash_mix(hash ^ row_at(t, i)[t->keys[k]]);
		uint32_t *head = &t->heads[hash & (t->n_heads - 1)];
		t->chain[i] = *head;
		*head = (uint32_t)(i + 1);
	}
}

void table_clear(struct table *t)
{
	free(t->cells);
	free(t->heads);
	free(t->chain);
	free(t->bits);
	t->cells = t->bits = NULL;
	t->heads = t->chain = NULL;
	t->n_rows = t->rows_cap = 0;
	t->made = false;
}

void table_release(struct table *t)
{
	table_clear(t);
}

static const uint32_t *head_of(const struct table *t, const uint64_t *row)
{
	uint64_t hash = 0;

	for (size_t k = 0; k < t->n_keys; k++)
		hash = hash_mix(hash ^ row[t->vars[t->keys[k]]]);
	return &t->heads[hash & (t->n_heads - 1)];
}

void table_fetch(const struct table *t, const uint64_t *row, int stage)
{
	const uint32_t *head;

	if (t->bits || t->n_rows == 0)
		return;
	head = head_of(t, row);
	if (stage == 0) {
		__builtin_prefetch(head);
	} else if (*head) {
		__builtin_prefetch(row_at(t, *head - 1));
		__builtin_prefetch(&t->chain[*head - 1]);
	}
}

bool table_next(const struct table *t, const uint64_t *row, size_t *at,
		const uint64_t **ret)
{
	uint32_t i;

	if (*at == SIZE_MAX || t->n_rows == 0)
		return false;
	if (t->bits) {
		*ret = &row[t->vars[0]];
		*at = SIZE_MAX;
		return has_bit(t, row[t->vars[0]]);
	}
	i = *at == 0 ? *head_of(t, row) : t->chain[*at - 1];
	for (; i; i = t->chain[i - 1]) {
		const uint64_t *cells = row_at(t, i - 1);
		size_t k = 0;

		while (k < t->n_keys && cells[t->keys[k]] == row[t->vars[t->keys[k]]])
			k++;
		if (k < t->n_keys)
			continue;
		*at = i;
		*ret = cells;
		return true;
	}
	*at = SIZE_MAX;
	return false;
}

struct fill_sink {
	struct sink base;
	struct exec *x;
	struct table *to;
};

static bool push_fill(struct sink *self, uint64_t *row)
{
	struct fill_sink *f = (struct fill_sink *)self;

	return exec_tick(f->x) && table_add(f->x, f->to, row);
}

bool table_fill(struct exec *x, struct op *o, struct table *t, const uint64_t *base)
{
	struct fill_sink f = { { push_fill }, x, t };
	uint64_t *row;

	if (t->made && t->epoch == x->epoch && t->graph == x->graph &&
	    t->in_graph == x->in_graph)
		return x->st == ST_OK;
	table_clear(t);
	row = xcalloc(x->n_vars + 1, sizeof(*row));
	if (base) /* inside EXISTS: what was substituted */
		memcpy(row, base, x->n_vars * sizeof(*row));
	op_run(x, o, row, &f.base);
	free(row);
	table_index(t);
	t->made = true;
	t->epoch = x->epoch;
	t->graph = x->graph;
	t->in_graph = x->in_graph;
	return x->st == ST_OK;
}
