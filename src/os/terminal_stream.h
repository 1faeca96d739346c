/*
 * terminal_stream.h - nothing that a page says may drive the terminal.
 *
 * Called once, at the start of the program.  Where standard output or standard error is a
 * terminal, what is printed to it passes a filter: control characters and marks of
 * direction become U+FFFD, except line ends, tabs and our own styles.  Pipes and files
 * get what was written, byte by byte.
 */
#ifndef OS_TERMINAL_STREAM_H
#define OS_TERMINAL_STREAM_H

#include "base/buf.h"

void terminal_filter_streams(void);
/*
 * The filter itself: `text` as it may be shown, added to `to`.  Returns how many bytes it
 * took; the rest is the beginning of a character and must be given again with what
 * follows.
 */
size_t terminal_filter(struct str text, struct buf *to);
#endif
