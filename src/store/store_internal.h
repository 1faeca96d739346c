/* store_internal.h - what the files of the store share; nobody else includes it. */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include <pthread.h>

#include "os/segment.h"
#include "os/thread.h"
#include "store/manifest.h"
#include "store/store.h"

struct pending; /* a commit that waits for its turn */

/*
 * 1. `now` is what readers get; it is replaced whole, under `lock`.
 * 2. Who has the turn (`busy`) is the only one to append to the log, to add to
 *    the dictionary part in memory by commits, or to make a new `now`.
 * 3. The last part of `now` is the one in memory; runs from `n_settled` on are
 *    in memory.  The first `n_frozen` of those are being written: not merged.
 * 4. Parts have ranges of numbers that grow and do not overlap.
 * assert_store() checks 3 and 4 of every list before readers get it.
 */
struct store {
	char *dir; /* NULL: memory only */
	struct store_options options;
	struct file lock_file;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool busy;
	struct pending *first, **last;
	/* Who settles or merges: the background thread, or a bulk load; taken before the
	 * turn. */
	pthread_mutex_t settling;
	struct snapshot *now;
	size_t n_settled, n_frozen;
	struct snapshot *step; /* of store_begin() */
	struct row *step_rows; /* all changes of the steps so far */
	size_t n_step, step_cap;
	struct manifest manifest;
	struct segment wal;
	uint64_t terms_logged; /* numbers below are in the log or in a segment */
	uint64_t next_blank, blanks_logged;
	struct thread background;
	bool stop, wanted;
	enum status background_st;
	struct diag background_why;
};

/* Wait until nobody else has the turn, and take it. */
void store_take_turn(struct store *s);
void store_give_turn(struct store *s);
void assert_store(const struct store *s, const struct snapshot *now);
void store_publish(struct store *s, struct snapshot *next);
struct dict_part *store_delta(const struct snapshot *s);
/* A path in the folder: number and suffix; freed by the caller. */
char *store_path(const struct store *s, uint64_t number, const char *suffix);

/* changes.c: those that change something, in SPO order, without doubles. */
size_t changes_effective(const struct snapshot *s, struct row *changes, size_t n);
/* `s` with the changes as a new run, small runs in memory merged. */
struct snapshot *changes_apply(const struct snapshot *s, size_t unmergeable,
			       const struct row *changes, size_t n);

/* wal.c */
must_use enum status wal_open(struct store *s, uint64_t number, struct diag *why);
must_use enum status wal_log(struct store *s, const struct row *rows, size_t n,
			     struct diag *why);
/* Replay all logs from the manifest's on, into `s->now`. */
must_use enum status wal_replay(struct store *s, struct diag *why);

/* settle.c */
must_use enum status settle_memory(struct store *s, struct diag *why);
must_use enum status settle_merge(struct store *s, struct diag *why);
/* settle_parts.c: neighbours among the small parts of the dictionary as one. */
must_use enum status settle_parts(struct store *s, struct diag *why);
void settle_background(void *store);

/* segments.c */
must_use enum status segments_open(struct store *s, struct diag *why);
/* Open again what the manifest names; the part in memory stays, no run is in memory. */
must_use enum status segments_reload(struct store *s, struct diag *why);
struct run *segment_run_open(const struct store *s, uint64_t number, struct diag *why);
void segment_remove(const struct store *s, uint64_t number);
#endif
