/*
 * clock.h - what time it is, as a parameter.
 *
 * Whoever needs the time takes a `struct clock *`, so that a test can let a week
 * pass in a millisecond.  The monotonic clock is for delays and rates: it never
 * jumps, but means nothing after a restart.  The wall clock is for dates, and may
 * jump either way.  The real clock may be read by any thread.
 */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

#include "base/base.h"

struct clock {
	int64_t (*mono_ns)(const struct clock *self);
	int64_t (*wall_ms)(const struct clock *self);
};

extern const struct clock real_clock;

static inline int64_t clock_mono_ns(const struct clock *c)
{
	return c->mono_ns(c);
}
static inline int64_t clock_mono_ms(const struct clock *c)
{
	return c->mono_ns(c) / 1000000;
}
static inline int64_t clock_wall_ms(const struct clock *c)
{
	return c->wall_ms(c);
}

/* Stands still until told otherwise; `base` must stay the first member.  One thread tells
 * it, any may read it. */
struct fake_clock {
	struct clock base;
	int64_t now_mono_ns, now_wall_ms;
};

void fake_clock_init(struct fake_clock *c, int64_t wall_ms);
/* Both clocks go on. */
void fake_clock_pass(struct fake_clock *c, int64_t ms);
/* Somebody sets the wall clock; the monotonic one does not notice. */
void fake_clock_set_wall(struct fake_clock *c, int64_t wall_ms);

/* CPU time of the whole process, all threads, user and system. */
int64_t cpu_time_ns(void);
void sleep_ms(int64_t ms);
#endif
