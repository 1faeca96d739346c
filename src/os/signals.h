/*
 * signals.h - signals as events of the loop, never as interruptions.
 *
 * signals_open() in the main thread, before any other is started; from then on
 * the named signals arrive here only.  SIGPIPE is ignored: a closed pipe is an
 * error of the write.  What a first and a second ^C mean is the owner's business;
 * signals_count() tells which one it is.
 */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include <signal.h>

#include "os/loop.h"

struct signals {
	struct watch watch;
	sigset_t set, before; /* ours, and the mask to restore */
	void (*arrived)(struct signals *s, int signal);
	void *arg;
	unsigned counts[NSIG];
	bool open;
};

/* `list` ends with 0. */
must_use enum status signals_open(struct signals *s, const int *list, struct diag *why);
/* Give the signals back their old meaning. */
void signals_close(struct signals *s, struct loop *l);
/* Call `arrived` from the loop. */
must_use enum status signals_watch(struct signals *s, struct loop *l,
				   void (*arrived)(struct signals *s, int signal),
				   void *arg, struct diag *why);
/* Without a loop: the next one that arrived, or 0.  Does not wait. */
int signals_take(struct signals *s);
/* How often it arrived so far. */
unsigned signals_count(const struct signals *s, int signal);
#endif
