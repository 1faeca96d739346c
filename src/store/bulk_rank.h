/*
 * bulk_rank.h - ids of 64 bits as numbers of 32 that sort alike, and back.
 *
 * Rows are sorted as ranks: half the bytes to move, and only as many passes as ranks
 * have bits.  Terms that are new in a load have consecutive ids, so their ranks
 * are computed; only what was known before and inline values are sorted.
 */
#ifndef STORE_BULK_RANK_H
#define STORE_BULK_RANK_H

#include "store/bulk_internal.h"

#define RANK_SPANS 7 /* known and new IRIs, blank nodes, literals; inline values */

struct ranking {
	struct rank_span {
		uint32_t end;  /* ranks below it, not below the one before, are here */
		uint32_t from; /* its first rank */
		const uint64_t *ids; /* by rank less `from`; NULL: consecutive */
		uint64_t first;      /* the id of `from` then */
	} spans[RANK_SPANS];
	uint64_t *others; /* ids that are not new, sorted */
	uint32_t **ranks; /* of each chunk, by local number */
	size_t n_chunks;
};

/* ST_TOO_LARGE when 32 bits are not enough. */
must_use enum status ranking_make(struct ranking *r, struct bulk_chunk **chunks, size_t n,
				  const struct bulk_numbers *numbers, struct diag *why);
void ranking_release(struct ranking *r);

static inline uint64_t ranking_id(const struct ranking *r, uint32_t rank)
{
	const struct rank_span *s = r->spans;

	while (rank >= s->end)
		s++;
	return s->ids ? s->ids[rank - s->from] : s->first + (rank - s->from);
}
#endif
