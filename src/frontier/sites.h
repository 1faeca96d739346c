/*
 * sites.h - what is known of each origin and each pay-level domain.
 *
 * A site is an origin (scheme, host, port): it has a queue, a robots.txt, an
 * address.  Sites of one pay-level domain take turns; domains are what the
 * schedule serves round robin.  Both are numbers for life.  One owner.
 */
#ifndef FRONTIER_SITES_H
#define FRONTIER_SITES_H

#include "base/intern.h"
#include "frontier/lanes.h"
#include "frontier/queue_store.h"
#include "policy/budget.h"
#include "url/host.h"

#define SITE_NONE UINT32_MAX

enum site_state {
	SITE_NEW,       /* its address is not known, or too old */
	SITE_RESOLVING, /* somebody is finding out */
	SITE_NEEDS_ROBOTS,
	SITE_ASKING_ROBOTS,
	SITE_OPEN,   /* pages may be asked for */
	SITE_PAUSED, /* out of reach: tried again when nothing else is left */
	SITE_DEAD,   /* given up: everything queued is dropped */
};

struct site {
	struct str origin;
	uint32_t domain;
	struct lane_set lanes;
	struct host_queue queue;
	int64_t robots_until_ms;
	int64_t address_until_ms;
	int64_t blocked_until_ms; /* after failures to resolve or to get robots.txt */
	struct ip ip;
	struct spent spent;
	uint32_t unjudged; /* pages asked for, whose links are not known yet */
	uint8_t state;     /* enum site_state */
	uint8_t failures;  /* of address or robots.txt, in a row */
	int16_t dead_code; /* enum fetch_code, of everything queued on a dead site */
	bool listed;       /* in the ring of its domain */
	bool was_revived;  /* after a pause: the next one is the end */
};

struct domain {
	struct str name;
	uint64_t hash;
	uint32_t lane;
	uint32_t *ring; /* numbers of its sites that have something queued */
	uint32_t n, cap, next;
	uint32_t degree; /* other domains that link here */
	struct spent spent;
	bool is_away; /* another node's just now: nothing of it is fetched here */
};

struct sites {
	struct intern origins, names;
	struct site *v;
	size_t cap;
	struct domain *domains;
	size_t domains_cap;
	bool start_away; /* new domains are, until they are known to be ours */
};

void sites_release(struct sites *s);
/* The site of a URL, made when new; its host's, domain's and group's lanes with it. */
uint32_t sites_get(struct sites *s, struct lanes *lanes, const struct url *u);
/* SITE_NONE when there is none. */
uint32_t sites_find(const struct sites *s, const struct url *u);
uint32_t sites_get_domain(struct sites *s, struct lanes *lanes, struct str name);
/* Into the ring of its domain. */
void site_list(struct sites *s, uint32_t site);
/* The bytes of a URL that are its origin: "https://a.org:81". */
size_t url_origin_bytes(const struct url *u);
#endif
