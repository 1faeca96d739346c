/*
 * lease.h - this process is the one that runs the crawl and asks its addresses, as
 * long as the coordinator says so.
 *
 * The lease of the crawl is renewed every second; its token is in the journal, and
 * the next owner's is larger.  Without it nothing is asked.  An address is leased when a
 * name leads there, so that two crawlers never share one.  Owned by the loop thread.
 */
#ifndef HOSTS_LEASE_H
#define HOSTS_LEASE_H

#include "base/buf.h"
#include "port/coord.h"
#include "url/host.h"

#define LEASE_MS ((int64_t)60000)

struct lease {
	struct coord *coord; /* borrowed */
	char owner[96];      /* "host:pid" */
	uint64_t token;
	int64_t until_ms; /* wall clock */
};

/* ST_DENIED while another owner has the crawl. */
must_use enum status lease_take(struct lease *l, struct coord *coord, int64_t now_ms,
				struct diag *why);
/* Now and then; who slept through it takes it again, if it is still free. */
must_use enum status lease_renew(struct lease *l, int64_t now_ms, struct diag *why);
bool lease_holds(const struct lease *l, int64_t now_ms);
void lease_give_back(struct lease *l);
/* May we ask this address for so long? */
bool lease_address(struct lease *l, const struct ip *ip, int64_t now_ms, int64_t ttl_ms);
#endif
