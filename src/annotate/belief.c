#include "annotate/belief.h"

#include <math.h>

#define INTERVAL_TAIL 0.025

/* How many cells it takes from "surely" to "perhaps". */
static const double slopes[BELIEF_SLOPES] = { 0.25, 0.75, 1.5, 3, 6 };

/* The probability of being near, `cells` behind the middle of the change. */
static double falls(double cells, double slope)
{
	return 1 / (1 + exp(cells / slope));
}

static double truth(size_t cell, size_t cut, size_t slope)
{
	return falls((double)cell + 0.5 - (double)cut, slopes[slope]);
}

static double said_near(double near)
{
	return BELIEF_LAPSE + (1 - 2 * BELIEF_LAPSE) * near;
}

void belief_init(struct belief *b, const double *pairs, size_t cells)
{
	*b = (struct belief){ .cells = MIN(cells, (size_t)BELIEF_CELLS) };
	for (size_t i = 0; i < b->cells; i++)
		b->pairs[i] = pairs[i];
	for (size_t c = 0; c <= b->cells; c++)
		for (size_t s = 0; s < BELIEF_SLOPES; s++)
			b->weight[c][s] = 1 / (double)((b->cells + 1) * BELIEF_SLOPES);
}

void belief_add(struct belief *b, size_t cell, bool near)
{
	double sum = 0;

	for (size_t c = 0; c <= b->cells; c++)
		for (size_t s = 0; s < BELIEF_SLOPES; s++) {
			double yes = said_near(truth(cell, c, s));

			b->weight[c][s] *= near ? yes : 1 - yes;
			sum += b->weight[c][s];
		}
	/* No hypothesis excludes an answer, so the sum is above 0. */
	for (size_t c = 0; c <= b->cells; c++)
		for (size_t s = 0; s < BELIEF_SLOPES; s++)
			b->weight[c][s] /= sum;
	b->answers++;
}

double belief_near(const struct belief *b, size_t cell)
{
	double near = 0;

	for (size_t c = 0; c <= b->cells; c++)
		for (size_t s = 0; s < BELIEF_SLOPES; s++)
			near += b->weight[c][s] * truth(cell, c, s);
	return near;
}

static double entropy(double p)
{
	return p <= 0 || p >= 1 ? 0 : -p * log2(p) - (1 - p) * log2(1 - p);
}

double belief_information(const struct belief *b, size_t cell)
{
	double mean = 0, within = 0;

	for (size_t c = 0; c <= b->cells; c++)
		for (size_t s = 0; s < BELIEF_SLOPES; s++) {
			double yes = said_near(truth(cell, c, s));

			mean += b->weight[c][s] * yes;
			within += b->weight[c][s] * entropy(yes);
		}
	return MAX(entropy(mean) - within, 0.0);
}

/* The cut with the best F1 where `near` is the share of near pairs in each cell. */
static size_t best_cut(const struct belief *b, const double *near, double *ret_f1)
{
	double all = 0, found = 0, called = 0;
	size_t best = 0;

	*ret_f1 = 0;
	for (size_t i = 0; i < b->cells; i++)
		all += b->pairs[i] * near[i];
	for (size_t i = 0; i < b->cells; i++) {
		found += b->pairs[i] * near[i];
		called += b->pairs[i];
		double f1 = all + called > 0 ? 2 * found / (all + called) : 0;
		if (f1 > *ret_f1) {
			*ret_f1 = f1;
			best = i + 1;
		}
	}
	return best;
}

/* The best cut of each hypothesis, weighed: where 95 % of them are. */
static void add_interval(const struct belief *b, struct belief_estimate *e)
{
	double at[BELIEF_CELLS + 1] = { 0 }, near[BELIEF_CELLS], f1, below = 0;

	for (size_t c = 0; c <= b->cells; c++)
		for (size_t s = 0; s < BELIEF_SLOPES; s++) {
			if (b->weight[c][s] < 1e-6)
				continue;
			for (size_t i = 0; i < b->cells; i++)
				near[i] = truth(i, c, s);
			at[best_cut(b, near, &f1)] += b->weight[c][s];
		}
	e->low = e->high = e->cut;
	for (size_t i = 0; i <= b->cells; i++) {
		if (below < INTERVAL_TAIL)
			e->low = MIN(e->cut, i);
		below += at[i];
		if (at[i] > 0 && below - at[i] < 1 - INTERVAL_TAIL)
			e->high = MAX(e->cut, i);
	}
}

struct belief_estimate belief_estimate(const struct belief *b)
{
	struct belief_estimate e = { 0 };
	double near[BELIEF_CELLS];

	for (size_t i = 0; i < b->cells; i++)
		near[i] = belief_near(b, i);
	e.cut = best_cut(b, near, &e.f1);
	add_interval(b, &e);
	return e;
}
