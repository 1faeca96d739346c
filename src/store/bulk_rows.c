/*
 * One sort gives all three orders: rows in the order of SPO, dealt out by O without
 * disturbing equals, stand in the order of OSP; those, dealt out by P, in that of POS.
 * An order is written while the next is sorted.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/bulk_rank.h"

#define DIGIT_BITS 11 /* at most: the ends of all buckets stay in the cache */
#define DIGITS     ((size_t)1 << DIGIT_BITS)

enum column { GRAPH, SUBJECT, PREDICATE, OBJECT, COLUMNS };

/* Rows of ranks: in one of three arrays, while another may be read by a writer. */
struct row_array {
	struct local_row *arrays[3];
	int at, busy; /* busy: -1 for none */
	size_t n;
	uint32_t most[COLUMNS]; /* bits that any value of a column has */
	bool varies[COLUMNS];
};

static void radix_pass(const struct local_row *from, struct local_row *to, size_t n,
		       enum column c, unsigned shift, uint32_t mask)
{
	size_t at[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[(from[i].v[c] >> shift) & mask]++;
	for (size_t d = 0; d <= mask; d++) {
		size_t count = at[d];

		at[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[(from[i].v[c] >> shift) & mask]++] = from[i];
}

/* Sort by one column; rows that agree in it keep their order. */
static void deal_by(struct row_array *a, enum column c)
{
	unsigned bits = a->most[c] ? 32 - (unsigned)__builtin_clz(a->most[c]) : 0,
		 passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS,
		 digit = passes ? (bits + passes - 1) / passes : 0;

	for (unsigned i = 0; a->varies[c] && i < passes; i++) {
		int to = 0;

		while (to == a->at || to == a->busy)
			to++;
		radix_pass(a->arrays[a->at], a->arrays[to], a->n, c, i * digit,
			   ((uint32_t)1 << digit) - 1);
		a->at = to;
	}
}

/* Rows that the store has already are left out: every run holds only what is new. */
struct known_rows {
	struct run_cursor *cursors;
	size_t n;
};

static void known_open(struct known_rows *k, const struct snapshot *s, enum order o)
{
	k->n = s->n_runs;
	k->cursors = xcalloc(k->n + 1, sizeof(*k->cursors));
	for (size_t i = 0; i < k->n; i++)
		run_cursor_start(&k->cursors[i], s->runs[i], o);
}

static bool known_has(struct known_rows *k, const struct row *r)
{
	for (size_t i = k->n; i-- > 0;) {
		run_cursor_seek(&k->cursors[i], r, 4);
		if (run_cursor_fill(&k->cursors[i]))
			return !row_is_gone(k->cursors[i].at);
	}
	return false;
}

static void known_close(struct known_rows *k)
{
	for (size_t i = 0; i < k->n; i++)
		run_cursor_release(&k->cursors[i]);
	free(k->cursors);
}

/* One order, on its way to its file. */
struct order_job {
	const struct store *store;
	const struct local_row *rows;
	size_t n_rows;
	const struct ranking *ranking;
	uint64_t number;
	const struct snapshot *known;
	enum order order;
	struct stats_gather *gather;
	struct thread thread;
	enum status st;
	struct diag why;
};

static enum status write_sorted(struct order_job *j, struct index_writer *w)
{
	const uint8_t *column = order_column[j->order];
	const struct local_row *rows = j->rows;
	struct known_rows known;
	enum status st = ST_OK;

	known_open(&known, j->known, j->order);
	for (size_t i = 0; st == ST_OK && i < j->n_rows; i++) {
		struct row r;

		if (i && memcmp(&rows[i], &rows[i - 1], sizeof(rows[i])) == 0)
			continue;
		r.v[0] = ranking_id(j->ranking, rows[i].v[GRAPH]);
		for (int c = 0; c < 3; c++)
			r.v[column[c]] = ranking_id(j->ranking, rows[i].v[1 + c]);
		if (known.n && known_has(&known, &r))
			continue;
		st = index_writer_add(w, &r, &j->why);
		if (j->order == ORDER_SPO)
			stats_add_spo(j->gather, &r);
		else if (j->order == ORDER_POS)
			stats_add_pos(j->gather, &r);
	}
	known_close(&known);
	return st == ST_OK ? index_writer_end(w, &j->why) : st;
}

static void run_order(void *job)
{
	struct order_job *j = job;
	cleanup(index_writer_release) struct index_writer w = { 0 };
	char *path = store_path(j->store, j->number, order_name[j->order]);

	j->st = index_writer_open(&w, path, j->order, &j->why);
	if (j->st == ST_OK)
		j->st = write_sorted(j, &w);
	free(path);
}

static void start_order(struct order_job *j, struct row_array *a)
{
	j->rows = a->arrays[a->at];
	a->busy = a->at;
	if (thread_start(&j->thread, "kb-write", run_order, j, NULL) != ST_OK)
		run_order(j);
}

/* The first array is that of the first chunk, grown: memory not touched is cheap. */
static void make_arrays(struct row_array *a, struct bulk_chunk **chunks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a->n += chunks[i]->n_rows;
	a->arrays[0] = xrealloc_large(n ? TAKE(chunks[0]->rows) : NULL, a->n + 1,
				      sizeof(*a->arrays[0]));
	for (int i = 1; i < 3; i++)
		a->arrays[i] = xcalloc(a->n + 1, sizeof(*a->arrays[i]));
}

/* The rows of the chunks as ranks; the chunks' own are given back. */
static void gather_rows(struct row_array *a, struct bulk_chunk **chunks,
			const struct ranking *r)
{
	uint32_t all[COLUMNS] = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX };
	struct local_row *to = a->arrays[0];

	for (size_t i = 0; i < r->n_chunks; i++) {
		const struct local_row *from = chunk_rows(chunks[i]);
		const uint32_t *rank = r->ranks[i];

		from = from ? from : to; /* where the chunk's array was taken over */
		for (size_t k = 0; k < chunks[i]->n_rows; k++, to++)
			for (int c = 0; c < COLUMNS; c++) {
				to->v[c] = rank[from[k].v[c]];
				a->most[c] |= to->v[c];
				all[c] &= to->v[c];
			}
		chunk_drop_rows(chunks[i]);
	}
	for (int c = 0; c < COLUMNS; c++)
		a->varies[c] = a->most[c] != all[c];
}

static enum status write_orders(struct row_array *a, struct order_job jobs[ORDERS],
				struct diag *why)
{
	deal_by(a, OBJECT);
	deal_by(a, PREDICATE);
	deal_by(a, SUBJECT);
	deal_by(a, GRAPH);
	start_order(&jobs[ORDER_SPO], a);
	deal_by(a, OBJECT);
	deal_by(a, GRAPH);
	thread_join(&jobs[ORDER_SPO].thread);
	start_order(&jobs[ORDER_OSP], a);
	deal_by(a, PREDICATE);
	deal_by(a, GRAPH);
	start_order(&jobs[ORDER_POS], a);
	for (int o = 0; o < ORDERS; o++)
		thread_join(&jobs[o].thread);
	for (int o = 0; o < ORDERS; o++)
		if (jobs[o].st != ST_OK)
			return diag_fail(why, jobs[o].st, "%s", jobs[o].why.text);
	return ST_OK;
}

static enum status sort_and_write(struct order_job jobs[ORDERS],
				  struct bulk_chunk **chunks, const struct ranking *r,
				  struct diag *why)
{
	struct row_array a = { .busy = -1 };
	enum status st;

	make_arrays(&a, chunks, r->n_chunks);
	gather_rows(&a, chunks, r);
	for (int o = 0; o < ORDERS; o++)
		jobs[o].n_rows = a.n;
	st = write_orders(&a, jobs, why);
	for (int i = 0; i < 3; i++)
		free(a.arrays[i]);
	return st;
}

enum status bulk_write_rows(struct bulk *b, struct bulk_chunk **chunks, size_t n,
			    const struct bulk_numbers *numbers, uint64_t number,
			    const struct snapshot *known, struct diag *why)
{
	cleanup(stats_release) struct stats spo = { 0 }, pos = { 0 };
	struct stats_gather gather[2] = { { .to = &spo }, { .to = &pos } };
	cleanup(ranking_release) struct ranking r = { 0 };
	struct order_job jobs[ORDERS] = { 0 };

	TRY(ranking_make(&r, chunks, n, numbers, why));
	for (enum order o = 0; o < ORDERS; o++)
		jobs[o] = (struct order_job){ .store = b->store,
					      .ranking = &r,
					      .number = number,
					      .known = known,
					      .order = o,
					      .gather = o < 2 ? &gather[o] : NULL };
	TRY(sort_and_write(jobs, chunks, &r, why));
	stats_end(&gather[0]);
	stats_join(&spo, &pos);
	char *path = store_path(b->store, number, "stat");
	enum status st = stats_save(&spo, path, why);
	free(path);
	return st;
}
