/*
 * study.h - a set of samples with what people said of its pairs: the next question and
 * the threshold so far.
 *
 * The next pair is the one whose answer tells most (belief.h) among those that nobody
 * answered and that do not follow from answers.  Each fourth question of an annotator is
 * one that another annotator has answered, so that their agreement is known.  Without
 * clock and socket; owned by one thread.
 */
#ifndef ANNOTATE_STUDY_H
#define ANNOTATE_STUDY_H

#include "annotate/opinions.h"
#include "annotate/pairs.h"

struct study {
	struct pairs pairs;
	struct opinions answers;
	struct belief belief; /* by the answers so far */
};

struct question {
	const struct candidate *pair;
	double bits;      /* that the answer is expected to tell */
	bool is_repeated; /* another annotator has answered it */
};

struct study_estimate {
	double threshold, low, high; /* in the measure of the detector, low <= high */
	double f1;                   /* expected */
	size_t answers;
};

must_use enum status study_init(struct study *s, const struct sample_set *set,
				const struct detector *detector, struct diag *why);
void study_release(struct study *s);
/* After answers were added or taken back. */
void study_update(struct study *s);
/* False when every pair is answered or follows. */
bool study_next(const struct study *s, uint32_t annotator, struct question *ret);
struct study_estimate study_estimate(const struct study *s);
/* Pairs of the set (of the sample drawn from it) that follow from answers. */
size_t study_implied(const struct study *s);
#endif
