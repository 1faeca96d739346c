/*
 * loop.h - one thread waiting for descriptors, timers and other threads.
 *
 * A step of the loop has three phases, always in this order: timers that are due
 * fire, oldest due first; then the loop sleeps until a descriptor is ready, the
 * next timer is due or somebody wakes it; then the ready descriptors are served.
 * Whatever a callback adds, changes or removes takes effect at once: a watch that
 * was removed is not called any more, even if it was ready in the same step.
 *
 * Watches and timers live in their owner's memory; the owner removes them before
 * that goes away.  All but loop_wake_send() belong to the loop's own thread.
 */
#ifndef OS_LOOP_H
#define OS_LOOP_H

#include "os/clock.h"

struct loop;
struct watch;
struct timer;

enum loop_event {
	LOOP_READ = 1,  /* readable, or the other side closed */
	LOOP_WRITE = 2, /* writable */
	LOOP_ERROR = 4, /* error or hang-up; reported unasked */
};

struct watch {
	int fd;
	void (*ready)(struct watch *w, unsigned events);
	void *arg;
	unsigned wants; /* 0: not in a loop */
};

struct timer {
	void (*fire)(struct timer *t);
	void *arg;
	int64_t due_ms;  /* on the loop's monotonic clock */
	uint64_t seq;    /* equal times fire in the order they were set */
	size_t position; /* 1 + index in the heap; 0: not set */
};

struct loop {
	const struct clock *clock;
	int epoll_fd;
	struct timer **timers; /* min-heap on due_ms, then seq */
	size_t timer_count, timer_cap;
	uint64_t next_seq;
	struct watch **batch; /* what the present step still has to serve */
	size_t batch_count;
	size_t watches;
	bool open, stop;
};

must_use enum status loop_init(struct loop *l, const struct clock *clock,
			       struct diag *why);
void loop_release(struct loop *l);

/* Watch `w->fd` for `wants` (LOOP_READ | LOOP_WRITE), or change what is wanted. */
must_use enum status loop_watch(struct loop *l, struct watch *w, unsigned wants,
				struct diag *why);
/* Harmless when it is not watched.  Before the descriptor is closed. */
void loop_unwatch(struct loop *l, struct watch *w);

/* Fire once at `due_ms`; a timer already set is moved. */
void loop_timer_set(struct loop *l, struct timer *t, int64_t due_ms);
void loop_timer_clear(struct loop *l, struct timer *t);
/* When the next timer is due; INT64_MAX when none is set. */
int64_t loop_next_due_ms(const struct loop *l);

/* One step that sleeps `max_wait_ms` at most (-1: as long as it takes). */
must_use enum status loop_step(struct loop *l, int64_t max_wait_ms, struct diag *why);
/* Steps until loop_stop(). */
must_use enum status loop_run(struct loop *l, struct diag *why);
void loop_stop(struct loop *l);

/* A bell that any thread may ring; many rings before the answer count as one. */
struct loop_wake {
	struct watch watch; /* watch.fd is an eventfd: see queue_wake_by() */
	void (*woken)(void *arg);
	void *arg;
};

must_use enum status loop_wake_init(struct loop_wake *w, struct loop *l,
				    void (*woken)(void *arg), void *arg,
				    struct diag *why);
void loop_wake_release(struct loop_wake *w, struct loop *l);
/* Any thread, and signal handlers. */
void loop_wake_send(struct loop_wake *w);
#endif
