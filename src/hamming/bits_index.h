/*
 * bits_index.h - have we seen this page, by a 64-bit fingerprint?
 *
 * The sibling of index.h for methods whose fingerprint is 64 bits and whose
 * measure is how many of them differ.  Names and fingerprints stand in a log,
 * which is the truth; they are found by a Hamming index (hamming.h), which
 * scans or looks up, whatever is faster at its size.  Nothing within the
 * distance is missed.  What was added before bits_index_sync() survives a
 * crash.  One thread.
 */
#ifndef HAMMING_BITS_INDEX_H
#define HAMMING_BITS_INDEX_H

#include "hamming/hamming.h"
#include "os/segment.h"
#include "record/verdict.h"

struct bits_index_options {
	const char *dir;
	size_t memory_bytes; /* for the tables; 0: 1 GiB */
	const char *method;  /* an index is of one method only */
	unsigned distance;   /* near up to so many bits */
};

struct bits_index {
	struct bits_index_options options;
	struct segment log;
	uint64_t *offsets, *prints;
	size_t n, cap_offsets, cap_prints;
	struct hamming hamming;
	struct buf record; /* the name in the last verdict lives here */
};

/* ST_EXISTS when the folder holds an index of another method. */
must_use enum status bits_index_open(struct bits_index *x,
				     const struct bits_index_options *options,
				     struct diag *why);
void bits_index_release(struct bits_index *x);
/* Near, exact at distance 0, or new.  Strings live until the next call. */
must_use enum status bits_index_ask(struct bits_index *x, uint64_t print,
				    struct verdict *ret, struct diag *why);
must_use enum status bits_index_add(struct bits_index *x, uint64_t print, struct str name,
				    struct diag *why);
must_use enum status bits_index_sync(struct bits_index *x, struct diag *why);
#endif
