/* Phases 2 to 4 of batch.h. */
#include "dup/batch_run.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "hamming/hamming.h"
#include "method/method_bits.h"
#include "method/method_sets.h"
#include "os/extsort.h"

/* In a group larger than this, documents meet only the best of it: else it is quadratic.
 */
#define GROUP_ALL  48
#define GROUP_BEST 16
#define TICK_EVERY 4096

static enum status tick(const struct batch *b, const char *stage, uint64_t done,
			uint64_t total, struct diag *why)
{
	if (!b->options.tick || done % TICK_EVERY != 0)
		return ST_OK;
	return b->options.tick(b->options.tick_arg, stage, done, total, why);
}

struct group {
	uint32_t *docs;
	size_t n, cap;
	uint32_t *rank;
};

static int by_rank(const void *a, const void *b, void *rank)
{
	const uint32_t *r = rank;
	uint32_t x = r[*(const uint32_t *)a], y = r[*(const uint32_t *)b];

	return (x > y) - (x < y);
}

static enum status add_pair(struct extsort *to, uint32_t a, uint32_t b, struct diag *why)
{
	char record[8];

	put_be(record, MIN(a, b), 4);
	put_be(record + 4, MAX(a, b), 4);
	return extsort_add(to, (struct str){ record, sizeof(record) }, why);
}

static enum status pair_group(struct group *g, struct extsort *to, struct diag *why)
{
	size_t heads = g->n;

	if (g->n > GROUP_ALL) {
		qsort_r(g->docs, g->n, sizeof(*g->docs), by_rank, g->rank);
		heads = GROUP_BEST;
	}
	for (size_t i = 0; i < heads; i++)
		for (size_t j = i + 1; j < g->n; j++)
			TRY(add_pair(to, g->docs[i], g->docs[j], why));
	return ST_OK;
}

/* Runs of equal keys become pairs. */
static enum status make_pairs(struct batch *b, struct extsort *keys,
			      struct extsort *pairs, uint32_t *rank, struct diag *why)
{
	struct group g = { .rank = rank };
	uint64_t key = 0, seen = 0;
	struct str record;
	enum status st;

	while ((st = extsort_next(keys, &record, why)) == ST_OK) {
		uint64_t k = get_be(record.p, 8);

		st = tick(b, "pairs", ++seen, keys->added, why);
		if (st == ST_OK && g.n && k != key) {
			st = pair_group(&g, pairs, why);
			g.n = 0;
		}
		if (st != ST_OK)
			break;
		key = k;
		VEC_ADD(g.docs, g.n, g.cap, (uint32_t)get_be(record.p + 8, 4));
	}
	if (st == ST_AGAIN)
		st = pair_group(&g, pairs, why);
	free(g.docs);
	return st;
}

/* Those before it within the distance; a document may have many. */
static void add_near(struct batch *b, const struct hamming *h, const uint64_t *print_of,
		     struct hamming_pair p, struct group *found)
{
	unsigned k = (unsigned)MAX(b->options.threshold, 0.0);

	do {
		VEC_RESERVE(found->docs, found->cap, MAX(2 * found->n, (size_t)64));
		found->n = hamming_find(h, p.print, k, found->docs, found->cap);
	} while (found->n == found->cap);
	b->candidates += found->n;
	for (size_t i = 0; i < found->n; i++) {
		uint64_t other = print_of[found->docs[i]];
		float distance = (float)__builtin_popcountll(p.print ^ other);

		VEC_ADD(b->pairs, b->n_pairs, b->cap_pairs,
			(struct near_pair){ found->docs[i], p.doc, distance });
	}
}

/* Phases 2 and 3 for fingerprints of 64 bits: each asks for those before it. */
static enum status find_by_bits(struct batch *b, struct diag *why)
{
	struct arena a = { 0 };
	struct hamming_options how = { .dir = path_join(&a, b->dir, STR("hamming")),
				       .memory_bytes = b->options.memory_bytes };
	struct hamming *h = NEW(struct hamming);
	uint64_t *print_of = xcalloc(b->n + 1, sizeof(*print_of));
	struct group found = { 0 };
	enum status st = ST_OK;

	/* Made again from the log: what an interrupted run left there is of no use. */
	if (dir_exists(how.dir))
		st = dir_remove(how.dir, why);
	if (st == ST_OK)
		st = hamming_open(h, &how, why);
	for (size_t i = 0; st == ST_OK && i < b->n_prints; i++) {
		struct hamming_pair p = b->prints[i];

		print_of[p.doc] = p.print;
		add_near(b, h, print_of, p, &found);
		st = hamming_add(h, p.print, p.doc, why);
		if (st == ST_OK)
			st = tick(b, "pairs", i, b->n_prints, why);
	}
	hamming_release(h);
	free(h);
	free(print_of);
	free(found.docs);
	arena_release(&a);
	return st;
}

/* Phases 2 and 3. */
static enum status find_pairs(struct batch *b, uint32_t *rank, struct diag *why)
{
	cleanup(extsort_release) struct extsort pairs = { 0 };
	struct arena a = { 0 };

	if (method_bits(b->options.method) == 64) {
		TRY(find_by_bits(b, why));
		return batch_options_verify(&b->options) ? batch_verify_found(b, why)
							 : ST_OK;
	}
	struct extsort_options by_pair = { .dir = path_join(&a, b->dir, STR("pairs")),
					   .memory_bytes = b->options.memory_bytes / 3,
					   .record_bytes = 8,
					   .unique_bytes = SIZE_MAX };

	extsort_init(&pairs, &by_pair);
	arena_release(&a);
	TRY(extsort_sort(&b->keys, why));
	TRY(make_pairs(b, &b->keys, &pairs, rank, why));
	extsort_release(&b->keys);
	TRY(extsort_sort(&pairs, why));
	return batch_verify(b, &pairs, why);
}

/* Of the documents with one text the best stands for all. */
static void best_twins(const struct batch *b, const uint32_t *rank, uint32_t *ret_best)
{
	for (size_t i = 0; i < b->n; i++) {
		uint32_t first = b->same[i];

		if (first == i)
			ret_best[i] = (uint32_t)i;
		if (rank[i] < rank[ret_best[first]])
			ret_best[first] = (uint32_t)i;
	}
}

/* Phase 4: clusters of texts, then of documents. */
/* Twins are told by their texts or digests of them; otherwise by equal fingerprints,
 * which different texts may have: that is near, as near as can be. */
static bool twins_are_exact(const struct batch *b)
{
	const struct method *m = b->options.method;

	return batch_is_fast(b) || b->options.verify || m->make == text_digest_make ||
	       m->make == payload_digest_make;
}

static void make_clusters(struct batch *b, const uint32_t *rank)
{
	bool exact = twins_are_exact(b);
	uint32_t *best = xcalloc(b->n + 1, sizeof(*best));
	uint32_t *node_rank = xcalloc(b->n + 1, sizeof(*node_rank));
	struct clustered *c = xcalloc(b->n + 1, sizeof(*c));
	uint32_t next = 0;

	best_twins(b, rank, best);
	/* The first of a text takes the rank of its best; the others take what is left
	 * over. */
	for (size_t i = 0; i < b->n; i++)
		node_rank[i] = rank[i];
	for (size_t i = 0; i < b->n; i++)
		if (b->same[i] == i)
			SWAP(node_rank[i], node_rank[best[i]]);
	cluster(&(struct cluster_options){ b->n, b->pairs, b->n_pairs, node_rank,
					   b->options.hops },
		c);
	uint32_t *sizes = node_rank, *numbers = xcalloc(b->n + 1, sizeof(*numbers));
	for (size_t i = 0; i < b->n; i++)
		sizes[i] = 0;
	for (size_t i = 0; i < b->n; i++)
		sizes[c[b->same[i]].representative]++;
	for (size_t i = 0; i < b->n; i++) {
		uint32_t node = b->same[i], head = c[node].representative;
		struct batch_result *r = &b->results[i];

		if (numbers[head] == 0)
			numbers[head] = ++next;
		r->representative = best[head];
		r->cluster = numbers[head] - 1;
		r->size = sizes[head];
		r->kind = best[head] == i         ? BATCH_KEPT
			  : node == head && exact ? BATCH_EXACT
						  : BATCH_NEAR;
		r->measure = node != head ? (double)c[node].measure
			     : b->options.method->smaller_is_nearer ? 0
								    : 1;
	}
	free(best);
	free(node_rank);
	free(numbers);
	free(c);
}

enum status batch_run(struct batch *b, struct diag *why)
{
	uint32_t *rank = xcalloc(b->n + 1, sizeof(*rank));
	keep_ranks(b->options.keep, b->facts, b->n, rank);
	b->n_pairs = 0;
	b->candidates = 0;
	shingle_set_release(&b->common);
	enum status st = find_pairs(b, rank, why);
	if (st == ST_OK) {
		free(b->results);
		b->results = xcalloc(b->n + 1, sizeof(*b->results));
		make_clusters(b, rank);
	}
	free(rank);
	return st;
}
