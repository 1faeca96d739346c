/*
 * text.h - the words a reader sees, collected from a page's pieces of text.
 *
 * White space is collapsed, character references are decoded, and each
 * paragraph stands on a line of its own; a <br> gives a line break inside the
 * paragraph.  All in one buffer that is sized before the first byte from the
 * size of the input, so that offsets and slices never move.
 */
#ifndef PAGE_TEXT_H
#define PAGE_TEXT_H

#include "base/arena.h"
#include "record/page.h"

struct text {
	char *p;
	size_t n;
	size_t max;        /* no more input is taken past this; the buffer is larger */
	char due;          /* written before the next word: a space, a newline, nothing */
	bool cut;          /* something was left out */
	size_t block_from; /* where the paragraph being written begins */
	size_t linked_from; /* where the open anchor began, or SIZE_MAX */
	size_t linked;      /* bytes of the paragraph inside closed anchors */
	struct page_block *blocks;
	size_t n_blocks, cap_blocks, max_blocks;
	bool blocks_cut;
	bool no_hash; /* nobody will ask for the blocks' hashes */
	struct arena *arena;
	/*
	 * The page that the pieces are slices of.  What follows a piece in it may be
	 * read together with it, though it is not used: short pieces are the rule.
	 */
	struct str source;
};

#define TEXT_BLOCKS_MAX ((size_t)1 << 18)

/* For an input of `input_bytes`, of which at most `max_bytes` become text. */
void text_start(struct text *t, size_t input_bytes, size_t max_bytes, struct arena *a);

enum text_form { TEXT_DECODE, TEXT_AS_IS };
void text_add(struct text *t, struct str s, enum text_form form);

/* A line break that does not end the paragraph. */
void text_newline(struct text *t);

/* Was anything written since the last paragraph ended? */
static inline bool text_in_block(const struct text *t)
{
	return t->n > t->block_from;
}

/* End the paragraph that stood under `path`, if any of it was written. */
void text_end_block(struct text *t, uint64_t path, uint16_t region);

/* Text from here on stands in an anchor ... */
void text_open_anchor(struct text *t);
/* ... until here.  Returns its words, at most `max` bytes. */
struct str text_close_anchor(struct text *t, size_t max);

/* `s` decoded and collapsed, in `a`: titles, alternative texts, descriptions. */
struct str text_clean(struct str s, enum text_form form, struct arena *a);
/* The first `max` bytes of `s`, not cutting a character. */
struct str text_cut(struct str s, size_t max);
#endif
