/*
 * robots_cache.h - the robots.txt of each site, parsed, with what the last ones were.
 *
 * By the frontier's number of a site.  Owned by the loop thread.
 */
#ifndef HOSTS_ROBOTS_CACHE_H
#define HOSTS_ROBOTS_CACHE_H

#include "web/robots.h"

struct site_robots {
	struct robots rules;
	enum robots_access access;
	bool known, has_good;
	uint32_t failures;
	int64_t failing_since_ms;
	const char *reason; /* static */
};

struct robots_cache {
	struct site_robots *v;
	size_t n, cap;
	struct str name; /* our product token */
};

void robots_cache_release(struct robots_cache *c);
/* Made when new; lives until the next call. */
struct site_robots *robots_cache_get(struct robots_cache *c, uint32_t site);
/*
 * What asking gave: `status` 0 for no answer.  Says for how long that holds; a
 * site that must not be asked at all is ROBOTS_DISALLOW.
 */
struct robots_policy robots_cache_set(struct robots_cache *c, uint32_t site, int status,
				      struct str body, uint32_t retry_after_ms,
				      int64_t now_ms);
/* `ret_line` says which rule decided, for people; in `text` of the caller. */
bool robots_cache_allows(struct robots_cache *c, uint32_t site, struct str path,
			 char text[160], struct str *ret_line);
#endif
