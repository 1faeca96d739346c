#include "os/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "test.h"

enum { PATIENCE_MS = 5000 };

/*
 * What was written to a terminal reaches its other end by way of a kernel worker, perhaps
 * in pieces: wait for as much as is wanted. Nothing wanted means that nothing is there
 * now.
 */
static bool reads(int fd, const char *want)
{
	char got[256] = "";
	size_t have = 0;
	bool more;

	do {
		struct pollfd ready = { .fd = fd, .events = POLLIN };

		if (*want != '\0')
			poll(&ready, 1, PATIENCE_MS);
		ssize_t n = read(fd, got + have, sizeof(got) - have);
		more = n > 0;
		have += more ? (size_t)n : 0;
	} while (more && have < strlen(want));
	return have == strlen(want) && memcmp(got, want, have) == 0;
}

/* For a pipe: what was written is there, or was not written. */
static bool holds(int fd, const char *want)
{
	char got[256] = "";
	ssize_t n = read(fd, got, sizeof(got));

	return (n > 0 ? (size_t)n : 0) == strlen(want) &&
	       memcmp(got, want, strlen(want)) == 0;
}

static void a_pipe_gets_one_line_each_thirty_seconds(void)
{
	struct fake_clock clock;
	struct progress p;
	int fd[2];

	CHECK(pipe2(fd, O_NONBLOCK) == 0);
	fake_clock_init(&clock, 0);
	progress_init(&p, fd[1], &clock.base);
	unsigned lines = 0;
	for (unsigned s = 0; s < 120; s++) {
		progress_show(&p, STR("12 pages\nmore detail"));
		lines += holds(fd[0], "12 pages\n");
		fake_clock_pass(&clock, 1000);
	}
	CHECK(lines == 3);
	progress_end(&p, STR("done\ndetail"));
	CHECK(holds(fd[0], "done\n"));
	progress_release(&p);
	close(fd[0]), close(fd[1]);
}

static void a_terminal_is_redrawn_in_place(void)
{
	struct fake_clock clock;
	struct progress p;
	struct winsize size = { .ws_col = 11, .ws_row = 10 };
	struct termios raw;
	int master, tty;

	CHECK(openpty(&master, &tty, NULL, NULL, &size) == 0);
	CHECK(tcgetattr(tty, &raw) == 0);
	cfmakeraw(&raw);
	CHECK(tcsetattr(tty, TCSANOW, &raw) == 0);
	fcntl(master, F_SETFL, O_NONBLOCK);
	fake_clock_init(&clock, 0);
	progress_init(&p, tty, &clock.base);
	progress_show(&p, STR("too early"));
	CHECK(reads(master, ""));
	fake_clock_pass(&clock, 100);
	progress_show(&p, STR("one line\nand one that is too long"));
	CHECK(reads(master, "one line\nand one th"));
	progress_show(&p, STR("too soon"));
	CHECK(reads(master, ""));
	fake_clock_pass(&clock, 100);
	progress_show(&p, STR("next"));
	CHECK(reads(master, "\r\033[1A\033[Jnext"));
	progress_clear(&p);
	CHECK(reads(master, "\r\033[J"));
	progress_end(&p, STR("end"));
	CHECK(reads(master, "end\n"));
	progress_release(&p);
	close(tty), close(master);
}

static void a_dumb_terminal_gets_lines_without_escape_codes(void)
{
	struct fake_clock clock;
	struct progress p;
	struct termios raw;
	int master, tty;

	CHECK(openpty(&master, &tty, NULL, NULL, NULL) == 0);
	CHECK(tcgetattr(tty, &raw) == 0);
	cfmakeraw(&raw);
	CHECK(tcsetattr(tty, TCSANOW, &raw) == 0);
	fcntl(master, F_SETFL, O_NONBLOCK);
	fake_clock_init(&clock, 0);
	setenv("TERM", "dumb", 1);
	progress_init(&p, tty, &clock.base);
	setenv("TERM", "xterm", 1);
	fake_clock_pass(&clock, PROGRESS_STATUS_MS);
	progress_show(&p, STR("one\ntwo"));
	fake_clock_pass(&clock, PROGRESS_STATUS_MS);
	progress_show(&p, STR("three"));
	progress_clear(&p);
	progress_end(&p, STR("end"));
	CHECK(reads(master, "one\nthree\nend\n"));
	progress_release(&p);
	close(tty), close(master);
}

static void quiet_is_quiet(void)
{
	struct fake_clock clock;
	struct progress p;
	int fd[2];

	CHECK(pipe2(fd, O_NONBLOCK) == 0);
	fake_clock_init(&clock, 0);
	progress_init(&p, fd[1], &clock.base);
	p.off = true;
	fake_clock_pass(&clock, 60000);
	progress_show(&p, STR("x"));
	progress_end(&p, STR("x"));
	CHECK(holds(fd[0], ""));
	progress_release(&p);
	close(fd[0]), close(fd[1]);
}

int main(void)
{
	setenv("TERM", "xterm", 1);
	RUN(a_pipe_gets_one_line_each_thirty_seconds);
	RUN(a_terminal_is_redrawn_in_place);
	RUN(a_dumb_terminal_gets_lines_without_escape_codes);
	RUN(quiet_is_quiet);
	DONE();
}
