/*
 * run.h - an immutable sorted set of rows: arrays in memory, or index files.
 *
 * A snapshot is a list of runs, oldest first.  Over all runs of a list a quad
 * alternates: inserted, gone, inserted; so the newest word about it counts and
 * counts can be added up.  Runs are shared by reference count, any thread.
 */
#ifndef TRIPLES_RUN_H
#define TRIPLES_RUN_H

#include "triples/index_file.h"
#include "triples/stats.h"

struct run {
	unsigned refs;
	uint64_t n_rows;          /* rows in each order, gone ones included */
	int64_t n_live;           /* insertions less removals */
	struct row *rows[ORDERS]; /* in memory; NULL for files */
	struct index_file files[ORDERS];
	bool on_disk;
	uint64_t segment; /* number of the segment on disk */
	struct stats stats;
};

/* A run of sorted arrays, which it takes over. */
struct run *run_from_rows(struct row *rows[ORDERS], size_t n);
/* From quads in SPO order of columns, in any order of rows; sorts them three times. */
struct run *run_from_quads(const struct row *quads, size_t n);
/* Two neighbours as one; a quad that both name is as the newer says. */
struct run *run_merge(const struct run *older, const struct run *newer);
struct run *run_share(struct run *r);
void run_release(struct run *r);

/* A walk over the rows of one run that begin with a key. */
struct run_cursor {
	const struct run *run;
	enum order order;
	const struct row *at, *end; /* what is decoded and not yet taken */
	const struct row *near;     /* where the last search ended, in memory */
	size_t block;               /* the block at hand, SIZE_MAX for none */
	struct index_walk walk;     /* where it was left: behind what is decoded */
	struct row *decoded;        /* rows of it that matched the last search */
	size_t n_decoded;
	struct row sought; /* what was searched last in it */
	unsigned sought_columns;
	struct row key;
	unsigned bound;
	bool damaged; /* a block failed its checksum; the walk ended there */
};

void run_cursor_start(struct run_cursor *c, const struct run *r, enum order order);
void run_cursor_release(struct run_cursor *c);
/* Stand before the first row that begins with the `bound` columns of `key`. */
void run_cursor_seek(struct run_cursor *c, const struct row *key, unsigned bound);
/* Move on to the first row at or after `key` within the same bounds. */
void run_cursor_skip(struct run_cursor *c, const struct row *key, unsigned columns);
/* Make `at < end`; false when there are no more rows. */
bool run_cursor_fill(struct run_cursor *c);
/* Rows that begin with the key, insertions less removals. */
int64_t run_count(struct run_cursor *c, const struct row *key, unsigned bound);
#endif
