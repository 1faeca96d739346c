/*
 * visible.h - text of strangers, made harmless for whoever looks at it.
 *
 * Control characters drive terminals, the marks of direction make a line read as another
 * one; neither is shown by anything that thresh says.  diag_say() and log_event() use
 * this, and os/terminal for all that goes to a terminal.  Pure; any thread.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include "base/buf.h"

/* C0, DEL, C1, separators of lines, and what turns or hides the text around it. */
bool is_invisible(uint32_t code_point);
/* `s` with these and malformed UTF-8 replaced by U+FFFD. */
void buf_add_visible(struct buf *to, struct str s);
/*
 * The same in place, line feeds kept, for messages: never longer than before, so what
 * has fewer than three bytes becomes '?'.  Returns the new length; ends in NUL if it did.
 */
size_t make_visible(char *text, size_t n);
#endif
