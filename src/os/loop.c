#include "os/loop.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/file.h"

/* More ready descriptors than this wait for the next step: timers come in between. */
#define BATCH_MAX 256

enum status loop_init(struct loop *l, const struct clock *clock, struct diag *why)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd < 0)
		return errno_fail(why, errno, "cannot create", "event loop");
	*l = (struct loop){ .clock = clock, .epoll_fd = fd, .open = true };
	return ST_OK;
}

void loop_release(struct loop *l)
{
	if (!l->open)
		return;
	close(l->epoll_fd);
	free(l->timers);
	*l = (struct loop){ 0 };
}

enum status loop_watch(struct loop *l, struct watch *w, unsigned wants, struct diag *why)
{
	struct epoll_event e = { .data.ptr = w };

	assert(wants != 0 && !(wants & LOOP_ERROR));
	if (wants == w->wants)
		return ST_OK;
	e.events = (wants & LOOP_READ ? EPOLLIN | EPOLLRDHUP : 0u) |
		   (wants & LOOP_WRITE ? (uint32_t)EPOLLOUT : 0u);
	if (epoll_ctl(l->epoll_fd, w->wants ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, w->fd, &e) <
	    0)
		return errno_fail(why, errno, "cannot watch", "descriptor");
	l->watches += w->wants == 0;
	w->wants = wants;
	return ST_OK;
}

void loop_unwatch(struct loop *l, struct watch *w)
{
	if (w->wants == 0)
		return;
	epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, w->fd, NULL);
	w->wants = 0;
	l->watches--;
	for (size_t i = 0; i < l->batch_count; i++)
		if (l->batch[i] == w)
			l->batch[i] = NULL;
}

static bool fires_before(const struct timer *a, const struct timer *b)
{
	return a->due_ms != b->due_ms ? a->due_ms < b->due_ms : a->seq < b->seq;
}

static void put(struct loop *l, size_t i, struct timer *t)
{
	l->timers[i] = t;
	t->position = i + 1;
}

static void sift_up(struct loop *l, size_t i)
{
	struct timer *t = l->timers[i];

	for (; i > 0 && fires_before(t, l->timers[(i - 1) / 2]); i = (i - 1) / 2)
		put(l, i, l->timers[(i - 1) / 2]);
	put(l, i, t);
}

static void sift_down(struct loop *l, size_t i)
{
	struct timer *t = l->timers[i];

	for (size_t child; (child = 2 * i + 1) < l->timer_count; i = child) {
		if (child + 1 < l->timer_count &&
		    fires_before(l->timers[child + 1], l->timers[child]))
			child++;
		if (!fires_before(l->timers[child], t))
			break;
		put(l, i, l->timers[child]);
	}
	put(l, i, t);
}

void loop_timer_set(struct loop *l, struct timer *t, int64_t due_ms)
{
	loop_timer_clear(l, t);
	t->due_ms = due_ms;
	t->seq = l->next_seq++;
	VEC_ADD(l->timers, l->timer_count, l->timer_cap, t);
	sift_up(l, l->timer_count - 1);
}

void loop_timer_clear(struct loop *l, struct timer *t)
{
	if (t->position == 0)
		return;
	size_t i = t->position - 1;
	struct timer *last = l->timers[--l->timer_count];

	assert(l->timers[i] == t);
	t->position = 0;
	if (last == t)
		return;
	put(l, i, last);
	sift_up(l, i);
	sift_down(l, last->position - 1);
}

int64_t loop_next_due_ms(const struct loop *l)
{
	return l->timer_count ? l->timers[0]->due_ms : INT64_MAX;
}

/* A timer set for now by a callback fires in the next step, so this ends. */
static void fire_timers(struct loop *l)
{
	int64_t now = clock_mono_ms(l->clock);
	uint64_t limit = l->next_seq;

	while (l->timer_count && l->timers[0]->due_ms <= now &&
	       l->timers[0]->seq < limit) {
		struct timer *t = l->timers[0];

		loop_timer_clear(l, t);
		t->fire(t);
	}
}

static int wait_ms(const struct loop *l, int64_t max_wait_ms)
{
	int64_t due = loop_next_due_ms(l);
	int64_t wait = max_wait_ms < 0 ? INT32_MAX : MIN(max_wait_ms, INT32_MAX);

	if (due != INT64_MAX)
		wait = MIN(wait, MAX(due - clock_mono_ms(l->clock), 0));
	/* INT32_MAX ms are 24 days: waking then for nothing harms nobody. */
	return l->stop ? 0 : (int)wait;
}

static unsigned events_of(uint32_t e)
{
	return (e & (EPOLLIN | EPOLLRDHUP | EPOLLHUP) ? (unsigned)LOOP_READ : 0u) |
	       (e & EPOLLOUT ? (unsigned)LOOP_WRITE : 0u) |
	       (e & (EPOLLERR | EPOLLHUP) ? (unsigned)LOOP_ERROR : 0u);
}

enum status loop_step(struct loop *l, int64_t max_wait_ms, struct diag *why)
{
	struct epoll_event events[BATCH_MAX];
	struct watch *batch[BATCH_MAX];

	fire_timers(l);
	int n = epoll_wait(l->epoll_fd, events, BATCH_MAX, wait_ms(l, max_wait_ms));
	if (n < 0 && errno != EINTR)
		return errno_fail(why, errno, "cannot wait in", "event loop");
	n = MAX(n, 0);
	for (int i = 0; i < n; i++)
		batch[i] = events[i].data.ptr;
	l->batch = batch;
	l->batch_count = (size_t)n;
	for (int i = 0; i < n; i++) {
		struct watch *w = batch[i];
		unsigned what = w ? events_of(events[i].events) &
						(w->wants | (unsigned)LOOP_ERROR)
				  : 0;

		if (what)
			w->ready(w, what);
	}
	l->batch = NULL;
	l->batch_count = 0;
	return ST_OK;
}

enum status loop_run(struct loop *l, struct diag *why)
{
	for (l->stop = false; !l->stop;)
		TRY(loop_step(l, -1, why));
	return ST_OK;
}

void loop_stop(struct loop *l)
{
	l->stop = true;
}

static void answer_wake(struct watch *watch, unsigned events)
{
	struct loop_wake *w = watch->arg;
	eventfd_t count;

	(void)events;
	if (eventfd_read(watch->fd, &count) == 0)
		w->woken(w->arg);
}

enum status loop_wake_init(struct loop_wake *w, struct loop *l, void (*woken)(void *arg),
			   void *arg, struct diag *why)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	if (fd < 0)
		return errno_fail(why, errno, "cannot create", "eventfd");
	*w = (struct loop_wake){ .watch = { .fd = fd, .ready = answer_wake, .arg = w },
				 .woken = woken,
				 .arg = arg };
	enum status st = loop_watch(l, &w->watch, LOOP_READ, why);
	if (st != ST_OK)
		close(fd);
	return st;
}

void loop_wake_release(struct loop_wake *w, struct loop *l)
{
	if (!w->woken)
		return;
	loop_unwatch(l, &w->watch);
	close(w->watch.fd);
	*w = (struct loop_wake){ 0 };
}

void loop_wake_send(struct loop_wake *w)
{
	eventfd_write(w->watch.fd, 1);
}
