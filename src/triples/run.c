#include "triples/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct run *run_from_rows(struct row *rows[ORDERS], size_t n)
{
	struct run *r = NEW(struct run);

	r->refs = 1;
	r->n_rows = n;
	for (int o = 0; o < ORDERS; o++)
		r->rows[o] = rows[o];
	for (size_t i = 0; i < n; i++)
		r->n_live += row_is_gone(&rows[0][i]) ? -1 : 1;
	return r;
}

struct run *run_from_quads(const struct row *quads, size_t n)
{
	struct row *scratch = xrealloc(NULL, n + 1, sizeof(*scratch)), *rows[ORDERS];

	for (enum order o = 0; o < ORDERS; o++) {
		rows[o] = xrealloc(NULL, n + 1, sizeof(*rows[o]));
		for (size_t i = 0; i < n; i++)
			rows[o][i] = row_in_order(&quads[i], o);
		rows_sort(rows[o], scratch, n);
	}
	free(scratch);
	return run_from_rows(rows, n);
}

/*
 * An insertion and the later removal of one quad cancel out; a removal and the
 * later insertion too, since the quad was there before both.
 */
static size_t merge_rows(const struct row *a, size_t n_a, const struct row *b, size_t n_b,
			 struct row *to)
{
	size_t n = 0, i = 0, k = 0;

	while (i < n_a && k < n_b) {
		int order = row_cmp(&a[i], &b[k]);

		if (order < 0)
			to[n++] = a[i++];
		else if (order > 0)
			to[n++] = b[k++];
		else
			i++, k++;
	}
	memcpy(to + n, a + i, (n_a - i) * sizeof(*to));
	n += n_a - i;
	memcpy(to + n, b + k, (n_b - k) * sizeof(*to));
	return n + n_b - k;
}

struct run *run_merge(const struct run *older, const struct run *newer)
{
	struct row *rows[ORDERS];
	size_t n = 0;

	for (int o = 0; o < ORDERS; o++) {
		rows[o] = xrealloc(NULL, older->n_rows + newer->n_rows + 1,
				   sizeof(*rows[o]));
		n = merge_rows(older->rows[o], older->n_rows, newer->rows[o],
			       newer->n_rows, rows[o]);
	}
	return run_from_rows(rows, n);
}

struct run *run_share(struct run *r)
{
	__atomic_fetch_add(&r->refs, 1, __ATOMIC_RELAXED);
	return r;
}

void run_release(struct run *r)
{
	if (!r || __atomic_sub_fetch(&r->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	for (int o = 0; o < ORDERS; o++) {
		free(r->rows[o]);
		index_file_release(&r->files[o]);
	}
	stats_release(&r->stats);
	free(r);
}

void run_cursor_start(struct run_cursor *c, const struct run *r, enum order order)
{
	*c = (struct run_cursor){ .run = r, .order = order, .block = SIZE_MAX };
}

void run_cursor_release(struct run_cursor *c)
{
	free(c->decoded);
	*c = (struct run_cursor){ 0 };
}

/* The first row in [low, high) that is not before `key` in `columns` columns. */
static const struct row *lower_bound(const struct row *low, const struct row *high,
				     const struct row *key, unsigned columns)
{
	while (low < high) {
		const struct row *middle = low + (high - low) / 2;

		if (row_cmp_prefix(middle, key, columns) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct row *upper_bound(const struct row *low, const struct row *high,
				     const struct row *key, unsigned columns)
{
	while (low < high) {
		const struct row *middle = low + (high - low) / 2;

		if (row_cmp_prefix(middle, key, columns) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * As lower_bound(), from where the last search ended: keys that ascend are found in
 * a step or two.
 */
static const struct row *lower_bound_near(const struct row *low, const struct row *high,
					  const struct row *near, const struct row *key,
					  unsigned columns)
{
	size_t step = 1;

	if (near < low || near >= high || row_cmp_prefix(near, key, columns) >= 0)
		return lower_bound(low, high, key, columns);
	for (low = near + 1; step < (size_t)(high - low); step *= 2) {
		if (row_cmp_prefix(low + step - 1, key, columns) >= 0)
			return lower_bound(low, low + step, key, columns);
		low += step;
	}
	return lower_bound(low, high, key, columns);
}

/* The end of the rows from `low` on that match; mostly there are few. */
static const struct row *match_end(const struct row *low, const struct row *high,
				   const struct row *key, unsigned columns)
{
	size_t step = 1;

	for (; step < (size_t)(high - low); step *= 2) {
		if (row_cmp_prefix(low + step - 1, key, columns) > 0)
			return upper_bound(low, low + step, key, columns);
		low += step;
	}
	return upper_bound(low, high, key, columns);
}

static void seek_in_memory(struct run_cursor *c, const struct row *key, unsigned columns)
{
	const struct row *rows = c->run->rows[c->order], *end = rows + c->run->n_rows;

	c->at = c->near = lower_bound_near(rows, end, c->near, key, columns);
	if (end > c->at && row_cmp_prefix(end - 1, &c->key, c->bound) == 0)
		c->end = end; /* the common case of a scan: the whole rest matches */
	else
		c->end = match_end(c->at, end, &c->key, c->bound);
}

static bool start_block(struct run_cursor *c, size_t block)
{
	if (!c->decoded)
		c->decoded = xrealloc(NULL, INDEX_ROWS_MAX, sizeof(*c->decoded));
	c->n_decoded = 0;
	c->sought_columns = UINT32_MAX;
	c->block = index_walk_start(&c->walk, &c->run->files[c->order], block) ? block
									       : SIZE_MAX;
	c->damaged |= c->walk.damaged;
	return c->block != SIZE_MAX;
}

/* True when the next block begins with rows that still match. */
static bool next_block_matches(const struct run_cursor *c)
{
	const struct index_file *f = &c->run->files[c->order];

	return c->block != SIZE_MAX && c->block + 1 < f->n_blocks &&
	       index_file_matches(f, c->block + 1, &c->key, c->bound);
}

/* Decode what matches from where the walk stands, or `all` when that is known to. */
static void take_matching(struct run_cursor *c, bool all)
{
	c->n_decoded = all ? index_walk_rest(&c->walk, c->decoded)
			   : index_walk_take(&c->walk, &c->key, c->bound, c->decoded);
	c->damaged |= c->walk.damaged;
	c->at = c->decoded;
	c->end = c->decoded + c->n_decoded;
}

/*
 * The walk goes forwards only.  What it passed was before the last key or matched that,
 * so it may go on to a greater one; or to any that is behind the row at hand.
 */
static bool may_go_on(const struct run_cursor *c, const struct row *key, unsigned columns)
{
	if (c->sought_columns == columns && row_cmp_prefix(&c->sought, key, columns) < 0)
		return true;
	return c->walk.more && row_cmp_prefix(&c->walk.at, key, columns) < 0;
}

static void seek_to(struct run_cursor *c, const struct row *key, unsigned columns)
{
	const struct index_file *f = &c->run->files[c->order];
	size_t block;

	if (!c->run->on_disk) {
		seek_in_memory(c, key, columns);
		return;
	}
	c->at = c->end = NULL;
	if (f->n_blocks == 0)
		return;
	block = columns ? index_file_find(f, c->block, key, columns) : 0;
	block -= block > 0; /* the last that begins before the key */
	if (block == c->block && columns == c->sought_columns && columns == c->bound &&
	    row_cmp_prefix(&c->sought, key, columns) == 0) {
		c->at = c->decoded; /* the same again */
		c->end = c->decoded + c->n_decoded;
		return;
	}
	if ((block != c->block || !may_go_on(c, key, columns)) && !start_block(c, block))
		return;
	index_walk_skip(&c->walk, key, columns);
	take_matching(c, false);
}

void run_cursor_seek(struct run_cursor *c, const struct row *key, unsigned bound)
{
	c->key = *key;
	c->bound = bound;
	seek_to(c, key, bound);
	c->sought = *key;
	c->sought_columns = bound;
}

void run_cursor_skip(struct run_cursor *c, const struct row *key, unsigned columns)
{
	if (c->at < c->end && row_cmp_prefix(c->end - 1, key, columns) >= 0) {
		c->at = lower_bound(c->at, c->end, key, columns);
		return;
	}
	seek_to(c, key, columns);
	c->sought_columns = UINT32_MAX; /* not all that match the key are decoded */
}

bool run_cursor_fill(struct run_cursor *c)
{
	if (c->at < c->end)
		return true;
	if (!c->run->on_disk || c->walk.more || !next_block_matches(c) ||
	    !start_block(c, c->block + 1))
		return false;
	take_matching(c, next_block_matches(c));
	return c->at < c->end;
}

static int64_t live_between(const struct row *from, const struct row *to)
{
	int64_t n = 0;

	for (; from < to; from++)
		n += row_is_gone(from) ? -1 : 1;
	return n;
}

/* Live rows before the first that is not before the key. */
static int64_t live_before(struct run_cursor *c, const struct row *key, unsigned bound)
{
	const struct index_file *f = &c->run->files[c->order];
	size_t block = index_file_find(f, SIZE_MAX, key, bound), n;
	struct row rows[INDEX_ROWS_MAX];
	struct index_walk w;

	if (block-- == 0)
		return 0;
	if (!index_walk_start(&w, f, block)) {
		c->damaged = true;
		return 0;
	}
	n = index_walk_rest(&w, rows);
	c->damaged |= w.damaged;
	return (int64_t)f->live_before[block] +
	       live_between(rows, lower_bound(rows, rows + n, key, bound));
}

int64_t run_count(struct run_cursor *c, const struct row *key, unsigned bound)
{
	const struct row *rows = c->run->rows[c->order];

	if (bound == 0)
		return c->run->n_live;
	if (c->run->on_disk) {
		struct row behind = *key;

		behind.v[bound - 1]++;
		return live_before(c, &behind, bound) - live_before(c, key, bound);
	}
	const struct row *from = lower_bound(rows, rows + c->run->n_rows, key, bound);

	return live_between(from, upper_bound(from, rows + c->run->n_rows, key, bound));
}
