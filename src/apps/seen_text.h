/*
 * seen_text.h - how much of a text was said before, wherever and in whatever layout?
 *
 * Runs of four words, one of eight of them kept by its hash, so that the same runs are
 * kept of every page.  An excerpt, a feed or a printed page says what the whole page
 * says; comparing blocks would call them new.  seen_text_sample() is pure; the set has
 * one owner, and is bounded: past SEEN_TEXT_MAX everything counts as said before.
 */
#ifndef APPS_SEEN_TEXT_H
#define APPS_SEEN_TEXT_H

#include "base/arena.h"
#include "base/bloom.h"

#define SEEN_TEXT_WORDS 4
#define SEEN_TEXT_SHARE 8
#define SEEN_TEXT_MAX   ((size_t)4 << 20) /* runs */
#define SEEN_TEXT_PAGE  4096              /* of one page */

struct text_sample {
	const uint64_t *v;
	size_t n;
};

struct seen_text {
	struct bloom runs;
	size_t n;
	bool is_made;
};

/* In `a`. */
struct text_sample seen_text_sample(struct str text, struct arena *a);
void seen_text_add(struct seen_text *s, struct text_sample t);
/* How many of the runs are new. */
size_t seen_text_new(const struct seen_text *s, struct text_sample t);
void seen_text_release(struct seen_text *s);
#endif
