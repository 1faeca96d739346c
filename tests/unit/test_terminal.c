#include "os/terminal.h"

#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/terminal_stream.h"
#include "test.h"

static void control_characters_cannot_pass(void)
{
	struct buf b = { 0 };

	buf_add_visible(&b, STR("a\033[31mb\n\x9b\xc2\x9b\xe2\x80\xaez\xc3\xa9"));
	CHECK(str_eq(buf_str(&b),
		     STR("a\xef\xbf\xbd[31mb\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
			 "\xef\xbf\xbdz\xc3\xa9")));
	buf_release(&b);
}

static void only_our_own_escape_codes_reach_a_terminal(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str hostile = STR("\033[31mred\033[0m\tok\n\033]0;title\a\033[2J"
				 "\xe2\x80\xaeltr");

	CHECK(terminal_filter(hostile, &b) == hostile.n);
	CHECK(str_eq(buf_str(&b),
		     STR("\033[31mred\033[0m\tok\n\ufffd]0;title\ufffd\ufffd[2J"
			 "\ufffdltr")));
	buf_reset(&b); /* a character that is not whole waits for its rest */
	CHECK(terminal_filter(STR("a\xe2\x80"), &b) == 1 && b.n == 1);
	CHECK(terminal_filter(STR("\xe2\x80\xae"), &b) == 3);
	CHECK(str_eq(buf_str(&b), STR("a\ufffd")));
}

static void text_is_measured_in_cells(void)
{
	CHECK(text_fit(STR("\xe6\x97\xa5\xe6\x9c\xac"), 3).n == 3);
	CHECK(text_fit(STR("e\xcc\x81x"), 1).n == 3); /* e and an accent */
	CHECK(text_fit(STR("abc"), 2).n == 2 && text_fit(STR("abc"), 9).n == 3);
}

static void colour_needs_a_terminal_that_wants_it(void)
{
	int master, tty;
	struct winsize size = { .ws_col = 44, .ws_row = 10 };

	CHECK(openpty(&master, &tty, NULL, NULL, &size) == 0);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	struct terminal t = terminal_open(tty);
	CHECK(t.is_tty && t.colour && t.columns == 44);
	CHECK(strcmp(terminal_style(&t, STYLE_RED), "\033[31m") == 0);
	setenv("NO_COLOR", "", 1);
	CHECK(!terminal_open(tty).colour);
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	CHECK(!terminal_open(tty).colour && !terminal_open(tty).moves);
	close(tty);
	close(master);
	int p[2];
	CHECK(pipe(p) == 0);
	t = terminal_open(p[1]);
	CHECK(!t.is_tty && !t.colour && strcmp(terminal_style(&t, STYLE_RED), "") == 0);
	close(p[0]), close(p[1]);
}

int main(void)
{
	RUN(control_characters_cannot_pass);
	RUN(only_our_own_escape_codes_reach_a_terminal);
	RUN(text_is_measured_in_cells);
	RUN(colour_needs_a_terminal_that_wants_it);
	DONE();
}
