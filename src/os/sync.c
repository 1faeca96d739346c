#include "os/sync.h"

#include <assert.h>
#include <stdlib.h>

enum status sync_or_add(struct file *f, struct sync_set *later, struct diag *why)
{
	if (!later || later->n == COUNT(later->v) ||
	    file_share(f, &later->v[later->n], NULL) != ST_OK)
		return file_sync(f, why);
	later->n++;
	return ST_OK;
}

void sync_set_release(struct sync_set *s)
{
	while (s->n > 0)
		file_close(&s->v[--s->n]);
}

enum status sync_all(struct sync_set *s, struct diag *why)
{
	enum status st = ST_OK;

	for (size_t i = 0; i < s->n && st == ST_OK; i++)
		st = file_sync(&s->v[i], why);
	sync_set_release(s);
	return st;
}

static void run(void *arg)
{
	struct syncer *s = arg;
	void *mine;

	while (queue_take(&s->todo, QUEUE_FOREVER, &mine) == ST_OK) {
		s->st = sync_all(&s->set, &s->why);
		if (queue_add(&s->done, mine, QUEUE_FOREVER) != ST_OK)
			return;
	}
}

enum status syncer_start(struct syncer *s, struct diag *why)
{
	queue_init(&s->todo, 1);
	queue_init(&s->done, 1);
	return thread_start(&s->thread, "sync", run, s, why);
}

void syncer_stop(struct syncer *s)
{
	if (s->todo.ring)
		queue_close(&s->todo);
	thread_join(&s->thread);
	queue_release(&s->todo);
	queue_release(&s->done);
	sync_set_release(&s->set);
	*s = (struct syncer){ 0 };
}

void syncer_give(struct syncer *s, struct sync_set *set)
{
	assert(!s->busy);
	s->busy = true;
	s->set = TAKE(*set);
	if (!s->thread.running)
		s->st = sync_all(&s->set, &s->why);
	else if (queue_add(&s->todo, s, QUEUE_FOREVER) != ST_OK)
		abort(); /* closed only by syncer_stop() */
}

enum status syncer_take(struct syncer *s, int64_t timeout_ms, struct diag *why)
{
	void *mine;

	assert(s->busy);
	if (s->thread.running && queue_take(&s->done, timeout_ms, &mine) != ST_OK)
		return ST_AGAIN;
	s->busy = false;
	if (s->st != ST_OK && why)
		*why = s->why;
	return s->st;
}
