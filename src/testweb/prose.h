/*
 * prose.h - running text: sentences and paragraphs from a key.
 *
 * Edits replace, drop or insert words at positions that the edit key chooses
 * and leave the rest of the text as it was, so "5 % edited" means just that.
 */
#ifndef TESTWEB_PROSE_H
#define TESTWEB_PROSE_H

#include "base/buf.h"
#include "testweb/world.h"

struct prose {
	const struct words *words;
	enum language language;
	unsigned topic;
	uint64_t key;
	unsigned length;        /* words */
	unsigned edit_permille; /* of the words */
	uint64_t edit_key;
	unsigned version; /* later edits: 3 % of the words with each */
};

/* The text of an item: that of its root, edited, where it is a copy. */
struct prose prose_of_item(const struct world *w, uint32_t site, uint32_t item);
/* Text of a site that is no item's. */
struct prose prose_of_site(const struct world *w, uint32_t site, uint64_t purpose,
			   unsigned length);
/* A part of the text under a key of its own, of the same language and topic. */
struct prose prose_fork(const struct prose *p, uint64_t nr, unsigned length);

/* Sentences, without markup. */
void prose_write(const struct prose *p, struct buf *to);
/* The same in paragraphs between `open` and `close`. */
void prose_write_paragraphs(const struct prose *p, struct str open, struct str close,
			    struct buf *to);
/* A few words without a full stop: a heading. */
void prose_write_title(const struct prose *p, struct buf *to);
#endif
