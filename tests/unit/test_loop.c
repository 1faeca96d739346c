#include "os/loop.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "os/queue.h"
#include "os/thread.h"
#include "test.h"

static char fired[64];
static struct loop loop;
static struct fake_clock fake;

static void note(struct timer *t)
{
	strcat(fired, t->arg);
}

static void timers_fire_in_order_when_due(void)
{
	struct timer a = { .fire = note, .arg = "a" }, b = { .fire = note, .arg = "b" };
	struct timer c = { .fire = note, .arg = "c" }, d = { .fire = note, .arg = "d" };

	fired[0] = '\0';
	fake_clock_init(&fake, 0);
	CHECK(loop_init(&loop, &fake.base, NULL) == ST_OK);
	loop_timer_set(&loop, &a, 30);
	loop_timer_set(&loop, &b, 10);
	loop_timer_set(&loop, &c, 10);
	loop_timer_set(&loop, &d, 20);
	loop_timer_clear(&loop, &d);
	loop_timer_clear(&loop, &d);
	CHECK(loop_next_due_ms(&loop) == 10);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && fired[0] == '\0');
	fake_clock_pass(&fake, 10);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && strcmp(fired, "bc") == 0);
	loop_timer_set(&loop, &a, 15); /* moved */
	fake_clock_pass(&fake, 5);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && strcmp(fired, "bca") == 0);
	CHECK(loop_next_due_ms(&loop) == INT64_MAX);
	loop_release(&loop);
}

static int64_t last_due;
static bool ordered;

static void check_order(struct timer *t)
{
	ordered &= t->due_ms >= last_due;
	last_due = t->due_ms;
}

static void a_thousand_moving_timers_keep_their_order(void)
{
	static struct timer timers[1000];
	struct rng r = { 1 };

	fake_clock_init(&fake, 0);
	CHECK(loop_init(&loop, &fake.base, NULL) == ST_OK);
	for (size_t i = 0; i < 5000; i++) {
		struct timer *t = &timers[rng_below(&r, 1000)];

		t->fire = check_order;
		if (rng_chance(&r, 0.3))
			loop_timer_clear(&loop, t);
		else
			loop_timer_set(&loop, t, (int64_t)rng_below(&r, 500));
	}
	ordered = true;
	fake_clock_pass(&fake, 500);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && ordered && loop.timer_count == 0);
	loop_release(&loop);
}

static void again(struct timer *t)
{
	strcat(fired, "x");
	loop_timer_set(&loop, t, 0);
}

static void a_timer_set_for_now_does_not_starve_the_loop(void)
{
	struct timer t = { .fire = again };

	fired[0] = '\0';
	fake_clock_init(&fake, 0);
	CHECK(loop_init(&loop, &fake.base, NULL) == ST_OK);
	loop_timer_set(&loop, &t, 0);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && strcmp(fired, "x") == 0);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && strcmp(fired, "xx") == 0);
	loop_release(&loop);
}

static struct watch one, two;
static unsigned seen_one, seen_two;

static void remove_the_other(struct watch *w, unsigned events)
{
	*(w == &one ? &seen_one : &seen_two) |= events;
	loop_unwatch(&loop, w == &one ? &two : &one);
}

static void a_removed_watch_is_not_called(void)
{
	int p[2], q[2];

	CHECK(pipe(p) == 0 && pipe(q) == 0 && write(p[1], "x", 1) == 1 &&
	      write(q[1], "x", 1) == 1);
	CHECK(loop_init(&loop, &real_clock, NULL) == ST_OK);
	one = (struct watch){ .fd = p[0], .ready = remove_the_other };
	two = (struct watch){ .fd = q[0], .ready = remove_the_other };
	CHECK(loop_watch(&loop, &one, LOOP_READ, NULL) == ST_OK);
	CHECK(loop_watch(&loop, &two, LOOP_READ, NULL) == ST_OK && loop.watches == 2);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK);
	CHECK((seen_one == LOOP_READ) != (seen_two == LOOP_READ) && loop.watches == 1);
	loop_release(&loop);
	close(p[0]), close(p[1]), close(q[0]), close(q[1]);
}

static unsigned last_events;

static void remember(struct watch *w, unsigned events)
{
	(void)w;
	last_events = events;
}

static void wants_can_change_and_hangups_are_told(void)
{
	int p[2];
	struct watch w = { .ready = remember };

	CHECK(pipe2(p, O_NONBLOCK) == 0);
	CHECK(loop_init(&loop, &real_clock, NULL) == ST_OK);
	w.fd = p[1];
	CHECK(loop_watch(&loop, &w, LOOP_WRITE, NULL) == ST_OK);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && last_events == LOOP_WRITE);
	last_events = 0;
	CHECK(loop_watch(&loop, &w, LOOP_READ, NULL) == ST_OK);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && last_events == 0);
	close(p[0]);
	CHECK(loop_step(&loop, 0, NULL) == ST_OK && last_events & LOOP_ERROR);
	loop_unwatch(&loop, &w);
	w.fd = 9999;
	CHECK(loop_watch(&loop, &w, LOOP_READ, NULL) == ST_IO && w.wants == 0);
	close(p[1]);
	loop_release(&loop);
}

static struct queue queue;
static unsigned drained;

static void drain(void *arg)
{
	void *got;

	(void)arg;
	while (queue_take(&queue, 0, &got) == ST_OK)
		drained++;
	if (drained == 1000)
		loop_stop(&loop);
}

static void fill(void *arg)
{
	for (unsigned i = 0; i < 1000; i++)
		if (queue_add(&queue, arg, QUEUE_FOREVER) != ST_OK)
			return;
}

static void another_thread_wakes_the_loop_through_a_queue(void)
{
	struct loop_wake wake;
	struct thread t = { 0 };

	CHECK(loop_init(&loop, &real_clock, NULL) == ST_OK);
	queue_init(&queue, 10);
	CHECK(loop_wake_init(&wake, &loop, drain, NULL, NULL) == ST_OK);
	queue_wake_by(&queue, wake.watch.fd);
	CHECK(thread_start(&t, "fill", fill, &loop, NULL) == ST_OK);
	CHECK(loop_run(&loop, NULL) == ST_OK && drained == 1000);
	thread_join(&t);
	loop_wake_release(&wake, &loop);
	loop_wake_release(&wake, &loop);
	queue_release(&queue);
	loop_release(&loop);
}

int main(void)
{
	RUN(timers_fire_in_order_when_due);
	RUN(a_thousand_moving_timers_keep_their_order);
	RUN(a_timer_set_for_now_does_not_starve_the_loop);
	RUN(a_removed_watch_is_not_called);
	RUN(wants_can_change_and_hangups_are_told);
	RUN(another_thread_wakes_the_loop_through_a_queue);
	DONE();
}
