/*
 * child.h - another program, with pipes on the descriptors it expects.
 *
 * The child gets its own process group, no signal mask, and no descriptor of ours
 * but those named: standard input is /dev/null unless a pipe stands there.  It is
 * killed when the thread that started it ends, so start children from a thread
 * that lives as long.  From the first pipe to a child on, SIGPIPE is ignored: a
 * child that died is an error of the write, not our death.  A struct child is owned by
 * one thread; zeroed is none.
 */
#ifndef OS_CHILD_H
#define OS_CHILD_H

#include <sys/types.h>

#include "base/base.h"

struct child_pipe {
	int child_fd;  /* the number under which the child sees its end */
	bool to_child; /* we write, it reads */
	int fd;        /* set by child_start(): our end, non-blocking; ours to close */
};

struct child_options {
	struct child_pipe *pipes;
	size_t pipe_count;
	const char *dir;        /* where it runs; NULL: here */
	const char *const *env; /* "NAME=value" added to ours, NULL-ended; NULL: none */
	bool quiet;             /* standard output and error to /dev/null unless piped */
};

struct child {
	pid_t pid;  /* 0: none */
	int pid_fd; /* readable when it has ended: for the loop */
	int how;    /* as waitpid() says, once it has ended */
	bool ended;
};

/* argv[0] is searched in PATH.  A program that cannot be run is told here. */
must_use enum status child_start(struct child *ret, const char *const *argv,
				 const struct child_options *options, struct diag *why);
/* A signal to the child and all it started; harmless when it has ended. */
void child_kill(const struct child *c, int signal);
/* Wait for its end: ST_TIMEOUT when it takes longer (-1: as long as it takes). */
must_use enum status child_wait(struct child *c, int64_t timeout_ms);
/* Kill it if it runs, reap it, forget it.  Does not close our ends of the pipes. */
void child_release(struct child *c);
/* Its exit code; 128 + signal when a signal ended it; -1 while it runs. */
int child_exit_code(const struct child *c);
#endif
