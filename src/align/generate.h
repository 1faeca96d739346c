/*
 * generate.h - a consensus to a rule: context and transformation as text (4.2.1.2).
 *
 * A token set is irrelevant when some URL has nothing there, invariant when it
 * has one member, variant otherwise.  A subsequence between delimiters that is
 * all invariant becomes *, anything else is converted set by set; runs of
 * irrelevant tokens that come and go together are one optional group, as in
 * the thesis's (/index.html)?.  Sets of `card` members or more become a class.
 */
#ifndef ALIGN_GENERATE_H
#define ALIGN_GENERATE_H

#include "align/align.h"
#include "base/buf.h"

/* How far a rule is generalised; each cluster offers one candidate a level. */
enum generality {
	GENERAL_SEED,       /* as the thesis has it */
	GENERAL_SEGMENTS,   /* what varies between two delimiters varies freely (slugs,
			       sessions); names of parameters are kept as they are */
	GENERAL_NEIGHBOURS, /* the same, and the parts beside what varies are kept */
	GENERALITIES,
};

struct generate_options {
	unsigned card;    /* Card_set; at least 2 */
	bool keep_groups; /* the transformation keeps variant and irrelevant groups */
	enum generality generality;
	/* What all URLs have before and after the consensus, as ends.h cuts it; with
	 * GENERAL_SEED only. */
	struct str before, after;
};

/*
 * Append both texts.  ST_NOT_FOUND when the URLs do not differ, ST_TOO_LARGE
 * when the rule would pass the bounds of a pattern; then the buffers may hold
 * a part of it.
 */
must_use enum status generate_rule(const struct consensus *c,
				   const struct generate_options *options,
				   struct buf *context, struct buf *transformation);
#endif
