/*
 * joint.h - the score of each URL that waits, from all pages that link to it.
 *
 * A second page that thinks well of a URL raises its score; what was thought long ago
 * counts less.  Long is measured against how long the crawl has run: in a crawl of an
 * hour many links within a minute mean much, in one of a month those of a day do.
 * Bounded: past four million nothing new is noted.  The loop thread's.
 */
#ifndef FOCUS_JOINT_H
#define FOCUS_JOINT_H

#include "base/map.h"

struct joint {
	struct map scores; /* low half of the key -> score and time */
	int64_t start_ms;
};

void joint_release(struct joint *w);
/* Another page's score; what follows from all of them.  *ret_before: what followed
 * before, or a negative number. */
float joint_add(struct joint *w, uint64_t key, float score, int64_t now_ms,
		float *ret_before);
/* Somebody knows better than all of them. */
void joint_set(struct joint *w, uint64_t key, float score, int64_t now_ms);
void joint_remove(struct joint *w, uint64_t key);
/* The formula: `before` is `age_ms` old in a crawl that has run for `run_ms`. */
float joint_combine(float before, float score, int64_t age_ms, int64_t run_ms);
#endif
