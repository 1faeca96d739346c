#include "os/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/file.h"

#define PIPES_MAX 8
/* The child parks descriptors above this before it puts them where they belong. */
#define PARK_FROM 200

/* The child's ends, between pipe() and fork(). */
struct ends {
	int fd[PIPES_MAX];
	size_t n;
};

static void close_ends(struct ends *e)
{
	for (size_t i = 0; i < e->n; i++)
		close(e->fd[i]);
	e->n = 0;
}

static void close_ours(const struct child_options *o, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		close(o->pipes[i].fd);
		o->pipes[i].fd = -1;
	}
}

static enum status open_pipes(const struct child_options *o, struct ends *e,
			      struct diag *why)
{
	if (o->pipe_count > PIPES_MAX)
		return diag_fail(why, ST_TOO_LARGE, "more than %d pipes", PIPES_MAX);
	for (size_t i = 0; i < o->pipe_count; i++) {
		int p[2];

		if (pipe2(p, O_CLOEXEC) < 0) {
			int error = errno;

			close_ends(e);
			close_ours(o, i);
			return errno_fail(why, error, "cannot create", "pipe");
		}
		o->pipes[i].fd = p[o->pipes[i].to_child ? 1 : 0];
		e->fd[e->n++] = p[o->pipes[i].to_child ? 0 : 1];
		fcntl(o->pipes[i].fd, F_SETFL, O_NONBLOCK);
		if (o->pipes[i].to_child)
			signal(SIGPIPE, SIG_IGN);
	}
	return ST_OK;
}

/* Only async-signal-safe calls from here to exec(): other threads may hold locks. */
static bool place_descriptors(const struct child_options *o, struct ends *e)
{
	bool taken[3] = { false, false, false };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* Those that we inherited ourselves go too; the ones placed below stay open. */
	(void)syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
	for (size_t i = 0; i < e->n; i++)
		if ((e->fd[i] = fcntl(e->fd[i], F_DUPFD_CLOEXEC, PARK_FROM)) < 0)
			return false;
	for (size_t i = 0; i < e->n; i++) {
		if (dup2(e->fd[i], o->pipes[i].child_fd) < 0)
			return false;
		if (o->pipes[i].child_fd < 3)
			taken[o->pipes[i].child_fd] = true;
	}
	for (int fd = 0; fd < 3; fd++)
		if (!taken[fd] && (fd == 0 || o->quiet) && dup2(null, fd) < 0)
			return false;
	return true;
}

static _Noreturn void become(const char *const *argv, const struct child_options *o,
			     struct ends *e, char **env, int report_fd, pid_t parent)
{
	sigset_t none;

	/* Above the parking place, so that no dup2() closes it. */
	int report = fcntl(report_fd, F_DUPFD_CLOEXEC, PARK_FROM + PIPES_MAX);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	if (getppid() == parent && place_descriptors(o, e) &&
	    (!o->dir || chdir(o->dir) == 0))
		execvpe(argv[0], (char *const *)(uintptr_t)argv, env);
	int error = errno;
	(void)!write(report, &error, sizeof(error));
	_exit(127);
}

/* Ours plus the added ones; the array is the caller's, the strings are not. */
static char **environment(const char *const *added)
{
	size_t n = 0, m = 0;

	while (environ[n])
		n++;
	while (added && added[m])
		m++;
	char **all = xcalloc(n + m + 1, sizeof(*all));
	/* The added ones first: the first of two equal names is the one that counts. */
	for (size_t i = 0; i < m; i++)
		all[i] = (char *)(uintptr_t)added[i];
	memcpy(all + m, environ, n * sizeof(*all));
	return all;
}

/* Fork; returns the pid, and in `*ret_error` what exec said. */
static pid_t fork_child(const char *const *argv, const struct child_options *o,
			struct ends *e, int *ret_error)
{
	int report[2];
	pid_t parent = getpid();

	*ret_error = 0;
	if (pipe2(report, O_CLOEXEC) < 0) {
		*ret_error = errno;
		return -1;
	}
	char **env = environment(o->env);
	pid_t pid = fork();
	if (pid == 0)
		become(argv, o, e, env, report[1], parent);
	if (pid < 0)
		*ret_error = errno;
	free(env);
	close(report[1]);
	/* The end of the pipe, by exec() closing it, means success. */
	int error;
	if (pid > 0 && read(report[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
		*ret_error = error ? error : ECHILD;
	close(report[0]);
	return pid;
}

enum status child_start(struct child *ret, const char *const *argv,
			const struct child_options *options, struct diag *why)
{
	struct ends e = { 0 };
	int error;

	TRY(open_pipes(options, &e, why));
	pid_t pid = fork_child(argv, options, &e, &error);
	close_ends(&e);
	if (pid > 0 && error)
		waitpid(pid, NULL, 0);
	if (pid < 0 || error) {
		close_ours(options, options->pipe_count);
		return errno_fail(why, error, "cannot run", argv[0]);
	}
	*ret = (struct child){ .pid = pid,
			       .pid_fd = (int)syscall(SYS_pidfd_open, pid, 0) };
	if (ret->pid_fd < 0)
		ret->pid_fd = -1;
	else
		fcntl(ret->pid_fd, F_SETFD, FD_CLOEXEC);
	return ST_OK;
}

void child_kill(const struct child *c, int signal)
{
	if (c->pid > 0 && !c->ended)
		kill(-c->pid, signal);
}

enum status child_wait(struct child *c, int64_t timeout_ms)
{
	if (c->pid == 0 || c->ended)
		return ST_OK;
	struct pollfd p = { .fd = c->pid_fd, .events = POLLIN };
	if (timeout_ms >= 0)
		(void)poll(&p, 1, (int)MIN(timeout_ms, INT32_MAX));
	pid_t got;
	do
		got = waitpid(c->pid, &c->how, timeout_ms < 0 ? 0 : WNOHANG);
	while (got < 0 && errno == EINTR);
	c->ended = got != 0;
	return c->ended ? ST_OK : ST_TIMEOUT;
}

void child_release(struct child *c)
{
	if (c->pid == 0)
		return;
	child_kill(c, SIGKILL);
	while (child_wait(c, -1) != ST_OK)
		;
	if (c->pid_fd >= 0)
		close(c->pid_fd);
	*c = (struct child){ 0 };
}

int child_exit_code(const struct child *c)
{
	if (!c->ended)
		return -1;
	return WIFSIGNALED(c->how) ? 128 + WTERMSIG(c->how) : WEXITSTATUS(c->how);
}
