/* bulk_internal.h - what the files of the bulk load share. */
#ifndef STORE_BULK_INTERNAL_H
#define STORE_BULK_INTERNAL_H

#include "store/bulk.h"
#include "store/bulk_chunk.h"
#include "store/store_internal.h"

struct bulk {
	struct store *store;
	uint64_t memory;
	pthread_mutex_t lock;
	struct bulk_chunk **chunks;
	size_t n_chunks, chunks_cap;
	bool spilled;
	unsigned n_documents;
};

void bulk_release(struct bulk *b);

/*
 * The numbers that a load gave out.  Predicates come first, so that they have small
 * ones, then the other IRIs, then literals.
 */
struct bulk_numbers {
	uint64_t first, first_literal, end;
	uint64_t first_blank, end_blank;
};

/*
 * bulk_terms.c: one id for each key of all chunks; new ones go to two dictionary
 * files, that of the predicates and that of the rest.  `numbers->first` is given.
 */
must_use enum status bulk_number_terms(struct bulk *b, const struct snapshot *known,
				       uint64_t files[2], struct manifest_part parts[2],
				       size_t *ret_parts, struct bulk_numbers *numbers,
				       struct diag *why);

/* bulk_rows.c: the rows of some chunks as the three index files of segment `number`. */
must_use enum status bulk_write_rows(struct bulk *b, struct bulk_chunk **chunks, size_t n,
				     const struct bulk_numbers *numbers, uint64_t number,
				     const struct snapshot *known, struct diag *why);
#endif
