/* segment_writer.h - several runs, merged, as the files of one segment. */
#ifndef STORE_SEGMENT_WRITER_H
#define STORE_SEGMENT_WRITER_H

#include "store/store_internal.h"

/*
 * Words about a quad alternate over the runs, so merging with the oldest leaves no
 * row that says a quad is gone.  On disk when it returns.
 */
must_use enum status segment_write(const struct store *s, uint64_t number,
				   const struct run *const *runs, size_t n,
				   struct diag *why);
/* Sets of insertions that may overlap: a row of any is in the result once. */
must_use enum status segment_unite(const struct store *s, uint64_t number,
				   const struct run *const *runs, size_t n,
				   struct diag *why);
#endif
