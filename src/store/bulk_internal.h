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
 * bulk_terms.c: one number for each key of all chunks; new ones go to two dictionary
 * files, predicates first, so that predicates have small numbers.  `next` is the
 * first number to give; afterwards the one behind the last given.
 */
must_use enum status bulk_number_terms(struct bulk *b, const struct snapshot *known,
				       uint64_t files[2], struct manifest_part parts[2],
				       size_t *ret_parts, uint64_t *next,
				       struct diag *why);

/* bulk_rows.c: the rows of some chunks as the three index files of segment `number`. */
must_use enum status bulk_write_rows(struct bulk *b, struct bulk_chunk **chunks, size_t n,
				     uint64_t number, const struct snapshot *known,
				     struct diag *why);
#endif
