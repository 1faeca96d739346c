/*
 * bulk.h - many statements at once: parsed by several threads, sorted, written as
 * one segment.
 *
 * All of it counts when bulk_end() answers ST_OK, nothing before.  Memory stays
 * near the budget of the store: chunks that are full go to disk and are merged.
 * Readers are not disturbed; commits wait while bulk_end() runs.
 */
#ifndef STORE_BULK_H
#define STORE_BULK_H

#include "store/store.h"

struct bulk;

must_use enum status bulk_start(struct bulk **ret, struct store *s, struct diag *why);
/* A line that was no statement. */
struct bulk_bad {
	uint64_t line;
	struct diag why;
};
struct bulk_text {
	struct str text; /* N-Triples or N-Quads */
	bool quads, strict;
	bool mapped; /* the text is a mapped file: what was read is given back */
	struct term graph;
	/* Called from the caller's thread with bytes and statements so far; may be NULL.
	 */
	bool (*progress)(void *context, uint64_t bytes, uint64_t total,
			 uint64_t statements);
	void (*bad)(void *context, uint64_t line, const char *why);
	void *context;
};
/* The whole of a document; ST_SYNTAX at the first bad line when strict. */
must_use enum status bulk_add(struct bulk *b, const struct bulk_text *text,
			      uint64_t *ret_statements, uint64_t *ret_bad,
			      struct diag *why);
/* Sort, write and install.  `b` is gone afterwards, whatever the answer. */
must_use enum status bulk_end(struct bulk *b, struct diag *why);
void bulk_abort(struct bulk *b);
#endif
