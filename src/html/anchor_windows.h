/*
 * anchor_windows.h - the texts of links and what stands around them.
 *
 * An anchor window (Haveliwala et al.) is the text of a link with the words before and
 * after it in its paragraph.  Pure; all memory is the arena's.
 */
#ifndef HTML_ANCHOR_WINDOWS_H
#define HTML_ANCHOR_WINDOWS_H

#include "base/arena.h"

#define ANCHOR_WINDOW_BYTES 160 /* on either side, at most */

/* Three strings per link that has a text: before, the text, after; `*ret_n` counts
 * strings.  At most `max` links. */
void anchor_windows(struct str html, size_t max, struct arena *a, struct str **ret,
		    size_t *ret_n);
#endif
