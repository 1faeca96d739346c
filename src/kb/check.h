/* check.h - is every byte of a store what it was when it was written? */
#ifndef KB_CHECK_H
#define KB_CHECK_H

#include "store/store.h"

struct check_result {
	uint64_t rows, terms;
	uint64_t damaged_blocks, unreadable_terms, rows_out_of_order;
	bool orders_agree; /* the three indexes hold the same quads */
};

static inline bool check_is_fine(const struct check_result *r)
{
	return r->damaged_blocks == 0 && r->unreadable_terms == 0 &&
	       r->rows_out_of_order == 0 && r->orders_agree;
}

/* Decodes all blocks of all files, verifies checksums and order, resolves all terms. */
void kb_check(struct snapshot *s, struct check_result *ret);
#endif
