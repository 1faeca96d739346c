#include "os/queue.h"

#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/thread.h"
#include "test.h"

static int items[8];

static void first_in_first_out_within_the_bound(void)
{
	struct queue q;
	void *got;

	queue_init(&q, 2);
	for (unsigned round = 0; round < 5; round++) {
		CHECK(queue_add(&q, &items[0], 0) == ST_OK);
		CHECK(queue_add(&q, &items[1], 0) == ST_OK);
		CHECK(queue_add(&q, &items[2], 0) == ST_TIMEOUT && queue_length(&q) == 2);
		CHECK(queue_take(&q, 0, &got) == ST_OK && got == &items[0]);
		CHECK(queue_add(&q, &items[2], 0) == ST_OK);
		CHECK(queue_take(&q, 0, &got) == ST_OK && got == &items[1]);
		CHECK(queue_take(&q, 0, &got) == ST_OK && got == &items[2]);
		CHECK(queue_take(&q, 0, &got) == ST_TIMEOUT);
	}
	queue_release(&q);
	queue_release(&q);
}

static void a_closed_queue_drains_and_refuses(void)
{
	struct queue q;
	void *got[4];
	size_t n;

	queue_init(&q, 4);
	CHECK(queue_add(&q, &items[0], 0) == ST_OK);
	CHECK(queue_add(&q, &items[1], 0) == ST_OK);
	queue_close(&q);
	CHECK(queue_add(&q, &items[2], QUEUE_FOREVER) == ST_CANCELLED);
	CHECK(queue_take_many(&q, QUEUE_FOREVER, got, 4, &n) == ST_OK && n == 2);
	CHECK(got[0] == &items[0] && got[1] == &items[1]);
	CHECK(queue_take(&q, QUEUE_FOREVER, got) == ST_CANCELLED);
	queue_release(&q);
}

static void many_at_once_keep_their_order_and_stop_at_the_bound(void)
{
	struct queue q;
	void *all[4] = { &items[0], &items[1], &items[2], &items[3] }, *got[4];
	size_t n;

	queue_init(&q, 3);
	CHECK(queue_add_many(&q, all, 2, 0, &n) == ST_OK && n == 2);
	CHECK(queue_add_many(&q, all + 2, 2, 0, &n) == ST_TIMEOUT && n == 1);
	CHECK(queue_take_many(&q, 0, got, 4, &n) == ST_OK && n == 3);
	CHECK(got[0] == all[0] && got[1] == all[1] && got[2] == all[2]);
	CHECK(queue_add_many(&q, all, 0, 0, &n) == ST_OK && n == 0);
	queue_close(&q);
	CHECK(queue_add_many(&q, all, 2, QUEUE_FOREVER, &n) == ST_CANCELLED && n == 0);
	queue_release(&q);
}

static void a_timeout_waits_that_long(void)
{
	struct queue q;
	void *got;

	queue_init(&q, 1);
	int64_t before = clock_mono_ms(&real_clock);
	CHECK(queue_take(&q, 20, &got) == ST_TIMEOUT);
	CHECK(clock_mono_ms(&real_clock) - before >= 19);
	queue_release(&q);
}

static void a_loop_is_woken(void)
{
	struct queue q;
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	eventfd_t count;

	queue_init(&q, 4);
	queue_wake_by(&q, fd);
	CHECK(queue_add(&q, &items[0], 0) == ST_OK);
	CHECK(queue_add(&q, &items[1], 0) == ST_OK);
	CHECK(eventfd_read(fd, &count) == 0 && count == 1);
	queue_close(&q);
	CHECK(eventfd_read(fd, &count) == 0);
	close(fd);
	queue_release(&q);
}

#define PER_GIVER 20000
static struct queue shared;
static int marks[4][PER_GIVER];
static atomic_uint taken, twice;

static void give(void *arg)
{
	int *mine = arg;

	for (size_t i = 0; i < PER_GIVER; i++)
		if (queue_add(&shared, &mine[i], QUEUE_FOREVER) != ST_OK)
			return;
}

static void take(void *arg)
{
	void *got[16];
	size_t n;

	(void)arg;
	while (queue_take_many(&shared, QUEUE_FOREVER, got, 16, &n) == ST_OK)
		for (size_t i = 0; i < n; i++) {
			twice += (unsigned)(*(int *)got[i])++;
			taken++;
		}
}

static void many_threads_lose_nothing_and_double_nothing(void)
{
	struct thread givers[4] = { 0 }, takers[3] = { 0 };

	queue_init(&shared, 7);
	for (size_t i = 0; i < 3; i++)
		CHECK(thread_start(&takers[i], "take", take, NULL, NULL) == ST_OK);
	for (size_t i = 0; i < 4; i++)
		CHECK(thread_start(&givers[i], "give", give, marks[i], NULL) == ST_OK);
	for (size_t i = 0; i < 4; i++)
		thread_join(&givers[i]);
	queue_close(&shared);
	for (size_t i = 0; i < 3; i++)
		thread_join(&takers[i]);
	CHECK(taken == 4 * PER_GIVER && twice == 0);
	queue_release(&shared);
}

int main(void)
{
	RUN(first_in_first_out_within_the_bound);
	RUN(a_closed_queue_drains_and_refuses);
	RUN(many_at_once_keep_their_order_and_stop_at_the_bound);
	RUN(a_timeout_waits_that_long);
	RUN(a_loop_is_woken);
	RUN(many_threads_lose_nothing_and_double_nothing);
	DONE();
}
