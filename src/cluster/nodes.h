/*
 * nodes.h - what the nodes of a crawl say of themselves, in the database, and what
 * follows from it: is anything left to do anywhere?
 *
 * A node is busy, quiet (nothing to fetch), settled (nor to sweep), or saw the end.  A
 * message is on its way while its offset is not below what the owner of its partition has
 * applied.  When all nodes that live are quiet, nothing is on its way, and that stays so
 * while each of them says it twice more with no work in between, then it was so at one
 * moment for all of them: only a busy node makes messages, so it stays so.  The view is
 * pure; the rest is called by the thread of the coordinator.
 */
#ifndef CLUSTER_NODES_H
#define CLUSTER_NODES_H

#include "base/arena.h"
#include "sql/sql.h"

#define NODES_MAX     4096
#define NODE_ALIVE_MS 15000 /* since its last word */

enum node_phase {
	NODE_BUSY,
	NODE_QUIET,
	NODE_SETTLED,
	NODE_OVER, /* it saw the end */
};

/* What a node says of itself. */
struct node_row {
	uint64_t node;
	struct str name;
	uint8_t phase; /* enum node_phase */
	uint64_t beat; /* counts its words */
	uint64_t work; /* changes with whatever it does */
	uint64_t pages, queued, in_flight, leases, behind; /* for people */
	int64_t age_ms;    /* since it was written; for readers */
	uint64_t *sent;    /* by partition: behind its last message, 0 for none */
	uint64_t *applied; /* by partition: how far it has read what it owns; or 0 */
	uint64_t *owned;   /* by partition: 1 if it owns it */
};

struct node_view {
	struct node_row *v;
	size_t n;
};

enum cluster_state {
	CLUSTER_BUSY,
	CLUSTER_QUIET, /* all are quiet */
	CLUSTER_OVER,  /* all are settled */
};

/* Remembers since when nothing has changed. */
struct node_watch {
	uint64_t print;            /* of the still view; 0: there is none */
	uint64_t beats[NODES_MAX]; /* of each node then */
	uint64_t nodes[NODES_MAX];
	size_t n;
};

enum cluster_state nodes_judge(struct node_watch *w, const struct node_view *v,
			       uint32_t partitions);

must_use enum status nodes_open(struct sql *db, struct diag *why);
must_use enum status nodes_say(struct sql *db, struct str crawl,
			       const struct node_row *row, uint32_t partitions,
			       struct diag *why);
/* All rows of the crawl; text and numbers in `a`. */
must_use enum status nodes_read(struct sql *db, struct str crawl, struct arena *a,
				struct node_view *ret, struct diag *why);
/* It owns the partition with an epoch that nobody had before. */
must_use enum status nodes_take_shard(struct sql *db, struct str crawl,
				      uint32_t partition, uint64_t node,
				      uint64_t *ret_epoch, struct diag *why);
#endif
