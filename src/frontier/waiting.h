/*
 * waiting.h - what a site with something to ask is waiting for, for people.
 *
 * Pure, but for lanes that heal themselves of a clock that jumped; one owner.
 */
#ifndef FRONTIER_WAITING_H
#define FRONTIER_WAITING_H

#include "frontier/frontier.h"

enum site_wait {
	WAIT_TURN,        /* for nothing but its turn */
	WAIT_LOOKUP,      /* its address is being looked up */
	WAIT_ROBOTS,      /* so is its robots.txt */
	WAIT_SECOND_TRY,  /* one of both could not be had: later again */
	WAIT_PAUSE,       /* it was in trouble, or said Retry-After */
	WAIT_CRAWL_DELAY, /* its robots.txt wants that */
	WAIT_DELAY,       /* that of every host */
	WAIT_DOMAIN,      /* others of its pay-level domain are asked */
	WAIT_ADDRESS,     /* or of its IP address */
	WAIT_GROUP,       /* or of the operator's group */
	SITE_WAITS
};
/* For programs. */
extern const char *const site_wait_names[SITE_WAITS];

/* " (3 for --delay, 1 for robots.txt)", or nothing when nobody waits. */
void buf_add_waits(struct buf *b, const unsigned counts[SITE_WAITS]);
enum site_wait site_wait_of(struct frontier *f, uint32_t site, int64_t now_ms);
#endif
