#include "store/segment_writer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/heap.h"

#define PASS_BLOCKS 512

/* A run of the merge; `age` tells older from newer. */
struct merge_run {
	struct run_cursor *cursor;
	size_t age;
	size_t passed; /* blocks that were given back */
};

static bool goes_before(const struct merge_run *a, const struct merge_run *b)
{
	int order = row_cmp(a->cursor->at, b->cursor->at);

	return order ? order < 0 : a->age > b->age; /* the newest word first */
}

HEAP_DEFINE(merge_heap, struct merge_run, goes_before)

/* The runs of one order as one, row by row. */
struct merging {
	struct run_cursor *cursors;
	size_t n;
	struct merge_heap heap;
	bool unite; /* the runs are one set each, not words one after the other */
};

static void merging_start(struct merging *m, const struct run *const *runs, size_t n,
			  enum order order)
{
	*m = (struct merging){ .n = n };
	m->cursors = xcalloc(n, sizeof(*m->cursors));
	for (size_t i = 0; i < n; i++) {
		run_cursor_start(&m->cursors[i], runs[i], order);
		run_cursor_seek(&m->cursors[i], &(struct row){ { 0 } }, 0);
		if (run_cursor_fill(&m->cursors[i]))
			merge_heap_add(&m->heap,
				       (struct merge_run){ &m->cursors[i], i, 0 });
	}
}

static void merging_release(struct merging *m)
{
	for (size_t i = 0; i < m->n; i++)
		run_cursor_release(&m->cursors[i]);
	free(m->cursors);
	merge_heap_release(&m->heap);
}

/* Mapped pages count as memory: those behind the merge go, or all files would stay. */
static void give_back(struct merge_run *r)
{
	const struct run_cursor *c = r->cursor;
	size_t n = c->block - r->passed;

	map_file_pass_part((struct str){ (const char *)c->run->files[c->order].blocks +
						 r->passed * INDEX_BLOCK_BYTES,
					 n * INDEX_BLOCK_BYTES });
	r->passed = c->block;
}

static void merging_skip(struct merging *m)
{
	struct run_cursor *first = m->heap.v[0].cursor;

	first->at++;
	if (first->run->on_disk && first->block >= m->heap.v[0].passed + PASS_BLOCKS)
		give_back(&m->heap.v[0]);
	if (!run_cursor_fill(first))
		m->heap.v[0] = m->heap.v[--m->heap.n];
	merge_heap_down(&m->heap, 0);
}

/*
 * Words about one quad alternate, so an even number of them cancels out and an
 * odd number says what the newest says.
 */
static bool merging_next(struct merging *m, struct row *ret)
{
	while (m->heap.n) {
		unsigned words = 0;

		*ret = *m->heap.v[0].cursor->at;
		do {
			merging_skip(m);
			words++;
		} while (m->heap.n && row_cmp(m->heap.v[0].cursor->at, ret) == 0);
		if (words % 2 || m->unite)
			return true;
	}
	return false;
}

static bool merging_is_damaged(const struct merging *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->cursors[i].damaged)
			return true;
	return false;
}

static enum status write_rows(struct index_writer *w, struct merging *m, enum order o,
			      struct stats_gather *g, struct diag *why)
{
	struct row r;

	while (merging_next(m, &r)) {
		TRY(index_writer_add(w, &r, why));
		if (o == ORDER_SPO)
			stats_add_spo(g, &r);
		else if (o == ORDER_POS)
			stats_add_pos(g, &r);
	}
	if (merging_is_damaged(m))
		return diag_fail(why, ST_CORRUPT,
				 "a block fails its checksum: not merged");
	return index_writer_end(w, why);
}

static enum status write_order(const struct store *s, uint64_t number, enum order o,
			       const struct run *const *runs, size_t n, bool unite,
			       struct stats_gather *g, struct diag *why)
{
	cleanup(index_writer_release) struct index_writer w = { 0 };
	struct merging m;
	char *path = store_path(s, number, order_name[o]);
	enum status st = index_writer_open(&w, path, o, why);

	free(path);
	TRY(st);
	merging_start(&m, runs, n, o);
	m.unite = unite;
	st = write_rows(&w, &m, o, g, why);
	merging_release(&m);
	return st;
}

static enum status write_segment(const struct store *s, uint64_t number,
				 const struct run *const *runs, size_t n, bool unite,
				 struct diag *why)
{
	cleanup(stats_release) struct stats stats = { 0 };
	struct stats_gather g = { .to = &stats };
	char *path;
	enum status st;

	for (enum order o = 0; o < ORDERS; o++)
		TRY(write_order(s, number, o, runs, n, unite, &g, why));
	stats_end(&g);
	path = store_path(s, number, "stat");
	st = stats_save(&stats, path, why);
	free(path);
	return st;
}

enum status segment_write(const struct store *s, uint64_t number,
			  const struct run *const *runs, size_t n, struct diag *why)
{
	return write_segment(s, number, runs, n, false, why);
}

enum status segment_unite(const struct store *s, uint64_t number,
			  const struct run *const *runs, size_t n, struct diag *why)
{
	return write_segment(s, number, runs, n, true, why);
}
