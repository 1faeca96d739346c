#include "calibrate/sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/thread.h"

#define OCCURRING_MAX ((size_t)1 << 20) /* distances looked at to choose thresholds */

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static size_t distinct(float *v, size_t n)
{
	size_t k = 0;

	if (n)
		qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 0; i < n; i++)
		if (k == 0 || v[k - 1] != v[i])
			v[k++] = v[i];
	return k;
}

/* The distances between different samples, without repetition. */
static float *occurring(const struct sample_set *s, const struct distances *d,
			size_t *ret_n)
{
	size_t step = d->n / OCCURRING_MAX + 1, at = 0, n = 0;
	float *v = xcalloc(d->n / step + 2, sizeof(*v));

	for (size_t k = 0; k < s->site_count; k++)
		for (uint32_t i = 0; i < s->sites[k].n; i++)
			for (uint32_t j = i + 1; j < s->sites[k].n; j++) {
				float x = distance_at(d, s, k, i, j);

				if (at++ % step == 0 && isfinite(x))
					v[n++] = x;
			}
	*ret_n = distinct(v, n);
	return v;
}

/* Whole numbers stay what they are: bits that differ are never 2.5. */
static float between(float a, float b)
{
	return a == floorf(a) && b == floorf(b) && (b - a <= 1 || fabsf(a) > 1)
		       ? a
		       : (a + b) / 2;
}

/* One at which not even the nearest are merged, unless these are equal. */
static bool stricter(const struct detector *w, float nearest, float *ret)
{
	float equal = detector_smaller_is_nearer(w) ? 0 : -1;

	if (nearest <= equal)
		return false;
	*ret = nearest == floorf(nearest) && equal == 0.0f ? nearest - 1
							   : (nearest + equal) / 2;
	return true;
}

float *sweep_thresholds(const struct sample_set *s, const struct detector *w,
			const struct distances *d, size_t steps, size_t *ret_n)
{
	float *v, *all;
	size_t n, k = 0;

	if (w->threshold_count) {
		v = xcalloc(w->threshold_count, sizeof(*v));
		for (size_t i = 0; i < w->threshold_count; i++)
			v[i] = distance_of(w, w->thresholds[i]);
		*ret_n = distinct(v, w->threshold_count);
		return v;
	}
	all = occurring(s, d, &n);
	v = xcalloc(steps + 2, sizeof(*v));
	if (n && stricter(w, all[0], &v[k]))
		k++;
	for (size_t i = 0; i < MIN(n, steps); i++) {
		size_t at = n <= steps ? i : i * (n - 1) / (steps - 1);

		v[k++] = at + 1 < n ? between(all[at], all[at + 1]) : all[at];
	}
	free(all);
	*ret_n = distinct(v, k);
	return v;
}

struct crew {
	const struct sample_set *set;
	const struct detector_list *detectors;
	const struct sweep_options *options;
	struct sweep *result;
	atomic_size_t next;
	atomic_bool stop;
};

struct hand {
	struct crew *crew;
	struct thread thread;
	bool reports;
	struct distances distances;
	struct pair_curve curve;
	struct score_work work;
};

static void sweep_detector(struct hand *h, size_t nr)
{
	struct crew *c = h->crew;
	struct swept_detector *to = &c->result->v[nr];
	int64_t begin_us = clock_mono_ns(&real_clock) / 1000;
	size_t n;

	to->detector = &c->detectors->v[nr];
	distances_make(c->set, to->detector, &h->distances);
	to->measured = h->distances.measured;
	to->measure_us = (double)(clock_mono_ns(&real_clock) / 1000 - begin_us) /
			 (double)MAX(to->measured, 1);
	pair_curve_make(c->set, &h->distances, &h->curve);
	float *t = sweep_thresholds(c->set, to->detector, &h->distances,
				    c->options->steps, &n);
	to->v = xcalloc(n + 1, sizeof(*to->v));
	to->n = n;
	for (size_t i = 0; i < n; i++) {
		to->v[i].threshold = measure_of(to->detector, t[i]);
		/* as it was written, not as a float has it */
		for (size_t k = 0; k < to->detector->threshold_count; k++)
			if (distance_of(to->detector, to->detector->thresholds[k]) ==
			    t[i])
				to->v[i].threshold = to->detector->thresholds[k];
		score_all(c->set, &h->distances, t[i], &c->options->score, &h->work,
			  &to->v[i].score);
		pair_curve_at(&h->curve, t[i], &to->v[i].score);
	}
	free(t);
}

static void work(void *arg)
{
	struct hand *h = arg;
	struct crew *c = h->crew;
	size_t nr;

	while (!c->stop && (nr = atomic_fetch_add(&c->next, 1)) < c->detectors->n) {
		sweep_detector(h, nr);
		if (h->reports && c->options->progress &&
		    !c->options->progress(c->options->ctx, nr + 1, c->detectors->n))
			c->stop = true;
	}
	distances_release(&h->distances);
	pair_curve_release(&h->curve);
	score_work_release(&h->work);
}

enum status sweep_run(const struct sample_set *s, const struct detector_list *detectors,
		      const struct sweep_options *o, struct sweep *ret, struct diag *why)
{
	struct crew c = { .set = s, .detectors = detectors, .options = o, .result = ret };
	size_t n = MAX(o->threads, 1u);
	struct hand *hands = xcalloc(n, sizeof(*hands));
	enum status st = ST_OK;

	ret->v = xcalloc(detectors->n + 1, sizeof(*ret->v));
	ret->n = detectors->n;
	for (size_t i = 0; i < n; i++)
		hands[i] = (struct hand){ .crew = &c, .reports = i == 0 };
	for (size_t i = 1; i < n && st == ST_OK; i++)
		st = thread_start(&hands[i].thread, "sweep", work, &hands[i], why);
	work(&hands[0]);
	for (size_t i = 1; i < n; i++)
		thread_join(&hands[i].thread);
	free(hands);
	for (size_t i = 0; i < ret->n; i++) {
		ret->points += ret->v[i].n;
		ret->measured += ret->v[i].measured;
	}
	return st == ST_OK && c.stop ? ST_CANCELLED : st;
}

void sweep_release(struct sweep *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].v);
	free(s->v);
	*s = (struct sweep){ 0 };
}
