/*
 * terminal.h - what the other end of a descriptor can show.
 *
 * Colour only on a terminal, never with NO_COLOR set (to anything) or TERM=dumb.
 * Text from the network cannot drive the terminal: see base/visible.h, and
 * terminal_stream.h, which filters all that is printed.
 */
#ifndef OS_TERMINAL_H
#define OS_TERMINAL_H

#include "base/visible.h"

struct terminal {
	int fd;
	bool is_tty;
	bool colour;
	bool moves;       /* understands escape codes: the cursor can be sent back */
	unsigned columns; /* 80 when nobody knows */
};

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW };

struct terminal terminal_open(int fd);
/* Ask again how wide it is: after SIGWINCH, or before each drawing. */
void terminal_measure(struct terminal *t);
/* The escape sequence, or "" without colour. */
const char *terminal_style(const struct terminal *t, enum style style);
/* The longest start of `s` (visible text) that fits in `cells`; wide characters take two.
 */
struct str text_fit(struct str s, size_t cells);
#endif
