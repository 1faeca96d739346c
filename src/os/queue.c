#include "os/queue.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>

#include "base/alloc.h"

void queue_init(struct queue *q, size_t cap)
{
	pthread_condattr_t attr;

	*q = (struct queue){ .cap = MAX(cap, (size_t)1), .wake_fd = -1 };
	q->ring = xcalloc(q->cap, sizeof(*q->ring));
	pthread_mutex_init(&q->lock, NULL);
	pthread_condattr_init(&attr);
	/* A jump of the wall clock must not stretch a timeout. */
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&q->not_empty, &attr);
	pthread_cond_init(&q->not_full, &attr);
	pthread_condattr_destroy(&attr);
}

void queue_release(struct queue *q)
{
	if (!q->ring)
		return;
	free(q->ring);
	pthread_cond_destroy(&q->not_empty);
	pthread_cond_destroy(&q->not_full);
	pthread_mutex_destroy(&q->lock);
	*q = (struct queue){ .wake_fd = -1 };
}

void queue_wake_by(struct queue *q, int fd)
{
	q->wake_fd = fd;
}

static struct timespec deadline(int64_t timeout_ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += timeout_ms / 1000;
	t.tv_nsec += timeout_ms % 1000 * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/* Sleep on `cond` until `*n` is not `bad` or the queue is closed; false on timeout. */
static bool wait_while(struct queue *q, pthread_cond_t *cond, unsigned *sleepers,
		       size_t bad, int64_t timeout_ms)
{
	struct timespec until;
	int error = timeout_ms == 0 && q->n == bad;

	if (timeout_ms > 0 && q->n == bad)
		until = deadline(timeout_ms);
	while (q->n == bad && !q->closed && !error) {
		++*sleepers;
		error = timeout_ms < 0 ? pthread_cond_wait(cond, &q->lock)
				       : pthread_cond_timedwait(cond, &q->lock, &until);
		--*sleepers;
	}
	return q->n != bad || q->closed;
}

static void wake_loop(const struct queue *q)
{
	if (q->wake_fd >= 0)
		eventfd_write(q->wake_fd, 1);
}

/* Without the lock: the one who wakes up wants it at once. */
static void wake(pthread_cond_t *cond, unsigned sleepers, size_t n)
{
	if (sleepers > 1 && n > 1)
		pthread_cond_broadcast(cond);
	else if (sleepers)
		pthread_cond_signal(cond);
}

/* As many as there is room for, at least one when ST_OK. */
static enum status add_some(struct queue *q, void *const *items, size_t n,
			    int64_t timeout_ms, size_t *ret_n)
{
	pthread_mutex_lock(&q->lock);
	bool in_time = wait_while(q, &q->not_full, &q->givers, q->cap, timeout_ms);

	if (q->closed || !in_time) {
		enum status st = q->closed ? ST_CANCELLED : ST_TIMEOUT;

		pthread_mutex_unlock(&q->lock);
		return st;
	}
	bool was_empty = q->n == 0;
	unsigned takers = q->takers;
	size_t added = 0;

	while (added < n && q->n < q->cap)
		q->ring[(q->head + q->n++) % q->cap] = items[added++];
	pthread_mutex_unlock(&q->lock);
	if (was_empty)
		wake_loop(q);
	wake(&q->not_empty, takers, added);
	*ret_n = added;
	return ST_OK;
}

enum status queue_add_many(struct queue *q, void *const *items, size_t n,
			   int64_t timeout_ms, size_t *ret_n)
{
	enum status st = ST_OK;
	size_t added = 0, some;

	while (added < n) {
		st = add_some(q, items + added, n - added, timeout_ms, &some);
		if (st != ST_OK)
			break;
		added += some;
	}
	*ret_n = added;
	return st;
}

enum status queue_add(struct queue *q, void *item, int64_t timeout_ms)
{
	size_t n;

	return queue_add_many(q, &item, 1, timeout_ms, &n);
}

enum status queue_take_many(struct queue *q, int64_t timeout_ms, void **ret, size_t max,
			    size_t *ret_n)
{
	pthread_mutex_lock(&q->lock);
	(void)wait_while(q, &q->not_empty, &q->takers, 0, timeout_ms);
	if (q->n == 0) {
		enum status st = q->closed ? ST_CANCELLED : ST_TIMEOUT;

		pthread_mutex_unlock(&q->lock);
		return st;
	}
	size_t n = MIN(max, q->n);
	for (size_t i = 0; i < n; i++) {
		ret[i] = q->ring[q->head];
		q->head = q->head + 1 == q->cap ? 0 : q->head + 1;
	}
	q->n -= n;
	unsigned givers = q->givers;
	pthread_mutex_unlock(&q->lock);
	wake(&q->not_full, givers, n);
	*ret_n = n;
	return ST_OK;
}

enum status queue_take(struct queue *q, int64_t timeout_ms, void **ret)
{
	size_t n;

	return queue_take_many(q, timeout_ms, ret, 1, &n);
}

void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	wake_loop(q);
	pthread_cond_broadcast(&q->not_empty);
	pthread_cond_broadcast(&q->not_full);
	pthread_mutex_unlock(&q->lock);
}

size_t queue_length(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	size_t n = q->n;
	pthread_mutex_unlock(&q->lock);
	return n;
}
