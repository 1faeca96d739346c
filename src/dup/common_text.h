/*
 * common_text.h - which shingles many different documents share: templates, licences.
 *
 * First every document is counted, then each is asked again and what at least
 * COMMON_DOCUMENTS had goes into a set.  Copies of one text must be counted once: that
 * is the caller's part.  Counts stand in a table of a fixed size, one byte each, so that
 * memory is bounded; two shingles may share a counter, and when more than
 * the table can tell apart were counted, only every 2nd, 4th, ... document is.  What is
 * learnt depends on the documents and their order alone.
 */
#ifndef DUP_COMMON_TEXT_H
#define DUP_COMMON_TEXT_H

#include "sketch/page_sketch.h"

/*
 * Sixteen different texts.  Of the graded pairs people accept some that share a frame
 * which up to thirteen documents have; from fourteen on F1 by content is that by the
 * pair.
 */
#define COMMON_DOCUMENTS 16

struct common_text {
	uint8_t *counts;
	unsigned bits;       /* 2^bits counters */
	uint64_t *here;      /* values of the document at hand, a bit each */
	uint64_t counted;    /* values */
	unsigned every_log2; /* of documents, one in 2^this is counted */
	uint64_t documents;
};

void common_text_init(struct common_text *c, size_t memory_bytes);
void common_text_release(struct common_text *c);
/* The set may be raw. */
void common_text_count(struct common_text *c, const struct page_sketch *s);
/* Put those of its shingles that many have into `ret`; true when there is one. */
bool common_text_find(const struct common_text *c, const struct page_sketch *s,
		      struct shingle_set *ret);
#endif
