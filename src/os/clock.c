#include "os/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t read_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t real_mono_ns(const struct clock *self)
{
	(void)self;
	return read_ns(CLOCK_MONOTONIC);
}

/*
 * For tests of the whole program: THRESH_CLOCK_JUMP=AFTER_MS:BY_MS sets the wall clock
 * so much forward, or with a minus back, so long after it was first read.
 */
static struct {
	pthread_once_t once;
	int64_t from_ns, by_ms; /* on the clock that does not jump */
} jump = { .once = PTHREAD_ONCE_INIT };

static void read_jump(void)
{
	const char *spec = getenv("THRESH_CLOCK_JUMP");
	long long after, by;

	if (!spec || sscanf(spec, "%lld:%lld", &after, &by) != 2)
		return;
	jump.from_ns = read_ns(CLOCK_MONOTONIC) + after * 1000000;
	jump.by_ms = by;
}

static int64_t real_wall_ms(const struct clock *self)
{
	int64_t now = read_ns(CLOCK_REALTIME) / 1000000;

	(void)self;
	pthread_once(&jump.once, read_jump);
	if (jump.by_ms != 0 && read_ns(CLOCK_MONOTONIC) >= jump.from_ns)
		now += jump.by_ms;
	return now;
}

const struct clock real_clock = { real_mono_ns, real_wall_ms };

static int64_t fake_mono_ns(const struct clock *self)
{
	return __atomic_load_n(&((const struct fake_clock *)self)->now_mono_ns,
			       __ATOMIC_RELAXED);
}

static int64_t fake_wall_ms(const struct clock *self)
{
	return __atomic_load_n(&((const struct fake_clock *)self)->now_wall_ms,
			       __ATOMIC_RELAXED);
}

void fake_clock_init(struct fake_clock *c, int64_t wall_ms)
{
	*c = (struct fake_clock){ .base = { fake_mono_ns, fake_wall_ms },
				  .now_wall_ms = wall_ms };
}

void fake_clock_pass(struct fake_clock *c, int64_t ms)
{
	__atomic_add_fetch(&c->now_mono_ns, ms * 1000000, __ATOMIC_RELAXED);
	__atomic_add_fetch(&c->now_wall_ms, ms, __ATOMIC_RELAXED);
}

void fake_clock_set_wall(struct fake_clock *c, int64_t wall_ms)
{
	__atomic_store_n(&c->now_wall_ms, wall_ms, __ATOMIC_RELAXED);
}

int64_t cpu_time_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void sleep_ms(int64_t ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}
