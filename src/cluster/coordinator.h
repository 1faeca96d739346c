/*
 * coordinator.h - the thread that talks to the database, so that the loop never waits.
 *
 * The loop hands jobs over and gets them back done, in order; a job that failed (the
 * database is away) says so and changed nothing.  A job belongs to whoever has it.
 */
#ifndef CLUSTER_COORDINATOR_H
#define CLUSTER_COORDINATOR_H

#include "cluster/nodes.h"
#include "cluster/place.h"
#include "os/queue.h"
#include "os/thread.h"
#include "port/coord.h"

enum job_kind {
	JOB_CLAIM,     /* addresses: acquire or renew */
	JOB_GIVE_BACK, /* addresses */
	JOB_TAKE,      /* a partition: its epoch */
	JOB_SAY,       /* our row; then look at the others' */
};

struct job {
	uint8_t kind; /* enum job_kind */
	enum status st;
	struct diag why;
	struct arena a; /* names and numbers */
	/* JOB_CLAIM, JOB_GIVE_BACK */
	struct coord_claim *claims;
	size_t n;
	int64_t asked_ms; /* our own clock, before it was asked */
	bool is_renewal;
	/* JOB_TAKE */
	uint32_t partition;
	uint64_t epoch;
	/* JOB_SAY */
	struct node_row row;
	enum cluster_state state;
	bool saw_end; /* another node did, lately */
};

struct coordinator {
	struct queue in, out;
	struct thread thread;
	struct sql *db;
	struct coord *leases;
	const struct cluster_place *place;
	struct str owner;
	struct node_watch watch;
};

/* `wake_fd` is told when a job is done. */
must_use enum status coordinator_start(struct coordinator *c,
				       const struct cluster_place *place,
				       struct str owner, int wake_fd, struct diag *why);
/* What was handed over is done first. */
void coordinator_stop(struct coordinator *c);
struct job *job_new(enum job_kind kind);
void job_free(struct job *j);
void coordinator_give(struct coordinator *c, struct job *j);
/* NULL when none is done. */
struct job *coordinator_take(struct coordinator *c);
#endif
