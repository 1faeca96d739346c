/*
 * word_diff.h - which words of two texts the other one has not, in order.
 *
 * The shortest edit of words (Myers), up to WORD_DIFF_EDITS; texts that differ by more
 * are marked by which words occur in the other at all.  Pure; runs point into the texts.
 */
#ifndef ANNOTATE_WORD_DIFF_H
#define ANNOTATE_WORD_DIFF_H

#include "base/str.h"

#define WORD_DIFF_WORDS 20000 /* of each text; the rest is not shown */
#define WORD_DIFF_EDITS 1500

struct word_run {
	struct str text; /* whole words with the space between them */
	bool only_here;
};

struct word_runs {
	struct word_run *v;
	size_t n, cap;
	bool is_cut; /* the text is longer */
};

void word_diff(struct str a, struct str b, struct word_runs *ret_a,
	       struct word_runs *ret_b);
void word_runs_release(struct word_runs *r);
#endif
