/*
 * queue.h - hand pointers from thread to thread; a full queue is back-pressure.
 *
 * Any number of threads push and take.  A push gives the pointer away: the one
 * who takes it owns it.  A closed queue refuses pushes and can still be drained,
 * so that closing from the front of a pipeline lets all of it run dry.
 * First in, first out.  queue_init() before use, queue_release() when no thread
 * is in it any more.
 */
#ifndef OS_QUEUE_H
#define OS_QUEUE_H

#include <pthread.h>

#include "base/base.h"

#define QUEUE_FOREVER (-1)

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
	void **ring;
	size_t cap, head, n;     /* the oldest is ring[head] */
	unsigned takers, givers; /* asleep, waiting for something, or for room */
	int wake_fd;             /* -1, or an eventfd told when there is something */
	bool closed;
};

/* `cap` pointers at most, at least 1. */
void queue_init(struct queue *q, size_t cap);
/* What is still inside is not freed: drain it first. */
void queue_release(struct queue *q);
/*
 * For a taker that sleeps in an event loop instead of queue_take(): `fd`, an
 * eventfd, becomes readable when the queue turns from empty to not, and when it
 * is closed.  Before any thread uses the queue.
 */
void queue_wake_by(struct queue *q, int fd);

/*
 * Wait up to `timeout_ms` for room: 0 not at all, QUEUE_FOREVER.  ST_TIMEOUT, or
 * ST_CANCELLED when closed; the pointer is then still the caller's.
 */
must_use enum status queue_add(struct queue *q, void *item, int64_t timeout_ms);
/*
 * All of `items`, in order, at one lock and one wake-up where there is room.  `*ret_n`
 * says, also on failure, how many were given away.
 */
must_use enum status queue_add_many(struct queue *q, void *const *items, size_t n,
				    int64_t timeout_ms, size_t *ret_n);
/* ST_TIMEOUT, or ST_CANCELLED when closed and empty. */
must_use enum status queue_take(struct queue *q, int64_t timeout_ms, void **ret);
/* Up to `max` at one lock; at least one when ST_OK. */
must_use enum status queue_take_many(struct queue *q, int64_t timeout_ms, void **ret,
				     size_t max, size_t *ret_n);
/* No more pushes; wakes everybody. */
void queue_close(struct queue *q);
/* How many are inside now: for displays. */
size_t queue_length(struct queue *q);
#endif
