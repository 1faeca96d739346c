#include "store/bulk_rank.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"

/* Ids that this load gave out, in the order of ids; an empty range has no spans. */
static void new_ids(const struct bulk_numbers *n, uint64_t from[3], uint64_t to[3])
{
	from[0] = id_make(TAG_IRI, n->first);
	to[0] = id_make(TAG_IRI, n->first_literal);
	from[1] = id_make(TAG_BLANK, n->first_blank);
	to[1] = id_make(TAG_BLANK, n->end_blank);
	from[2] = id_make(TAG_LITERAL, n->first_literal);
	to[2] = id_make(TAG_LITERAL, n->end);
}

/* 0 to 2 for a new id, else 3. */
static inline unsigned range_of(const uint64_t from[3], const uint64_t to[3], uint64_t id)
{
	for (unsigned i = 0; i < 3; i++)
		if (id >= from[i] && id < to[i])
			return i;
	return 3;
}

/* The ids that are not new, each with the place it is needed at, sorted. */
static size_t sort_others(struct bulk_chunk **chunks, size_t n, const uint64_t from[3],
			  const uint64_t to[3], struct sort_pair **ret)
{
	struct sort_pair *pairs = NULL, *scratch;
	size_t n_pairs = 0, cap = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < chunks[i]->n; k++)
			if (range_of(from, to, chunks[i]->ids[k]) == 3)
				VEC_ADD(pairs, n_pairs, cap,
					(struct sort_pair){ chunks[i]->ids[k],
							    i << 32 | k });
	scratch = xrealloc(NULL, n_pairs + 1, sizeof(*scratch));
	if (n_pairs)
		sort_pairs(pairs, scratch, n_pairs);
	free(scratch);
	*ret = pairs;
	return n_pairs;
}

/* Spans in the order of ids: the others up to each new range, and that range. */
static uint64_t lay_spans(struct ranking *r, size_t n_others, const uint64_t from[3],
			  const uint64_t to[3])
{
	uint64_t rank = 0;
	size_t at = 0;

	for (unsigned i = 0; i < RANK_SPANS; i++) {
		struct rank_span *s = &r->spans[i];

		s->from = (uint32_t)rank;
		if (i % 2 == 0) {
			size_t start = at;

			while (at < n_others && (i == 6 || r->others[at] < from[i / 2]))
				at++;
			s->ids = r->others + start;
			rank += at - start;
		} else {
			s->first = from[i / 2];
			rank += to[i / 2] - from[i / 2];
		}
		s->end = (uint32_t)rank;
	}
	return rank;
}

static void fill_ranks(struct ranking *r, struct bulk_chunk **chunks,
		       const uint64_t from[3], const uint64_t to[3])
{
	for (size_t i = 0; i < r->n_chunks; i++) {
		r->ranks[i] = xcalloc(chunks[i]->n + 1, sizeof(**r->ranks));
		for (size_t k = 0; k < chunks[i]->n; k++) {
			uint64_t id = chunks[i]->ids[k];
			unsigned range = range_of(from, to, id);

			if (range < 3)
				r->ranks[i][k] = r->spans[2 * range + 1].from +
						 (uint32_t)(id - from[range]);
		}
	}
}

/* The rank of the `at`-th of the others. */
static uint32_t rank_of_other(const struct ranking *r, size_t at)
{
	for (unsigned i = 0;; i += 2) {
		const struct rank_span *s = &r->spans[i];
		size_t n = s->end - s->from;

		if (at < n || i == RANK_SPANS - 1)
			return s->from + (uint32_t)at;
		at -= n;
	}
}

enum status ranking_make(struct ranking *r, struct bulk_chunk **chunks, size_t n,
			 const struct bulk_numbers *numbers, struct diag *why)
{
	uint64_t from[3], to[3];
	struct sort_pair *pairs;
	size_t n_pairs, n_others = 0;

	*r = (struct ranking){ .n_chunks = n };
	new_ids(numbers, from, to);
	n_pairs = sort_others(chunks, n, from, to, &pairs);
	r->others = xrealloc(NULL, n_pairs + 1, sizeof(*r->others));
	for (size_t i = 0; i < n_pairs; i++)
		if (i == 0 || pairs[i].key != pairs[i - 1].key)
			r->others[n_others++] = pairs[i].key;
	r->ranks = xcalloc(n + 1, sizeof(*r->ranks));
	if (lay_spans(r, n_others, from, to) > UINT32_MAX) {
		free(pairs);
		return diag_fail(why, ST_TOO_LARGE,
				 "more than 2^32 terms in one load: split it");
	}
	fill_ranks(r, chunks, from, to);
	for (size_t i = 0, at = 0; i < n_pairs; i++) {
		at += i > 0 && pairs[i].key != pairs[i - 1].key;
		r->ranks[pairs[i].value >> 32][(uint32_t)pairs[i].value] =
			rank_of_other(r, at);
	}
	free(pairs);
	return ST_OK;
}

void ranking_release(struct ranking *r)
{
	for (size_t i = 0; r->ranks && i < r->n_chunks; i++)
		free(r->ranks[i]);
	free(r->ranks);
	free(r->others);
	*r = (struct ranking){ 0 };
}
