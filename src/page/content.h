/*
 * content.h - which blocks of a page are what it is about.
 *
 * Looks at one page alone: length of a block, share of it that is links,
 * punctuation, and the regions its author named.  The best stretch of blocks
 * is the one whose scores add up highest (a maximum subarray, linear time); in
 * it, all blocks but plain boilerplate are marked `is_main`.  Comments between
 * links to their authors and for answers may fall outside of it: to see what a
 * page says, take all blocks that are not `is_boilerplate`.  What repeats on many
 * pages of a host can only be known across pages: the blocks carry their hashes
 * for that.
 */
#ifndef PAGE_CONTENT_H
#define PAGE_CONTENT_H

#include "record/page.h"

/* Sets `is_main` and `is_boilerplate` of the blocks, and page.main_bytes. */
void content_mark(struct page *p);
#endif
