#include "calibrate/recommend.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"

#define RESAMPLES 1000

/* A share of the range of what was tried, so that bits and Jaccard can be compared. */
static double margin_of(const struct swept_detector *w, size_t from, size_t to)
{
	double whole = fabs(w->v[w->n - 1].threshold - w->v[0].threshold);
	double from_t = w->v[from].threshold;
	double to_t = w->v[to + 1 < w->n ? to + 1 : to].threshold;

	return whole > 0 ? fabs(to_t - from_t) / whole : 0;
}

/* The point of a run that lies nearest to the middle between its ends. */
static size_t middle(const struct swept_detector *w, size_t from, size_t to)
{
	double mid = (w->v[from].threshold + w->v[to].threshold) / 2;
	size_t best = from;

	for (size_t i = from; i <= to; i++)
		if (fabs(w->v[i].threshold - mid) < fabs(w->v[best].threshold - mid))
			best = i;
	return best;
}

/* The best point of a detector is the middle of the longest run of least cost. */
bool recommend_in_detector(const struct sweep *sw, size_t detector, double price,
			   struct recommendation *ret)
{
	const struct swept_detector *w = &sw->v[detector];
	struct recommendation best = { .detector = detector,
				       .price = price,
				       .cost = INFINITY };

	for (size_t i = 0; i < w->n; i++) {
		double cost = score_cost(&w->v[i].score, price);
		size_t to = i;

		while (to + 1 < w->n && score_cost(&w->v[to + 1].score, price) == cost)
			to++;
		double margin = margin_of(w, i, to);
		if (cost < best.cost || (cost == best.cost && margin > best.margin)) {
			best.cost = cost;
			best.run_from = i;
			best.run_to = to;
			best.margin = margin;
			best.point = middle(w, i, to);
		}
		i = to;
	}
	if (!isfinite(best.cost))
		return false;
	*ret = best;
	return true;
}

static double pair_f1_of(const struct sweep *sw, const struct recommendation *r)
{
	return metric_find(STR("pair-f1"))->value(&sw->v[r->detector].v[r->point].score);
}

static bool is_better(const struct sweep *sw, const struct recommendation *a,
		      const struct recommendation *b)
{
	double fa, fb;

	if (a->cost != b->cost)
		return a->cost < b->cost;
	fa = pair_f1_of(sw, a);
	fb = pair_f1_of(sw, b);
	if (fabs(fa - fb) > 1e-9)
		return fa > fb;
	return a->margin > b->margin + 1e-9;
}

bool recommend(const struct sweep *sw, double price, struct recommendation *ret)
{
	struct recommendation one;
	bool any = false;

	for (size_t i = 0; i < sw->n; i++) {
		if (!sw->v[i].n || !sw->v[i].v[0].score.bins ||
		    !recommend_in_detector(sw, i, price, &one))
			continue;
		if (!any || is_better(sw, &one, ret))
			*ret = one;
		any = true;
	}
	return any;
}

/* --- the interval --- */

/* What each bin costs at each threshold: rows of `bins` numbers. */
struct bin_costs {
	float *cost, *errors;
	size_t bins, points;
};

static void add_site_costs(const struct sample_set *s, size_t site,
			   const struct score_work *w, double price, float *cost,
			   float *errors)
{
	const struct sample_site *at = &s->sites[site];

	for (uint32_t b = 0; b < at->bins; b++) {
		uint32_t kept = w->in_bin[b];

		cost[b] = kept ? (float)(kept - 1) : (float)price;
		errors[b] = kept ? (float)(kept - 1) : 1;
	}
}

static void fill_costs(const struct sample_set *s, const struct swept_detector *w,
		       const struct score_options *o, double price, struct bin_costs *ret)
{
	cleanup(distances_release) struct distances d = { 0 };
	cleanup(score_work_release) struct score_work work = { 0 };

	distances_make(s, w->detector, &d);
	for (size_t i = 0; i < w->n; i++) {
		size_t at = i * ret->bins;

		for (size_t k = 0; k < s->site_count; k++) {
			struct score passing = { 0 };

			score_site(s, k, &d, distance_of(w->detector, w->v[i].threshold),
				   o, &work, &passing);
			add_site_costs(s, k, &work, price, &ret->cost[at],
				       &ret->errors[at]);
			at += s->sites[k].bins;
		}
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double drawn_sum(const float *row, const uint32_t *drawn, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += row[drawn[i]];
	return sum;
}

/* The best point of one resample: the middle of the first longest run. */
static size_t best_of(const struct swept_detector *w, const struct bin_costs *c,
		      const uint32_t *drawn)
{
	double least = INFINITY;
	size_t from = 0, length = 0, run = 0;

	for (size_t i = 0; i < c->points; i++) {
		double cost = drawn_sum(&c->cost[i * c->bins], drawn, c->bins);

		if (cost < least) {
			least = cost;
			from = i;
			length = run = 1;
		} else if (cost == least) {
			run++;
			if (run > length) {
				length = run;
				from = i + 1 - run;
			}
		} else {
			run = 0;
		}
	}
	return middle(w, from, from + length - 1);
}

void recommend_interval(const struct sample_set *s, const struct sweep *sw,
			const struct score_options *o, struct recommendation *r)
{
	const struct swept_detector *w = &sw->v[r->detector];
	struct bin_costs c = { .bins = samples_bins(s), .points = w->n };
	struct rng rng = { 1 };

	if (c.bins < 2 || c.points == 0 || c.bins * c.points > ((size_t)1 << 27))
		return;
	c.cost = xcalloc(c.bins * c.points, sizeof(*c.cost));
	c.errors = xcalloc(c.bins * c.points, sizeof(*c.errors));
	fill_costs(s, w, o, r->price, &c);
	uint32_t *drawn = xcalloc(c.bins, sizeof(*drawn));
	double thresholds[RESAMPLES], errors[RESAMPLES];
	for (size_t k = 0; k < RESAMPLES; k++) {
		for (size_t i = 0; i < c.bins; i++)
			drawn[i] = (uint32_t)rng_below(&rng, c.bins);
		size_t best = best_of(w, &c, drawn);
		thresholds[k] = w->v[best].threshold;
		errors[k] = drawn_sum(&c.errors[r->point * c.bins], drawn, c.bins);
	}
	qsort(thresholds, RESAMPLES, sizeof(*thresholds), by_value);
	qsort(errors, RESAMPLES, sizeof(*errors), by_value);
	r->low = thresholds[RESAMPLES / 40];
	r->high = thresholds[RESAMPLES - RESAMPLES / 40 - 1];
	r->errors_low = errors[RESAMPLES / 40];
	r->errors_high = errors[RESAMPLES - RESAMPLES / 40 - 1];
	r->has_interval = true;
	free(drawn);
	free(c.cost);
	free(c.errors);
}
