/*
 * store.h - quads that stay: an RDF dataset in a folder, or in memory alone.
 *
 * Readers take a snapshot and never wait.  Writers commit changes; what a
 * commit acknowledged survives kill -9.  Commits of several threads share one
 * sync.  One process writes at a time (lock file), others may read meanwhile.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "store/snapshot.h"

struct store;

struct store_options {
	bool read_only;
	bool must_exist;       /* ST_NOT_FOUND instead of making a new one */
	uint64_t flush_rows;   /* rows in memory that are then written; 0: 1 M */
	bool no_background;    /* tests: flush and merge only when asked to */
	uint64_t memory_bytes; /* of a bulk load; 0: 1.5 GB */
};

/* `dir` NULL: in memory. */
must_use enum status store_open(struct store **ret, const char *dir,
				const struct store_options *options, struct diag *why);
void store_close(struct store *s);
const char *store_dir(const struct store *s);

struct snapshot *store_snapshot(struct store *s);

/* The id of a term, new in the dictionary if need be; it is logged by the next commit. */
uint64_t store_intern(struct store *s, struct term t);
/* A blank node nobody has yet. */
uint64_t store_new_blank(struct store *s);

/*
 * Make the changes: quads (graph, subject, predicate, object), removed where
 * ROW_GONE is set in the graph.  Of several about one quad the last counts.
 * On disk when it returns ST_OK.  Any thread.
 */
must_use enum status store_commit(struct store *s, const struct row *changes, size_t n,
				  struct diag *why);

/*
 * Several steps as one: each sees the steps before, others see nothing until
 * store_end(), which logs all at once.  Excludes other writers meanwhile.
 */
void store_begin(struct store *s);
struct snapshot *store_step_snapshot(struct store *s);
void store_step(struct store *s, const struct row *changes, size_t n);
must_use enum status store_end(struct store *s, bool keep, struct diag *why);

/* Write what is in memory as a segment, and merge what is due; for tests and close. */
must_use enum status store_flush(struct store *s, struct diag *why);
/* The first failure of the background thread, if it had any. */
must_use enum status store_background_status(struct store *s, struct diag *why);
#endif
