#include "web/robots.h"

#define MINUTE_MS ((uint64_t)60 * 1000)
#define HOUR_MS   (60 * MINUTE_MS)
#define DAY_MS    (24 * HOUR_MS)

/* RFC 9309 2.4: a copy should not be used for more than a day. */
#define KEEP_MS DAY_MS
/* RFC 9309 2.3.1.4 leaves "a reasonably long period" open and suggests this. */
#define GIVE_UP_MS (30 * DAY_MS)
#define RETRY_MS   (10 * MINUTE_MS)

/* Ten minutes, doubled each time, a day at most; the server's own wish if longer. */
static uint64_t retry_in(const struct robots_fetch *f)
{
	uint64_t wait = RETRY_MS << MIN(f->failures, 8u);

	return MIN(MAX(wait, f->retry_after_ms), KEEP_MS);
}

/* How long an answer may be kept: as the server says, within an hour and a day. */
static uint64_t keep_for(const struct robots_fetch *f)
{
	return f->fresh_for_ms ? MAX(MIN(f->fresh_for_ms, KEEP_MS), HOUR_MS) : KEEP_MS;
}

static struct robots_policy unreachable(const struct robots_fetch *f, const char *reason)
{
	uint64_t again = retry_in(f);

	if (f->has_last_good)
		return (struct robots_policy){ ROBOTS_LAST, again, reason };
	/* After so long it counts as absent, if the server can be reached at all. */
	if (f->unreachable_ms >= GIVE_UP_MS && f->status != 0)
		return (struct robots_policy){ ROBOTS_ALLOW, KEEP_MS, reason };
	return (struct robots_policy){ ROBOTS_DISALLOW, again, reason };
}

struct robots_policy robots_policy(const struct robots_fetch *f)
{
	if (f->status == 0)
		return unreachable(f, "robots.txt cannot be reached");
	if (f->status == 429)
		return unreachable(f, "robots.txt answers 429");
	if (f->status >= 500 || f->status < 200)
		return unreachable(f, "robots.txt answers with a server error");
	if (f->status >= 400)
		return (struct robots_policy){ ROBOTS_ALLOW, keep_for(f),
					       "no robots.txt" };
	if (f->status >= 300)
		return (struct robots_policy){ ROBOTS_ALLOW, keep_for(f),
					       f->too_many_redirects
						       ? "robots.txt redirects too often"
						       : "robots.txt redirects nowhere" };
	return (struct robots_policy){ ROBOTS_PARSE, keep_for(f), "robots.txt" };
}
