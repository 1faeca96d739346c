/*
 * learner.h - weights of the modules, learnt while the crawl runs.
 *
 * Logistic regression on what each module said of a link, against whether the page behind
 * it turned out relevant, one answer at a time (AdaGrad).  Beside it, the places of links
 * (arms: host and tag path) are remembered with what came of them; a place that was
 * tried little gets a bonus, so that it is tried (an upper confidence bound).  The first
 * answers count little: the weighted average leads over to what was learnt.  The same
 * answers in the same order give the same weights.  The loop thread's.
 */
#ifndef FOCUS_LEARNER_H
#define FOCUS_LEARNER_H

#include "base/map.h"
#include "focus/scores.h"

struct learner {
	double weight[PARTS +
		      3]; /* means of arm and form, and the bias, behind the modules */
	double squares[PARTS + 3];
	struct map arms; /* host and tag path, or form -> tried, relevant */
	uint64_t n, relevant;
	bool is_frozen; /* nothing is learnt any more */
};

void learner_init(struct learner *l);
void learner_release(struct learner *l);
/* What the page behind a link with these scores was. */
void learner_add(struct learner *l, const struct focus_scores *s, bool is_relevant);
/*
 * 0 to 1, 0.5 for a link as good as the mean of the pages so far.  `average` is what the
 * weighted average says; weights, bias and bonus are noted in `s`.
 */
float learner_score(const struct learner *l, struct focus_scores *s, float average);
#endif
