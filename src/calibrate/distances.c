#include "calibrate/distances.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "calibrate/levenshtein.h"

void distances_release(struct distances *d)
{
	free(d->v);
	free(d->offset);
	*d = (struct distances){ 0 };
}

/* What a detector compares of a sample, as bytes. */
static void add_print(const struct detector *w, const struct sample *one, struct buf *to)
{
	switch (w->kind) {
	case DETECTOR_METHOD:
		method_fingerprint(w->method, &one->doc, &w->features, to);
		break;
	case DETECTOR_DOM_TEXT:
		buf_add(to, one->doc.text);
		break;
	case DETECTOR_DOM:
	case DETECTOR_LEVENSHTEIN:
		/* Of plain text all there is is the text. */
		if (one->html.n)
			detector_strip_dom(one->html, to);
		else
			buf_add(to, one->doc.text);
		break;
	}
}

static double measure(const struct detector *w, struct str a, struct str b)
{
	double m;

	switch (w->kind) {
	case DETECTOR_METHOD:
		if (method_measure(w->method, a, b, &m) != ST_OK)
			return method_farthest(w->method);
		return m;
	case DETECTOR_LEVENSHTEIN:
		return MAX(a.n, b.n) ? (double)levenshtein(a, b) / (double)MAX(a.n, b.n)
				     : 0;
	case DETECTOR_DOM:
	case DETECTOR_DOM_TEXT:
		break;
	}
	return str_eq(a, b) ? 0 : 1;
}

/* The distances of the different prints of a site, k * k. */
static float *measure_prints(const struct detector *w, const struct intern *prints,
			     uint64_t *count)
{
	size_t k = prints->n;
	float *v = xcalloc(k * k + 1, sizeof(*v));

	for (uint32_t i = 0; i < k; i++)
		for (uint32_t j = i; j < k; j++) {
			double m =
				measure(w, intern_str(prints, i), intern_str(prints, j));

			v[i * k + j] = v[j * k + i] = distance_of(w, m);
			(*count)++;
		}
	return v;
}

static void measure_site(const struct sample_set *s, const struct detector *w, size_t nr,
			 struct distances *d)
{
	const struct sample_site *site = &s->sites[nr];
	cleanup(intern_release) struct intern prints = { 0 };
	cleanup(buf_release) struct buf one = { 0 };
	uint32_t *print = xcalloc(site->n + 1, sizeof(*print));

	for (uint32_t i = 0; i < site->n; i++) {
		buf_reset(&one);
		add_print(w, &s->v[site->first + i], &one);
		print[i] = intern_add(&prints, buf_str(&one));
	}
	float *between = measure_prints(w, &prints, &d->measured);
	float *to = &d->v[d->offset[nr]];
	for (uint32_t i = 0; i < site->n; i++)
		for (uint32_t j = 0; j < site->n; j++)
			*to++ = between[print[i] * prints.n + print[j]];
	free(between);
	free(print);
}

void distances_make(const struct sample_set *s, const struct detector *w,
		    struct distances *ret)
{
	size_t all = 0;

	free(ret->offset);
	ret->offset = xcalloc(s->site_count + 1, sizeof(*ret->offset));
	for (size_t i = 0; i < s->site_count; i++) {
		ret->offset[i] = all;
		all += (size_t)s->sites[i].n * s->sites[i].n;
	}
	VEC_RESERVE(ret->v, ret->cap, all);
	ret->n = all;
	ret->measured = 0;
	for (size_t i = 0; i < s->site_count; i++)
		measure_site(s, w, i, ret);
}
