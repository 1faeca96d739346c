/*
 * live.h - the winners of a sweep, crawled for real.
 *
 * A sweep simulates; here each recorded site is crawled again with the settings of its
 * recording and the detection of a winner (as a preset).  The judge is not the one that
 * is judged: a state of the new crawl belongs to the bin of the recorded state with the
 * same DOM and text, else of the most alike by tag paths and words together; one that is
 * like none is counted as unmatched.
 */
#ifndef STUDIES_LIVE_H
#define STUDIES_LIVE_H

#include "calibrate/sweep.h"

struct live_result {
	uint32_t states, bins, missed, duplicates, unmatched;
	uint64_t duration_ms, recording_ms; /* of the crawls; 0: unknown */
};

/*
 * All sites of the set, which must be recordings, with point `point` of a detector that
 * is a method.  Crawls go below the folder `dir`, one per site, and stay there.
 */
must_use enum status live_run(const struct sample_set *s, const struct swept_detector *w,
			      size_t point, const char *dir, const bool *stop,
			      struct live_result *ret, struct diag *why);
/* In percent against the recording, positive is faster; NaN when unknown. */
double live_speed(const struct live_result *r);
#endif
