/*
 * exchange.h - this process as one node of a crawl (engine/exchange.h): the log of
 * each partition it owns is applied to its frontier, what it finds and does is written
 * to the logs.
 *
 * A partition, as this node sees it:
 *
 *   away ──assigned──▶ taking ──read to the end, epoch granted──▶ ours
 *    ▲                   │                                         │ revoked
 *    └───────────────────┴───────── drained or lost ◀── draining ◀─┘
 *
 * Only URLs of partitions that are ours are fetched.  The journal has, behind what a
 * message did, how far its log was applied: the URL store is a view of the log, and
 * reading goes on from there after a crash or when a partition comes back.
 */
#ifndef CLUSTER_EXCHANGE_H
#define CLUSTER_EXCHANGE_H

#include "cluster/place.h"
#include "engine/exchange.h"

/* `place` is borrowed as long as the exchange lives; `dir` is the crawl's folder. */
must_use enum status cluster_new(struct crawl_exchange **ret,
				 const struct cluster_place *place, const char *dir,
				 struct diag *why);
void cluster_free(struct crawl_exchange **x);
#endif
