/*
 * worker.h - do tasks of a database until there are none, or until told to stop.
 *
 * Samples are loaded once per input.  A thread of its own renews the leases.  A lost
 * connection is tried again for as long as it takes: what was under way is either still
 * leased to us, or somebody else does it, and our result is refused.
 */
#ifndef STUDIES_WORKER_H
#define STUDIES_WORKER_H

#include "studies/tasks.h"

struct worker_options {
	const char *db;
	struct str name_space, name;
	unsigned batch;
	int64_t lease_ms;
	const char *dir;  /* for crawls that are under way */
	size_t steps;     /* thresholds where a task names none */
	bool stay;        /* wait for more tasks instead of ending */
	const bool *stop; /* set by a signal */
};

struct worker_stats {
	uint64_t done, failed, refused; /* refused: the lease was somebody else's */
	uint64_t reconnects;
};

must_use enum status worker_run(const struct worker_options *o, struct worker_stats *ret,
				struct diag *why);
#endif
