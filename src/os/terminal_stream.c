#include "os/terminal_stream.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "os/terminal.h"

struct stream {
	int fd;
	struct buf text; /* as it may be shown */
	char held[4];    /* the beginning of a character */
	size_t held_n;
};

/* Bytes of one of our own styles at the front of `s`, or 0. */
static size_t style_length(struct str s)
{
	const struct terminal coloured = { .colour = true };

	for (int i = STYLE_PLAIN; i <= STYLE_YELLOW; i++) {
		struct str code = str_from(terminal_style(&coloured, (enum style)i));

		if (str_starts(s, code))
			return code.n;
	}
	return 0;
}

/* Whether `s` may be the beginning of a character whose rest is still to come. */
static bool is_cut(struct str s)
{
	unsigned char c = (unsigned char)s.p[0];
	size_t wants = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;

	for (size_t i = 1; i < s.n; i++)
		if (((unsigned char)s.p[i] & 0xc0) != 0x80)
			return false;
	return s.n < wants;
}

size_t terminal_filter(struct str text, struct buf *to)
{
	struct str rest = text;

	while (rest.n > 0 && !is_cut(rest)) {
		size_t style = style_length(rest);

		if (style > 0) {
			buf_add(to, str_slice(rest, 0, style));
			rest = str_skip(rest, style);
			continue;
		}
		uint32_t c = utf8_take(&rest);
		bool shown = !is_invisible(c) || c == '\n' || c == '\t' || c == '\r';
		buf_add_utf8(to, shown ? c : UTF8_REPLACEMENT);
	}
	return text.n - rest.n;
}

static ssize_t put_all(int fd, struct str s)
{
	while (s.n > 0) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		s = str_skip(s, (size_t)n);
	}
	return 0;
}

static ssize_t on_write(void *cookie, const char *bytes, size_t n)
{
	struct stream *s = cookie;
	cleanup(buf_release) struct buf all = { 0 };

	buf_add(&all, (struct str){ s->held, s->held_n });
	buf_add(&all, (struct str){ bytes, n });
	buf_reset(&s->text);
	size_t used = terminal_filter(buf_str(&all), &s->text);
	struct str rest = str_skip(buf_str(&all), used);
	s->held_n = MIN(rest.n, sizeof(s->held));
	for (size_t i = 0; i < s->held_n; i++)
		s->held[i] = rest.p[i];
	return put_all(s->fd, buf_str(&s->text)) < 0 ? 0 : (ssize_t)n;
}

/* Its memory lives as long as the program, which prints until its end. */
static FILE *filtered(int fd, FILE *plain, int buffering)
{
	static struct stream streams[2];
	struct stream *s = &streams[fd == STDERR_FILENO];

	if (isatty(fd) != 1)
		return plain;
	s->fd = fd;
	FILE *f = fopencookie(s, "w", (cookie_io_functions_t){ .write = on_write });
	if (!f)
		return plain;
	setvbuf(f, NULL, buffering, BUFSIZ);
	return f;
}

void terminal_filter_streams(void)
{
	stdout = filtered(STDOUT_FILENO, stdout, _IOLBF);
	stderr = filtered(STDERR_FILENO, stderr, _IOLBF);
}
