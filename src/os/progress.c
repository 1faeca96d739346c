#include "os/progress.h"

#include <errno.h>
#include <unistd.h>

void progress_init(struct progress *p, int fd, const struct clock *clock)
{
	*p = (struct progress){ .terminal = terminal_open(fd), .clock = clock };
	/* A status line in the first second would only say that nothing happened. */
	p->next_ms = clock_mono_ms(clock) +
		     (p->terminal.moves ? PROGRESS_REDRAW_MS : PROGRESS_STATUS_MS);
}

void progress_release(struct progress *p)
{
	buf_release(&p->screen);
}

bool progress_due(const struct progress *p)
{
	return !p->off && clock_mono_ms(p->clock) >= p->next_ms;
}

/* A display that cannot be written is no reason to stop a crawl. */
static void put(struct progress *p)
{
	struct str s = buf_str(&p->screen);

	while (s.n > 0) {
		ssize_t n = write(p->terminal.fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		s = str_skip(s, (size_t)n);
	}
	buf_reset(&p->screen);
}

/* To the start of our first line; all below it is cleared. */
static void add_home(struct progress *p)
{
	if (p->drawn == 0)
		return;
	buf_addf(&p->screen, "\r");
	if (p->drawn > 1)
		buf_addf(&p->screen, "\033[%zuA", p->drawn - 1);
	buf_addf(&p->screen, "\033[J");
	p->drawn = 0;
}

static void draw(struct progress *p, struct str lines)
{
	struct str line;

	terminal_measure(&p->terminal);
	add_home(p);
	while (str_take_until(&lines, '\n', &line)) {
		if (p->drawn++ > 0)
			buf_add_char(&p->screen, '\n');
		/* The last column stays free: some terminals wrap there at once. */
		buf_add(&p->screen, text_fit(line, p->terminal.columns - 1));
	}
	put(p);
}

static void write_status(struct progress *p, struct str lines)
{
	struct str line;

	if (!str_take_until(&lines, '\n', &line))
		return;
	buf_add(&p->screen, line);
	buf_add_char(&p->screen, '\n');
	put(p);
}

void progress_show(struct progress *p, struct str lines)
{
	if (!progress_due(p))
		return;
	p->next_ms = clock_mono_ms(p->clock) +
		     (p->terminal.moves ? PROGRESS_REDRAW_MS : PROGRESS_STATUS_MS);
	if (p->terminal.moves)
		draw(p, lines);
	else
		write_status(p, lines);
}

void progress_clear(struct progress *p)
{
	add_home(p);
	put(p);
	/* Drawn again as soon as somebody has something to show. */
	if (p->terminal.moves)
		p->next_ms = 0;
}

void progress_end(struct progress *p, struct str lines)
{
	if (p->off)
		return;
	if (!p->terminal.moves) {
		write_status(p, lines);
		return;
	}
	draw(p, lines);
	p->drawn = 0;
	buf_add_char(&p->screen, '\n');
	put(p);
}
