/*
 * blocks.h - which paragraphs has a site shown before?
 *
 * A listing with other filters is another page, and yet says nothing that was not
 * on its site already.  So novelty, as far as budgets go, is counted in paragraphs:
 * a Bloom filter of their hashes, digits left out, that grows by adding ever larger
 * ones.  What a page only repeats of its own URL ("nothing was found for ...") is no
 * text either.  A false alarm makes a page look a little older than it is.  One owner,
 * the writer.
 */
#ifndef WRITER_BLOCKS_H
#define WRITER_BLOCKS_H

#include "base/bloom.h"
#include "record/page.h"

#define BLOCKS_FILTERS 16

struct blocks {
	struct bloom filters[BLOCKS_FILTERS];
	size_t n;
	uint64_t keys, room; /* in the newest */
};

void blocks_release(struct blocks *b);
/* Learn the page, whose URL has this query; how much of its text is in paragraphs new to
 * the site, in percent. */
unsigned blocks_add(struct blocks *b, uint64_t site, struct str query,
		    const struct page *p);
#endif
