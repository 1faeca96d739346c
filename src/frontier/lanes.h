/*
 * lanes.h - all lanes of the crawl: hosts, pay-level domains, addresses, groups.
 *
 * A lane is known by its kind and name and has a number for life.  Whoever is
 * stopped by requests in flight leaves his number with the lane and is told
 * when one ends.  One owner.
 */
#ifndef FRONTIER_LANES_H
#define FRONTIER_LANES_H

#include <string.h>

#include "base/intern.h"
#include "frontier/politeness.h"

enum lane_kind {
	LANE_HOST,
	LANE_DOMAIN,
	LANE_ADDRESS,
	LANE_GROUP,
	LANE_KINDS,
};

#define LANE_NONE UINT32_MAX

struct lane_slot {
	struct lane lane;
	uint8_t kind;
	uint32_t *waiters; /* numbers of domains */
	uint32_t n_waiters, cap_waiters;
};

struct lanes {
	struct politeness rules[LANE_KINDS];
	struct intern names; /* kind letter and name; the id is the lane's number */
	struct lane_slot *v;
	size_t cap;
	struct rng random;
};

/* What one request needs; LANE_NONE where there is none of a kind. */
struct lane_set {
	uint32_t id[LANE_KINDS];
};

void lanes_release(struct lanes *l);
uint32_t lanes_get(struct lanes *l, enum lane_kind kind, struct str name);
/*
 * When all lanes of the set are ready; INT64_MAX when one must wait for a
 * request to end, and then `ret_blocking` (may be NULL) is that lane.
 */
int64_t lanes_ready_ms(struct lanes *l, const struct lane_set *set, int64_t now_ms,
		       uint32_t *ret_blocking);
void lanes_start(struct lanes *l, const struct lane_set *set, int64_t now_ms);
/* Trouble counts for the host alone: its neighbours are not to blame. */
void lanes_stop(struct lanes *l, const struct lane_set *set, const struct answer *a);
/* A request that was started will not be sent. */
void lanes_cancel(struct lanes *l, const struct lane_set *set);
/* Tell `waiter` when a request of this lane ends. */
void lane_wait(struct lanes *l, uint32_t lane, uint32_t waiter);
/* One of those to be told now; false when there is none left. */
bool lane_next_waiter(struct lanes *l, uint32_t lane, uint32_t *ret);
#endif
