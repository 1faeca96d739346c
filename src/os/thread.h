/*
 * thread.h - threads that are started, named and joined.
 *
 * A thread started here receives no signals: the main thread reads them from
 * the loop (signals.h).  Zeroed is a thread that does not run.
 */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include <pthread.h>

#include "base/base.h"

struct thread {
	pthread_t id;
	bool running;
};

/* `name` shows in debuggers, 15 characters of it.  `arg` must outlive the thread. */
must_use enum status thread_start(struct thread *t, const char *name, void (*fn)(void *),
				  void *arg, struct diag *why);
/* Wait for its end; harmless when it does not run. */
void thread_join(struct thread *t);
/* Processors this process may use; at least 1. */
unsigned cpu_count(void);
#endif
