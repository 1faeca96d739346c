#include "focus/learner.h"

#include <math.h>

#include "base/base.h"
#include "base/hash.h"

#define RATE     0.5
#define DECAY    1e-4
#define ARMS_MAX ((size_t)1 << 20)
#define LEAD_OVER                                                             \
	20.0 /* relevant answers, and others, after which both count the same \
	      */
#define ARM_PRIOR 2.0
#define EXPLORE   0.1

enum { ARM = PARTS, FORM, BIAS, INPUTS };

void learner_init(struct learner *l)
{
	*l = (struct learner){ 0 };
}

void learner_release(struct learner *l)
{
	map_release(&l->arms);
}

/* Forms of URLs are among the arms, under another number. */
static uint32_t form_arm(const struct focus_scores *s)
{
	return s->form ^ 0x9e3779b9u;
}

/* Tried above, relevant below. */
static double arm_tried(const struct learner *l, uint32_t arm)
{
	const uint64_t *v = map_find(&l->arms, hash_mix(arm));

	return v ? (double)(*v >> 32) : 0;
}

static double base_rate(const struct learner *l)
{
	return ((double)l->relevant + 1) / ((double)l->n + 2);
}

static double arm_mean(const struct learner *l, uint32_t arm)
{
	const uint64_t *v = map_find(&l->arms, hash_mix(arm));
	double tried = v ? (double)(*v >> 32) : 0;
	double relevant = v ? (double)(*v & UINT32_MAX) : 0;

	return (relevant + base_rate(l) * ARM_PRIOR) / (tried + ARM_PRIOR);
}

/* What nobody said is neither for nor against. */
static double input_of(const struct learner *l, const struct focus_scores *s, unsigned i)
{
	if (i == BIAS)
		return 1;
	if (i == ARM)
		return arm_mean(l, s->arm);
	if (i == FORM)
		return arm_mean(l, form_arm(s));
	return focus_scores_has(s, i) ? (double)focus_scores_value(s, i) : 0;
}

static double predict(const struct learner *l, const struct focus_scores *s)
{
	double z = 0;

	for (unsigned i = 0; i < INPUTS; i++)
		z += l->weight[i] * input_of(l, s, i);
	return 1 / (1 + exp(-MIN(MAX(z, -30.0), 30.0)));
}

static void note_arm(struct learner *l, uint32_t arm, bool is_relevant)
{
	uint64_t key = hash_mix(arm);

	if (map_find(&l->arms, key) || l->arms.n < ARMS_MAX)
		*map_add(&l->arms, key, NULL) += (1ull << 32) + is_relevant;
}

void learner_add(struct learner *l, const struct focus_scores *s, bool is_relevant)
{
	double error = predict(l, s) - (is_relevant ? 1 : 0);

	if (l->is_frozen)
		return;
	for (unsigned i = 0; i < INPUTS; i++) {
		double g = error * input_of(l, s, i) + DECAY * l->weight[i];

		l->squares[i] += g * g;
		if (g != 0)
			l->weight[i] -= RATE * g / (1e-3 + sqrt(l->squares[i]));
	}
	l->n++;
	l->relevant += is_relevant;
	note_arm(l, s->arm, is_relevant);
	note_arm(l, form_arm(s), is_relevant);
}

/* A link as good as the mean has 0.5, however rare relevant pages are. */
static double spread(const struct learner *l, double p)
{
	double base = base_rate(l);
	double odds = p / (1 - p + 1e-9) * ((1 - base) / base);

	return odds / (1 + odds);
}

/* Where all answers were of one kind nothing can be learnt of what tells them apart. */
static double share_of(const struct learner *l)
{
	double evidence = (double)MIN(l->relevant, l->n - l->relevant);

	return evidence / (evidence + LEAD_OVER);
}

static double bonus_of(const struct learner *l, uint32_t arm)
{
	return EXPLORE * sqrt(log((double)l->n + 1) / (arm_tried(l, arm) + 1)) / 3;
}

float learner_score(const struct learner *l, struct focus_scores *s, float average)
{
	double share = share_of(l);
	/* Before relevant pages were met, hosts are explored (host_quality.h), not
	 * places. */
	double bonus = l->is_frozen ? 0 : share * bonus_of(l, s->arm);
	double score = share * spread(l, predict(l, s)) + (1 - share) * (double)average;

	s->method = METHOD_LEARNT;
	for (enum focus_part p = 0; p < PARTS; p++)
		s->weight[p] = focus_weight_byte((float)l->weight[p]);
	s->bias = focus_weight_byte((float)(l->weight[BIAS] +
					    l->weight[ARM] * arm_mean(l, s->arm) +
					    l->weight[FORM] * arm_mean(l, form_arm(s))));
	s->learnt = (uint8_t)(share * 255);
	s->explore = (uint8_t)(MIN(bonus, 1.0) * 255);
	return (float)MIN(score + bonus, 1.0);
}
