#include "os/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

void terminal_measure(struct terminal *t)
{
	struct winsize w;

	if (t->is_tty && ioctl(t->fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		t->columns = w.ws_col;
}

struct terminal terminal_open(int fd)
{
	const char *term = getenv("TERM");
	struct terminal t = { .fd = fd, .is_tty = isatty(fd) == 1, .columns = 80 };

	t.moves = t.is_tty && term && strcmp(term, "dumb") != 0;
	t.colour = t.moves && !getenv("NO_COLOR");
	terminal_measure(&t);
	return t;
}

const char *terminal_style(const struct terminal *t, enum style style)
{
	static const char *const codes[] = {
		[STYLE_PLAIN] = "\033[0m",  [STYLE_BOLD] = "\033[1m",
		[STYLE_DIM] = "\033[2m",    [STYLE_RED] = "\033[31m",
		[STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[33m",
	};

	return t->colour ? codes[style] : "";
}

static size_t cell_count(uint32_t c)
{
	if (c >= 0x300 && c < 0x370) /* combining */
		return 0;
	return (c >= 0x1100 && c < 0x1160) || (c >= 0x2e80 && c < 0xa4d0) ||
			       (c >= 0xac00 && c < 0xd7a4) ||
			       (c >= 0xf900 && c < 0xfb00) ||
			       (c >= 0xfe30 && c < 0xfe70) ||
			       (c >= 0xff00 && c < 0xff61) ||
			       (c >= 0x1f300 && c < 0x1f650) ||
			       (c >= 0x20000 && c < 0x3fffe)
		       ? 2
		       : 1;
}

struct str text_fit(struct str s, size_t cells)
{
	struct str rest = s;

	while (rest.n > 0) {
		struct str before = rest;
		size_t take = cell_count(utf8_take(&rest));

		if (take > cells)
			return str_slice(s, 0, (size_t)(before.p - s.p));
		cells -= take;
	}
	return s;
}
