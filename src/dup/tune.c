#include "dup/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

#define FOLDS     5
#define RESAMPLES 1000

static bool said_near(double measure, bool smaller, double threshold)
{
	return smaller ? measure <= threshold : measure >= threshold;
}

static struct tune_point point(double threshold, double tp, double fp, double fn)
{
	return (struct tune_point){ threshold, tp > 0 ? tp / (tp + fp) : 0,
				    tp > 0 ? tp / (tp + fn) : 0,
				    tp > 0 ? 2 * tp / (2 * tp + fp + fn) : 0 };
}

struct tune_point tune_at(const struct tune_pair *v, size_t n, bool smaller_is_nearer,
			  double threshold)
{
	double tp = 0, fp = 0, fn = 0;

	for (size_t i = 0; i < n; i++) {
		bool said = said_near(v[i].measure, smaller_is_nearer, threshold);

		tp += said && v[i].near;
		fp += said && !v[i].near;
		fn += !said && v[i].near;
	}
	return point(threshold, tp, fp, fn);
}

static int by_measure(const void *a, const void *b)
{
	const struct tune_pair *x = a, *y = b;

	return (x->measure > y->measure) - (x->measure < y->measure);
}

/*
 * Between the best measure and the next one lies a range of thresholds that all
 * say the same here; its middle is the safest elsewhere.
 */
static double between(const struct tune_pair *v, size_t n, size_t i)
{
	double here = v[i].measure, next = i + 1 < n ? v[i + 1].measure : here;

	return isfinite(next) ? (here + next) / 2 : here;
}

/* `v` is sorted, nearest first, with distances (similarities negated). */
static struct tune_point best_of(const struct tune_pair *v, size_t n)
{
	struct tune_point best = { 0 };
	double all = 0, tp = 0;

	for (size_t i = 0; i < n; i++)
		all += v[i].near;
	for (size_t i = 0; i < n && isfinite(v[i].measure); i++) {
		tp += v[i].near;
		if (i + 1 < n && v[i + 1].measure == v[i].measure)
			continue;
		struct tune_point p =
			point(between(v, n, i), tp, (double)(i + 1) - tp, all - tp);
		if (p.f1 > best.f1)
			best = p;
	}
	return best;
}

static double held_out(const struct tune_pair *sorted, size_t n)
{
	struct tune_pair *rest = xcalloc(n + 1, sizeof(*rest));
	double tp = 0, fp = 0, fn = 0;

	for (size_t fold = 0; fold < FOLDS; fold++) {
		size_t k = 0;

		for (size_t i = 0; i < n; i++)
			if (hash_mix(i) % FOLDS != fold)
				rest[k++] = sorted[i];
		double threshold = best_of(rest, k).threshold;
		for (size_t i = 0; i < n; i++) {
			if (hash_mix(i) % FOLDS != fold)
				continue;
			bool said = sorted[i].measure <= threshold;

			tp += said && sorted[i].near;
			fp += said && !sorted[i].near;
			fn += !said && sorted[i].near;
		}
	}
	free(rest);
	return point(0, tp, fp, fn).f1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void resample(const struct tune_pair *v, size_t n, double threshold,
		     struct tune_result *ret)
{
	struct tune_pair *drawn = xcalloc(n + 1, sizeof(*drawn));
	double *f1 = xcalloc(RESAMPLES, sizeof(*f1));
	struct rng r = { 1 };

	for (size_t k = 0; k < RESAMPLES; k++) {
		for (size_t i = 0; i < n; i++)
			drawn[i] = v[rng_below(&r, n)];
		f1[k] = tune_at(drawn, n, true, threshold).f1;
	}
	qsort(f1, RESAMPLES, sizeof(*f1), by_value);
	ret->f1_low = f1[RESAMPLES / 40];
	ret->f1_high = f1[RESAMPLES - RESAMPLES / 40 - 1];
	free(drawn);
	free(f1);
}

struct tune_result tune(const struct tune_pair *v, size_t n, bool smaller_is_nearer)
{
	struct tune_pair *sorted = xcalloc(n + 1, sizeof(*sorted));
	struct tune_result r = { 0 };

	if (n == 0) {
		free(sorted);
		return r;
	}
	memcpy(sorted, v, n * sizeof(*v));
	for (size_t i = 0; !smaller_is_nearer && i < n; i++)
		sorted[i].measure = -sorted[i].measure;
	qsort(sorted, n, sizeof(*sorted), by_measure);
	r.best = best_of(sorted, n);
	r.held_out_f1 = held_out(sorted, n);
	resample(sorted, n, r.best.threshold, &r);
	if (!smaller_is_nearer)
		r.best.threshold = -r.best.threshold;
	free(sorted);
	return r;
}
