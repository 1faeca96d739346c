/*
 * Rows are sorted as ranks of 32 bits, not as ids of 64: half the bytes to move, and
 * only as many passes as the ranks have bits.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "store/bulk_internal.h"

#define DIGIT_BITS 11
#define DIGITS     ((size_t)1 << DIGIT_BITS)

/* The ids of some chunks in order, and the rank of every local number. */
struct ranking {
	uint64_t *ids; /* by rank */
	size_t n;
	uint32_t **ranks; /* of each chunk, by local number */
};

static void rank_ids(struct bulk_chunk **chunks, size_t n, struct ranking *r)
{
	size_t all = 0, at = 0;
	struct sort_pair *pairs, *scratch;

	for (size_t i = 0; i < n; i++)
		all += chunks[i]->n;
	pairs = xrealloc(NULL, all + 1, sizeof(*pairs));
	scratch = xrealloc(NULL, all + 1, sizeof(*scratch));
	r->ranks = xcalloc(n, sizeof(*r->ranks));
	for (size_t i = 0; i < n; i++) {
		r->ranks[i] = xcalloc(chunks[i]->n + 1, sizeof(**r->ranks));
		for (size_t k = 0; k < chunks[i]->n; k++)
			pairs[at++] =
				(struct sort_pair){ chunks[i]->ids[k], i << 32 | k };
	}
	sort_pairs(pairs, scratch, all);
	free(scratch);
	r->ids = xrealloc(NULL, all + 1, sizeof(*r->ids));
	for (size_t i = 0; i < all; i++) {
		if (i == 0 || pairs[i].key != pairs[i - 1].key)
			r->ids[r->n++] = pairs[i].key;
		r->ranks[pairs[i].value >> 32][(uint32_t)pairs[i].value] =
			(uint32_t)(r->n - 1);
	}
	free(pairs);
}

static void ranking_release(struct ranking *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(r->ranks[i]);
	free(r->ranks);
	free(r->ids);
}

static void radix_pass(const struct local_row *from, struct local_row *to, size_t n,
		       int c, unsigned shift)
{
	size_t at[DIGITS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[(from[i].v[c] >> shift) & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t count = at[d];

		at[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[(from[i].v[c] >> shift) & (DIGITS - 1)]++] = from[i];
}

/* Gives the array that holds the result: one of the two. */
static struct local_row *sort_rows(struct local_row *rows, struct local_row *scratch,
				   size_t n)
{
	uint32_t most[4] = { 0 };

	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < 4; c++)
			most[c] |= rows[i].v[c];
	for (int c = 3; c >= 0; c--)
		for (unsigned shift = 0; shift < 32 && most[c] >> shift;
		     shift += DIGIT_BITS) {
			radix_pass(rows, scratch, n, c, shift);
			SWAP(rows, scratch);
		}
	return rows;
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

struct order_job {
	struct bulk *bulk;
	struct bulk_chunk **chunks;
	size_t n_chunks, n_rows;
	const struct ranking *ranking;
	uint64_t number;
	const struct snapshot *known;
	enum order order;
	struct stats_gather *gather;
	struct thread thread;
	enum status st;
	struct diag why;
};

static enum status write_sorted(struct order_job *j, const struct local_row *rows,
				struct index_writer *w)
{
	struct known_rows known;
	enum status st = ST_OK;

	known_open(&known, j->known, j->order);
	for (size_t i = 0; st == ST_OK && i < j->n_rows; i++) {
		struct row r;

		if (i && memcmp(&rows[i], &rows[i - 1], sizeof(rows[i])) == 0)
			continue;
		for (int c = 0; c < 4; c++)
			r.v[c] = j->ranking->ids[rows[i].v[c]];
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
	struct local_row *rows = xrealloc(NULL, j->n_rows + 1, sizeof(*rows));
	struct local_row *scratch = xrealloc(NULL, j->n_rows + 1, sizeof(*scratch)),
			 *sorted;
	cleanup(index_writer_release) struct index_writer w = { 0 };
	char *path = store_path(j->bulk->store, j->number, order_name[j->order]);
	size_t n = 0;

	for (size_t i = 0; i < j->n_chunks; i++) {
		const uint32_t *rank = j->ranking->ranks[i];

		for (size_t k = 0; k < j->chunks[i]->n_rows; k++) {
			const struct local_row *from = &j->chunks[i]->rows[k];

			rows[n].v[0] = rank[from->v[0]];
			for (int c = 0; c < 3; c++)
				rows[n].v[order_column[j->order][c]] =
					rank[from->v[1 + c]];
			n++;
		}
	}
	sorted = sort_rows(rows, scratch, n);
	j->st = index_writer_open(&w, path, j->order, &j->why);
	if (j->st == ST_OK)
		j->st = write_sorted(j, sorted, &w);
	free(rows);
	free(scratch);
	free(path);
}

static enum status run_orders(struct order_job *jobs, struct diag *why)
{
	enum status st = ST_OK;

	/* Two at a time: the third when the first is done. */
	for (int o = 0; o < ORDERS; o++) {
		if (o >= 2)
			thread_join(&jobs[o - 2].thread);
		if (thread_start(&jobs[o].thread, "kb-sort", run_order, &jobs[o], why) !=
		    ST_OK)
			run_order(&jobs[o]);
	}
	for (int o = 0; o < ORDERS; o++)
		thread_join(&jobs[o].thread);
	for (int o = 0; o < ORDERS && st == ST_OK; o++)
		if (jobs[o].st != ST_OK)
			st = diag_fail(why, jobs[o].st, "%s", jobs[o].why.text);
	return st;
}

enum status bulk_write_rows(struct bulk *b, struct bulk_chunk **chunks, size_t n,
			    uint64_t number, const struct snapshot *known,
			    struct diag *why)
{
	cleanup(stats_release) struct stats spo = { 0 }, pos = { 0 };
	struct stats_gather gather[2] = { { .to = &spo }, { .to = &pos } };
	struct order_job jobs[ORDERS] = { 0 };
	struct ranking r = { 0 };
	size_t rows = 0;
	enum status st;

	for (size_t i = 0; i < n; i++) {
		TRY(chunk_unspill(chunks[i], why));
		rows += chunks[i]->n_rows;
	}
	rank_ids(chunks, n, &r);
	for (enum order o = 0; o < ORDERS; o++)
		jobs[o] = (struct order_job){ .bulk = b,
					      .chunks = chunks,
					      .n_chunks = n,
					      .n_rows = rows,
					      .ranking = &r,
					      .number = number,
					      .known = known,
					      .order = o,
					      .gather = o < 2 ? &gather[o] : NULL };
	st = run_orders(jobs, why);
	ranking_release(&r, n);
	TRY(st);
	stats_end(&gather[0]);
	stats_join(&spo, &pos);
	char *path = store_path(b->store, number, "stat");
	st = stats_save(&spo, path, why);
	free(path);
	return st;
}
