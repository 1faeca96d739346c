#include "focus/learner.h"

#include <math.h>

#include "base/base.h"
#include "base/hash.h"

#define RATE      0.5
#define DECAY     1e-4
#define ARMS_MAX  ((size_t)1 << 20)
#define LEAD_OVER 60.0 /* answers after which both count the same */
#define ARM_PRIOR 2.0
#define EXPLORE   0.1

enum { ARM = PARTS, BIAS, INPUTS };

void learner_init(struct learner *l)
{
	*l = (struct learner){ 0 };
}

void learner_release(struct learner *l)
{
	map_release(&l->arms);
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
	return focus_scores_has(s, i) ? (double)focus_scores_value(s, i) : 0;
}

static double predict(const struct learner *l, const struct focus_scores *s)
{
	double z = 0;

	for (unsigned i = 0; i < INPUTS; i++)
		z += l->weight[i] * input_of(l, s, i);
	return 1 / (1 + exp(-MIN(MAX(z, -30.0), 30.0)));
}

void learner_add(struct learner *l, const struct focus_scores *s, bool is_relevant)
{
	double error = predict(l, s) - (is_relevant ? 1 : 0);
	uint64_t key = hash_mix(s->arm);

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
	if (map_find(&l->arms, key) || l->arms.n < ARMS_MAX)
		*map_add(&l->arms, key, NULL) += (1ull << 32) + is_relevant;
}

/* A link as good as the mean has 0.5, however rare relevant pages are. */
static double spread(const struct learner *l, double p)
{
	double base = base_rate(l);
	double odds = p / (1 - p + 1e-9) * ((1 - base) / base);

	return odds / (1 + odds);
}

float learner_score(const struct learner *l, struct focus_scores *s, float average)
{
	double share = (double)l->n / ((double)l->n + LEAD_OVER);
	double bonus = l->is_frozen ? 0
				    : EXPLORE *
					      sqrt(log((double)l->n + 1) /
						   (arm_tried(l, s->arm) + 1)) /
					      3;
	double score = share * spread(l, predict(l, s)) + (1 - share) * (double)average;

	s->method = METHOD_LEARNT;
	for (enum focus_part p = 0; p < PARTS; p++)
		s->weight[p] = focus_weight_byte((float)l->weight[p]);
	s->bias = focus_weight_byte(
		(float)(l->weight[BIAS] + l->weight[ARM] * arm_mean(l, s->arm)));
	s->learnt = (uint8_t)(share * 255);
	s->explore = (uint8_t)(MIN(bonus, 1.0) * 255);
	return (float)MIN(score + bonus, 1.0);
}
