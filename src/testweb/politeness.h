/*
 * politeness.h - what a crawler did to the hosts, judged by the server's own log.
 *
 * All rules look at the moments at which requests arrived and answers were
 * complete, so a crawler cannot talk itself out of anything.
 */
#ifndef TESTWEB_POLITENESS_H
#define TESTWEB_POLITENESS_H

#include "testweb/access_log.h"
#include "testweb/world.h"

enum violation {
	VIOLATION_ROBOTS_LATE, /* a request before robots.txt had been answered */
	VIOLATION_FORBIDDEN,   /* a URL that robots.txt forbids */
	VIOLATION_DELAY,       /* sooner than Crawl-delay, or --delay, allows */
	VIOLATION_RETRY,       /* sooner than Retry-After */
	VIOLATION_PER_HOST,    /* too many requests in flight per host */
	VIOLATION_PER_ADDRESS, /* too many requests at once to an IP address */
	VIOLATIONS
};
extern const char *const violation_names[VIOLATIONS];

struct politeness_options {
	uint64_t per_host, per_address; /* requests at once; 0: not judged */
	uint64_t delay_ms;              /* between the starts of two requests to a host */
};

/* One request as the judge needs it. */
struct visit {
	int64_t start_us, end_us;
	struct place place;
	uint64_t host; /* hash of scheme and name */
	uint32_t address;
	uint32_t client; /* port: which of its connections */
	int32_t retry_ms;
	uint16_t status;
};

struct politeness {
	uint64_t count[VIOLATIONS];
	uint64_t hosts[VIOLATIONS];               /* hosts (or addresses) that suffered */
	uint64_t most_per_host, most_per_address; /* requests at once, at worst */
};

/* `visits` in the order of start_us. */
void politeness_judge(const struct world *w, const struct politeness_options *o,
		      const struct visit *visits, size_t n, struct politeness *ret);
#endif
