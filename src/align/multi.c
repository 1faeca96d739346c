#include "align/multi.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/heap.h"

#define STREAM_TOKENS ((size_t)1 << 20) /* written until what is old is dropped */

struct ranked {
	uint64_t rank;
	struct str url;
};

static bool ranks_before(const struct ranked *a, const struct ranked *b)
{
	return a->rank != b->rank ? a->rank < b->rank : str_cmp(a->url, b->url) < 0;
}

/* Insertion into the k best so far: k is small, and most URLs are turned away at once. */
static size_t sample_few(const struct str *urls, size_t n, size_t k, uint64_t seed,
			 struct str *ret)
{
	struct ranked best[SAMPLE_PAIRED_MAX];
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct ranked r = { hash64_seeded(urls[i], seed), urls[i] };
		size_t at = kept;

		if (kept == k && (k == 0 || !ranks_before(&r, &best[k - 1])))
			continue;
		while (at > 0 && ranks_before(&r, &best[at - 1]))
			at--;
		if (at > 0 && best[at - 1].rank == r.rank &&
		    str_eq(best[at - 1].url, r.url))
			continue;
		kept += kept < k;
		for (size_t j = kept - 1; j > at; j--)
			best[j] = best[j - 1];
		best[at] = r;
	}
	for (size_t i = 0; i < kept; i++)
		ret[i] = best[i].url;
	return kept;
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return ranks_before(x, y) ? -1 : ranks_before(y, x);
}

/* A large part of the cluster, or all of it. */
static size_t sample_many(const struct str *urls, size_t n, size_t k, uint64_t seed,
			  struct str *ret)
{
	struct ranked *all = xrealloc(NULL, n + 1, sizeof(*all));
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		all[i] = (struct ranked){ hash64_seeded(urls[i], seed), urls[i] };
	qsort(all, n, sizeof(*all), by_rank);
	for (size_t i = 0; i < n && kept < k; i++)
		if (i == 0 || !str_eq(all[i].url, all[i - 1].url))
			ret[kept++] = all[i].url;
	free(all);
	return kept;
}

size_t sample_urls(const struct str *urls, size_t n, size_t k, uint64_t seed,
		   struct str *ret)
{
	k = MIN(MIN(k, n), SAMPLE_MAX);
	return k <= SAMPLE_PAIRED_MAX ? sample_few(urls, n, k, seed, ret)
				      : sample_many(urls, n, k, seed, ret);
}

/* A pair of sequences, aligned (the tuples of algorithm 1). */
struct aligned_pair {
	int32_t score;
	uint32_t x, y; /* numbers of sequences, x < y */
	struct consensus consensus;
};

static bool aligns_before(const struct aligned_pair *a, const struct aligned_pair *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	return a->x != b->x ? a->x < b->x : a->y < b->y;
}

HEAP_DEFINE(pair_heap, struct aligned_pair, aligns_before)

struct progress {
	struct consensus seq[2 * SAMPLE_PAIRED_MAX];
	bool used[2 * SAMPLE_PAIRED_MAX]; /* already part of a consensus */
	uint32_t n;
	struct pair_heap queue;
};

/* The new sequence with every one that is still to be aligned. */
static void add_pairs(struct multi *m, struct progress *p, struct consensus new)
{
	uint32_t nr = p->n++;

	p->seq[nr] = new;
	for (uint32_t i = 0; i < nr; i++) {
		struct aligned_pair pair = { .x = i, .y = nr };

		if (p->used[i])
			continue;
		pair.score = align(&m->aligner, &p->seq[i], &p->seq[nr], &m->arena,
				   &pair.consensus);
		pair_heap_add(&p->queue, pair);
	}
}

static void count_similarity(struct multi *m, int32_t score, size_t x, size_t y)
{
	m->similarity += (double)score / ALIGN_ONE / (double)MAX(MAX(x, y), 1);
	m->alignments++;
}

/* Algorithm 1: (n - 1)^2 alignments, each done once; a pair brings its consensus along.
 */
static enum status align_progressive(struct multi *m, const struct consensus *urls,
				     size_t n, struct consensus *ret)
{
	struct progress *p = arena_alloc(&m->arena, sizeof(*p));
	enum status st = ST_OK;
	struct aligned_pair next;

	*p = (struct progress){ 0 };
	for (size_t i = 0; i < n; i++)
		add_pairs(m, p, urls[i]);
	while (st == ST_OK && pair_heap_take(&p->queue, &next)) {
		if (p->used[next.x] || p->used[next.y])
			continue;
		p->used[next.x] = p->used[next.y] = true;
		count_similarity(m, next.score, p->seq[next.x].n, p->seq[next.y].n);
		if (next.consensus.n > CONSENSUS_MAX)
			st = ST_TOO_LARGE;
		else
			add_pairs(m, p, next.consensus);
	}
	*ret = p->seq[p->n - 1];
	pair_heap_release(&p->queue);
	return st;
}

/* Algorithm 4. */
static enum status align_linear(struct multi *m, const struct consensus *urls, size_t n,
				struct consensus *ret)
{
	struct consensus s = urls[0];

	for (size_t i = 1; i < n; i++) {
		align(&m->aligner, &urls[i], &s, &m->arena, &s);
		if (s.n > CONSENSUS_MAX)
			return ST_TOO_LARGE;
	}
	*ret = s;
	return ST_OK;
}

/* Into another arena: of all that was aligned so far only the consensus is needed. */
static struct consensus consensus_copy(const struct consensus *c, struct arena *in)
{
	struct consensus to = { arena_alloc(in, (c->n + 1) * sizeof(*to.v)), c->n };

	for (size_t i = 0; i < c->n; i++) {
		size_t n = c->v[i].n > 1 ? c->v[i].n - 1u : 0u;
		struct token *more = n ? arena_alloc(in, n * sizeof(*more)) : NULL;

		if (n)
			memcpy(more, c->v[i].more, n * sizeof(*more));
		to.v[i] = c->v[i];
		to.v[i].more = more;
	}
	return to;
}

/*
 * The same for clusters of any size: each URL is cut when its turn comes, and what was
 * aligned before is dropped now and then, or the sets of 50,000 URLs, written anew with
 * each of them, would fill the memory.
 */
static enum status align_stream(struct multi *m, const struct str *urls, size_t n,
				struct consensus *ret)
{
	struct consensus s = { 0 };
	size_t usable = 0, tokens = 0;

	for (size_t i = 0; i < n; i++) {
		if (tokens_split(&m->tokens, urls[i]) != ST_OK || m->tokens.n == 0)
			continue;
		struct consensus one =
			consensus_of(m->tokens.v, m->tokens.n, i, &m->arena);
		if (usable++ == 0) {
			s = one;
			continue;
		}
		size_t columns = s.n;
		int32_t score = align(&m->aligner, &one, &s, &m->arena, &s);
		count_similarity(m, score, one.n, columns);
		if (s.n > CONSENSUS_MAX)
			return ST_TOO_LARGE;
		for (size_t k = 0; k < s.n; k++)
			tokens += s.v[k].n;
		if (tokens < STREAM_TOKENS)
			continue;
		tokens = 0;
		s = consensus_copy(&s, &m->spare);
		SWAP(m->arena, m->spare);
		arena_reset(&m->spare);
	}
	*ret = s;
	return usable < 2 ? ST_NOT_FOUND : ST_OK;
}

enum status multi_align(struct multi *m, enum multi_method method, const struct str *urls,
			size_t n, struct consensus *ret)
{
	struct consensus seq[SAMPLE_PAIRED_MAX];
	size_t usable = 0;

	arena_reset(&m->arena);
	m->aligner.numbered = false;
	if (method != MULTI_PROGRESSIVE)
		return align_stream(m, urls, n, ret);
	for (size_t i = 0; i < MIN(n, (size_t)SAMPLE_PAIRED_MAX); i++)
		if (tokens_split(&m->tokens, urls[i]) == ST_OK && m->tokens.n > 0)
			seq[usable++] =
				consensus_of(m->tokens.v, m->tokens.n, i, &m->arena);
	return usable < 2 ? ST_NOT_FOUND : align_progressive(m, seq, usable, ret);
}

/* The cluster that was looked up; NULL when the alignment would reach into its ends.  It
 * does not when there are none before it. */
static const struct consensus *align_shape(struct multi *m, bool has_ends,
					   struct consensus *ret)
{
	struct cluster_shape *l = &m->cache.shape;
	struct consensus seq[SHAPE_URLS_MAX];

	assert(l->n_urls > 0);
	m->aligner.touched = false;
	m->aligner.numbered = cluster_shape_number(l);
	for (size_t i = 0; i < l->n_urls; i++) {
		size_t from = l->first[i], n = l->first[i + 1] - from;

		seq[i] = consensus_of(l->tokens + from, n, i, &m->arena);
	}
	if (align_linear(m, seq, l->n_urls, ret) != ST_OK)
		return NULL;
	return has_ends && m->aligner.touched ? NULL : ret;
}

/* Bytes are at least as many as tokens. */
static bool is_too_long(size_t sets, struct ends ends)
{
	return sets + ends.first + ends.last > CONSENSUS_MAX;
}

enum status multi_lookup(struct multi *m, struct ends ends, const struct str *urls,
			 size_t n, const struct cached_alignment **ret_known)
{
	struct alignment_cache *r = &m->cache;

	cluster_shape_reset(&r->shape);
	for (size_t i = 0; i < n; i++)
		if (!cluster_shape_add(&r->shape, urls[i], ends.first,
				       urls[i].n - ends.last))
			return ST_NOT_FOUND;
	m->is_signed = cluster_shape_sign(&r->shape, ends.first > 0);
	const struct cached_alignment *known =
		m->is_signed ? alignment_cache_find(r) : NULL;
	if (known && (!known->usable || is_too_long(known->n, ends)))
		return ST_NOT_FOUND;
	*ret_known = known;
	return ST_OK;
}

enum status multi_align_shape(struct multi *m, struct ends ends,
			      const struct cached_alignment *known, struct consensus *ret)
{
	arena_reset(&m->arena);
	if (known) {
		*ret = cached_alignment_fill(known, &m->cache.shape, &m->arena);
		return ST_OK;
	}
	const struct consensus *c = align_shape(m, ends.first > 0, ret);
	if (m->is_signed)
		alignment_cache_add(&m->cache, c);
	return c && !is_too_long(c->n, ends) ? ST_OK : ST_NOT_FOUND;
}

void multi_release(struct multi *m)
{
	aligner_release(&m->aligner);
	arena_release(&m->arena);
	arena_release(&m->spare);
	tokens_release(&m->tokens);
	alignment_cache_release(&m->cache);
}
