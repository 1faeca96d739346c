/*
 * judge.h - is what an item brought new?
 *
 * Against the bodies that are stored (by digest), the texts that are known (near-
 * duplicates), the paragraphs of its site and its own last visit.  Owned by the writer's
 * thread.
 */
#ifndef WRITER_JUDGE_H
#define WRITER_JUDGE_H

#include "os/segment_log.h"
#include "pipeline/item.h"
#include "spec/settings.h"
#include "writer/blocks.h"
#include "writer/digests.h"

struct judge {
	const struct crawl_settings *settings;
	struct segment_log *journal; /* to read records of bodies that were stored */
	struct page_check *check;    /* NULL when near-duplicates are not looked for */
	struct blocks blocks; /* what sites have said; forgotten with the process */
	struct digests digests;
	struct map unwritten; /* digest -> item that was judged and is not yet written */
	struct buf scratch;
};

/*
 * Fills form, origin, verdict and novelty.  The same bytes as a stored body make a
 * revisit record; a near-duplicate is stored whole and only said to be one.
 */
must_use enum status judge_item(struct judge *j, struct crawl_item *i, struct diag *why);
/* It was written: its `done` record is at `position`. */
void judge_written(struct judge *j, const struct crawl_item *i, uint64_t position);
void judge_release(struct judge *j);
/* The same number for pages that say the same, as far as this verdict of the page
 * at `url` knows; 0: nothing can be said. */
uint64_t verdict_content(const struct verdict *v, struct str url);
#endif
