/*
 * same_journal.h - two journals, transition by transition.
 */
#ifndef SIMULATE_SAME_JOURNAL_H
#define SIMULATE_SAME_JOURNAL_H

#include "base/buf.h"

struct same_journal {
	uint64_t records, transitions; /* that are equal */
	bool is_equal;                 /* as far as `now` goes, or both to their end */
	struct buf difference;         /* the first one, in words */
};

/*
 * Compare what was decided: links, drops, retries, answers, robots.txt.  Stamps of the
 * wall clock and places in WARC files do not count, nor how often was committed.
 * `is_part`: the journal in `now` may end before that in `recorded`.
 */
must_use enum status same_journal(const char *recorded, const char *now, bool is_part,
				  struct same_journal *ret, struct diag *why);
#endif
