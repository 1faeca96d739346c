/*
 * crawl_clock.h - the time by which the frontier decides.
 *
 * Usually the wall clock as it was when the process began, going on evenly: somebody who
 * sets the clock back two hours does not stop the crawl for two hours.
 *
 * With one request at a time (`--concurrency 1`) it is a clock of its own, so that two
 * crawls of the same web are the same: each request takes TICK_MS of it, and where the
 * frontier wants to wait it jumps there.  The real time waits as long before the next
 * request, and longer where a server was slow: requests are never closer together than
 * this clock says.
 *
 * An event of the loop is decided by one time, however long that takes
 * (crawl_clock_look()), so that the time can be written down with it.  Owned by the loop
 * thread.
 */
#ifndef ENGINE_CRAWL_CLOCK_H
#define ENGINE_CRAWL_CLOCK_H

#include "os/clock.h"

#define TICK_MS 1

struct crawl_clock {
	const struct clock *real;
	bool is_logical;
	int64_t zero_ms;       /* wall minus monotonic, when the process began */
	int64_t now_ms;        /* as last looked at: all of one event is decided by it */
	bool is_played;        /* somebody else sets now_ms: a recorded crawl */
	int64_t hold_until_ms; /* monotonic: nothing is sent before */
	int64_t sent_ms;       /* monotonic: the last request began */
};

static inline void crawl_clock_init(struct crawl_clock *c, const struct clock *real,
				    bool is_logical)
{
	*c = (struct crawl_clock){ .real = real, .is_logical = is_logical };
	c->zero_ms = clock_wall_ms(real) - clock_mono_ms(real);
	c->now_ms = c->zero_ms + clock_mono_ms(real);
}

/* Whatever the frontier goes by: leases, limits of time. */
static inline int64_t crawl_clock_real_ms(const struct crawl_clock *c)
{
	return c->zero_ms + clock_mono_ms(c->real);
}
static inline int64_t crawl_clock_ms(const struct crawl_clock *c)
{
	return c->now_ms;
}
/* Another event begins. */
static inline void crawl_clock_look(struct crawl_clock *c)
{
	if (!c->is_logical && !c->is_played)
		c->now_ms = crawl_clock_real_ms(c);
}

static inline void crawl_clock_sent(struct crawl_clock *c)
{
	c->sent_ms = clock_mono_ms(c->real);
}

/* A request that took `real_ms` has ended: how long it took by this clock.  A server that
 * was slow has `factor` times its slowness of peace. */
static inline uint32_t crawl_clock_answered(struct crawl_clock *c, uint32_t real_ms,
					    double factor)
{
	if (!c->is_logical)
		return real_ms;
	int64_t slow = real_ms > TICK_MS ? (int64_t)(factor * (real_ms - TICK_MS)) : 0;

	c->now_ms += TICK_MS;
	c->hold_until_ms = MAX(c->sent_ms + TICK_MS, clock_mono_ms(c->real) + slow);
	return TICK_MS;
}

/* The frontier has nothing to send before `until_ms`; nothing is in flight. */
static inline void crawl_clock_wait(struct crawl_clock *c, int64_t until_ms)
{
	if (!c->is_logical || until_ms <= c->now_ms || until_ms == INT64_MAX)
		return;
	c->hold_until_ms =
		MAX(c->hold_until_ms, clock_mono_ms(c->real)) + until_ms - c->now_ms;
	c->now_ms = until_ms;
}

/* How long nothing may be sent for; 0: it may. */
static inline int64_t crawl_clock_hold_ms(const struct crawl_clock *c)
{
	return c->is_logical ? MAX(c->hold_until_ms - clock_mono_ms(c->real), (int64_t)0)
			     : 0;
}
#endif
