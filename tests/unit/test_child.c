#include "os/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "test.h"

/* Read until the end of the pipe, waiting for it. */
static size_t read_all(int fd, char *to, size_t cap)
{
	size_t have = 0;
	ssize_t n;

	while ((n = read(fd, to + have, cap - have)) != 0) {
		if (n > 0)
			have += (size_t)n;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, 2000);
		else
			break;
	}
	return have;
}

static void pipes_stand_where_the_child_expects_them(void)
{
	struct child c = { 0 };
	struct child_pipe pipes[] = { { .child_fd = 3, .to_child = true },
				      { .child_fd = 4 },
				      { .child_fd = 1 } };
	const char *const argv[] = { "sh", "-c",
				     "read x <&3; echo \"got $x$ADDED\" >&4; echo out",
				     NULL };
	char got[64];

	CHECK(child_start(&c, argv,
			  &(struct child_options){
				  .pipes = pipes,
				  .pipe_count = 3,
				  .env = (const char *const[]){ "ADDED=!", NULL } },
			  NULL) == ST_OK);
	CHECK(write(pipes[0].fd, "hello\n", 6) == 6);
	size_t n = read_all(pipes[1].fd, got, sizeof(got));
	CHECK(n == 11 && memcmp(got, "got hello!\n", 11) == 0);
	n = read_all(pipes[2].fd, got, sizeof(got));
	CHECK(n == 4 && memcmp(got, "out\n", 4) == 0);
	CHECK(child_wait(&c, -1) == ST_OK && child_exit_code(&c) == 0);
	for (size_t i = 0; i < 3; i++)
		close(pipes[i].fd);
	child_release(&c);
}

static void no_other_descriptor_leaks_into_it(void)
{
	struct child c = { 0 };
	struct child_pipe out = { .child_fd = 1 };
	const char *const argv[] = { "ls", "/proc/self/fd", NULL };
	char got[64];

	CHECK(child_start(&c, argv,
			  &(struct child_options){ .pipes = &out, .pipe_count = 1 },
			  NULL) == ST_OK);
	size_t n = read_all(out.fd, got, sizeof(got));
	CHECK(n == 8 &&
	      memcmp(got, "0\n1\n2\n3\n", 8) == 0); /* 3 is ls reading the folder */
	close(out.fd);
	child_release(&c);
}

static void a_program_that_is_not_there_is_told_at_once(void)
{
	struct child c = { 0 };
	struct child_pipe out = { .child_fd = 1 };
	struct diag why;
	const char *const argv[] = { "no-such-program-anywhere", NULL };

	CHECK(child_start(&c, argv,
			  &(struct child_options){ .pipes = &out, .pipe_count = 1 },
			  &why) == ST_NOT_FOUND);
	CHECK(strstr(why.text, "no-such-program-anywhere: cannot run") && out.fd == -1);
	CHECK(c.pid == 0 && waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	const char *const ls[] = { "ls", NULL };
	CHECK(child_start(&c, ls, &(struct child_options){ .dir = "/no/such" }, &why) ==
	      ST_NOT_FOUND);
}

static void exit_codes_and_signals_are_told_apart(void)
{
	struct child c = { 0 };
	const char *const seven[] = { "sh", "-c", "exit 7", NULL };
	const char *const sleeper[] = { "sh", "-c", "sleep 60 & sleep 60", NULL };

	CHECK(child_start(&c, seven, &(struct child_options){ 0 }, NULL) == ST_OK);
	CHECK(child_wait(&c, 5000) == ST_OK && child_exit_code(&c) == 7);
	child_release(&c);
	CHECK(child_start(&c, sleeper, &(struct child_options){ .quiet = true }, NULL) ==
	      ST_OK);
	CHECK(child_wait(&c, 10) == ST_TIMEOUT && child_exit_code(&c) == -1);
	child_kill(&c, SIGTERM);
	CHECK(child_wait(&c, 5000) == ST_OK && child_exit_code(&c) == 128 + SIGTERM);
	child_release(&c);
	child_release(&c);
}

static void releasing_kills_the_whole_group(void)
{
	struct child c = { 0 };
	struct child_pipe out = { .child_fd = 1 };
	const char *const argv[] = { "sh", "-c", "sleep 60 & echo; sleep 60", NULL };
	char got[8];

	CHECK(child_start(&c, argv,
			  &(struct child_options){ .pipes = &out, .pipe_count = 1 },
			  NULL) == ST_OK);
	int64_t before = clock_mono_ms(&real_clock);
	poll(&(struct pollfd){ .fd = out.fd, .events = POLLIN }, 1, 5000);
	child_release(&c);
	/* The pipe ends only when the grandchild is dead too. */
	CHECK(read_all(out.fd, got, sizeof(got)) == 1);
	CHECK(clock_mono_ms(&real_clock) - before < 30000);
	close(out.fd);
}

static void writing_to_a_dead_child_is_an_error(void)
{
	struct child c = { 0 };
	struct child_pipe in = { .child_fd = 0, .to_child = true };
	const char *const argv[] = { "true", NULL };

	CHECK(child_start(&c, argv,
			  &(struct child_options){ .pipes = &in, .pipe_count = 1 },
			  NULL) == ST_OK);
	CHECK(child_wait(&c, -1) == ST_OK);
	CHECK(write(in.fd, "x", 1) == -1 && errno == EPIPE);
	close(in.fd);
	child_release(&c);
}

int main(void)
{
	RUN(writing_to_a_dead_child_is_an_error);
	RUN(pipes_stand_where_the_child_expects_them);
	RUN(no_other_descriptor_leaks_into_it);
	RUN(a_program_that_is_not_there_is_told_at_once);
	RUN(exit_codes_and_signals_are_told_apart);
	RUN(releasing_kills_the_whole_group);
	DONE();
}
