#include "os/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct start {
	void (*fn)(void *);
	void *arg;
	char name[16];
};

static void *run(void *p)
{
	struct start s = *(struct start *)p;

	free(p);
	pthread_setname_np(pthread_self(), s.name);
	s.fn(s.arg);
	return NULL;
}

enum status thread_start(struct thread *t, const char *name, void (*fn)(void *),
			 void *arg, struct diag *why)
{
	struct start *s = NEW(struct start);
	sigset_t all, before;

	*s = (struct start){ .fn = fn, .arg = arg };
	snprintf(s->name, sizeof(s->name), "%s", name);
	/* Inherited by the thread; so not even its first instruction sees a signal. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&t->id, NULL, run, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		free(s);
		return diag_fail(why, ST_IO, "cannot start thread %s: %s", name,
				 strerror(error));
	}
	t->running = true;
	return ST_OK;
}

void thread_join(struct thread *t)
{
	if (t->running)
		pthread_join(t->id, NULL);
	t->running = false;
}

unsigned cpu_count(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0 || CPU_COUNT(&set) < 1)
		return 1;
	return (unsigned)CPU_COUNT(&set);
}
