/*
 * tasks.h - work in a database, for any number of workers.
 *
 * A task is queued, leased, done or failed.  A worker claims tasks by taking a lease; who
 * dies loses it when it runs out, and the next one takes the task.  The result is written
 * in the transaction that ends the lease, and only by whoever holds it (worker and
 * attempt are the fencing token): each task has one result, however many workers died
 * over it. Namespaces keep studies apart.
 *
 * Invariants:
 *  1. A task has a result exactly when it is done.
 *  2. `attempts` never falls; above `max_attempts` a task is failed, not leased.
 */
#ifndef STUDIES_TASKS_H
#define STUDIES_TASKS_H

#include "base/arena.h"
#include "sql/sql.h"

#define TASK_ATTEMPTS_MAX 5
#define TASK_NAME_MAX     200
#define TASK_RECORD       "record" /* an address, then name=value lines */

struct task {
	struct str id;       /* a number */
	struct str input;    /* files and folders, a line each */
	struct str detector; /* a line of a grid; TASK_RECORD: the input is a site */
	struct str attempts;
};

struct task_list {
	struct task *v;
	size_t n, cap;
	struct arena bytes;
};

struct task_counts {
	uint64_t queued, leased, done, failed, results;
};

/* Tables and indexes; harmless when they are there. */
must_use enum status tasks_init(struct sql *db, struct diag *why);
/* In one transaction; workers that wait are told.  `n` lines of a grid. */
must_use enum status tasks_add(struct sql *db, struct str name_space, struct str input,
			       const struct str *detectors, size_t n, struct diag *why);
/* Up to `max`, for `lease_ms`.  None is no failure. */
must_use enum status tasks_claim(struct sql *db, struct str name_space, struct str worker,
				 unsigned max, int64_t lease_ms, struct task_list *ret,
				 struct diag *why);
/* All that this worker holds is held for `lease_ms` more. */
must_use enum status tasks_heartbeat(struct sql *db, struct str worker, int64_t lease_ms,
				     struct diag *why);
struct task_done {
	const struct task *task;
	struct str json;  /* the result; empty: it failed */
	struct str error; /* then why */
	int64_t duration_us;
	/* More to write in the same transaction; NULL: nothing. */
	enum status (*also)(const struct task_done *d, struct sql *db, struct diag *why);
	const char *dir; /* for it: where the recording lies */
};
/* In one transaction.  `*ret_kept` counts those whose lease was still ours. */
must_use enum status tasks_finish(struct sql *db, struct str worker,
				  const struct task_done *v, size_t n, size_t *ret_kept,
				  struct diag *why);
must_use enum status tasks_count(struct sql *db, struct str name_space,
				 struct task_counts *ret, struct diag *why);
/* Each result as (detector, worker, duration_us, json), in the order of the tasks. */
must_use enum status tasks_results(struct sql *db, struct str name_space,
				   sql_row_fn *each, void *ctx, struct diag *why);
void task_list_release(struct task_list *l);
#endif
