#include "calibrate/sweep_report.h"

#include <math.h>

#include "dedup/preset.h"

static const double prices[] = { 0.25, 0.5, 1, 2, 4, 8 };

static void put_features(struct json_out *o, const struct detector *d)
{
	cleanup(buf_release) struct buf features = { 0 };

	detector_add_features(d, &features);
	json_put_str(o, "method", detector_name(d));
	json_put_str(o, "features", buf_str(&features));
	json_put_uint(o, "size",
		      d->method && d->features.kind == FEATURE_SHINGLES ? d->features.size
									: 0);
	json_put_bool(o, "smaller_is_nearer", detector_smaller_is_nearer(d));
}

/* One array per metric, so that names are written once. */
static void add_detector(const struct swept_detector *w, struct json_out *o)
{
	json_open(o, '{');
	put_features(o, w->detector);
	json_put_double(o, "us_per_pair", round(w->measure_us * 100) / 100);
	json_key(o, STR("threshold"));
	json_open(o, '[');
	for (size_t i = 0; i < w->n; i++)
		json_add_double(o, round(w->v[i].threshold * 1e6) / 1e6);
	json_close(o, ']');
	for (const struct metric *m = metrics; m->name; m++) {
		json_key(o, str_from(m->name));
		json_open(o, '[');
		for (size_t i = 0; i < w->n; i++)
			json_add_double(o, round(m->value(&w->v[i].score) * 1e4) / 1e4);
		json_close(o, ']');
	}
	json_close(o, '}');
}

static void add_recommendation(const struct sweep *sw, const struct recommendation *r,
			       struct json_out *o)
{
	const struct swept_detector *w = &sw->v[r->detector];

	json_open(o, '{');
	put_features(o, w->detector);
	json_put_uint(o, "detector", r->detector);
	json_put_uint(o, "point", r->point);
	json_put_double(o, "price", r->price);
	json_put_double(o, "cost", r->cost);
	json_put_double(o, "threshold", w->v[r->point].threshold);
	json_put_double(o, "same_from", w->v[r->run_from].threshold);
	json_put_double(o, "same_to", w->v[r->run_to].threshold);
	for (const struct metric *m = metrics; m->name; m++)
		json_put_double(o, m->name, m->value(&w->v[r->point].score));
	if (r->has_interval) {
		json_put_double(o, "threshold_low", r->low);
		json_put_double(o, "threshold_high", r->high);
		json_put_double(o, "errors_low", r->errors_low);
		json_put_double(o, "errors_high", r->errors_high);
	}
	json_close(o, '}');
}

static void put_set(const struct sample_set *s, struct json_out *o)
{
	json_key(o, STR("set"));
	json_open(o, '{');
	json_put_uint(o, "sites", s->site_count);
	json_put_uint(o, "states", s->n);
	json_put_uint(o, "labelled", samples_labelled(s));
	json_put_uint(o, "bins", samples_bins(s));
	json_put_uint(o, "graded_pairs", s->pair_count);
	json_close(o, '}');
}

static void put_metrics(struct json_out *o)
{
	json_key(o, STR("metrics"));
	json_open(o, '{');
	for (const struct metric *m = metrics; m->name; m++)
		json_put_str(o, m->name, str_from(m->about));
	json_close(o, '}');
}

static void put_prices(const struct sweep *sw, struct json_out *o)
{
	json_key(o, STR("by_price"));
	json_open(o, '[');
	for (size_t i = 0; i < COUNT(prices); i++) {
		struct recommendation r;

		if (recommend(sw, prices[i], &r))
			add_recommendation(sw, &r, o);
	}
	json_close(o, ']');
}

void sweep_report_add_json(const struct sweep_report *r, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "command", r->command);
	json_put_uint(&o, "points", r->sweep->points);
	json_put_uint(&o, "comparisons", r->sweep->measured);
	json_put_uint(&o, "duration_ms", r->duration_ms);
	put_set(r->set, &o);
	put_metrics(&o);
	if (r->has_best) {
		json_key(&o, STR("recommended"));
		add_recommendation(r->sweep, &r->best, &o);
	}
	put_prices(r->sweep, &o);
	if (r->shapes.n) {
		json_key(&o, STR("shapes"));
		shapes_add_json(&r->shapes, &o);
	}
	json_key(&o, STR("detectors"));
	json_open(&o, '[');
	for (size_t i = 0; i < r->sweep->n; i++)
		if (r->sweep->v[i].detector)
			add_detector(&r->sweep->v[i], &o);
	json_close(&o, ']');
	json_close(&o, '}');
}

static void add_csv_lines(const struct swept_detector *w, struct buf *to)
{
	cleanup(buf_release) struct buf features = { 0 };

	detector_add_features(w->detector, &features);
	for (size_t i = 0; i < w->n; i++) {
		buf_addf(to, STR_FMT "," STR_FMT ",%.9g",
			 STR_ARG(detector_name(w->detector)), STR_ARG(buf_str(&features)),
			 w->v[i].threshold);
		for (const struct metric *m = metrics; m->name; m++)
			buf_addf(to, ",%.6g", m->value(&w->v[i].score));
		buf_add_char(to, '\n');
	}
}

void sweep_report_add_csv(const struct sweep_report *r, struct buf *to)
{
	buf_add(to, STR("method,features,threshold"));
	for (const struct metric *m = metrics; m->name; m++)
		buf_addf(to, ",%s", m->name);
	buf_add_char(to, '\n');
	for (size_t i = 0; i < r->sweep->n; i++)
		if (r->sweep->v[i].detector)
			add_csv_lines(&r->sweep->v[i], to);
}

/* "</script" inside the data would end it. */
static void add_escaped(struct str json, struct buf *to)
{
	for (size_t i = 0; i < json.n; i++)
		if (json.p[i] == '<')
			buf_add(to, STR("\\u003c"));
		else
			buf_add_char(to, json.p[i]);
}

void sweep_report_add_page(const struct sweep_report *r, struct buf *to)
{
	cleanup(buf_release) struct buf json = { 0 };
	struct str mark = STR("\"@DATA@\"");
	size_t at = str_find(sweep_page, mark);

	sweep_report_add_json(r, &json);
	buf_add(to, str_slice(sweep_page, 0, at));
	add_escaped(buf_str(&json), to);
	buf_add(to, str_skip(sweep_page, at + mark.n));
}

static void add_evidence(const struct sweep_report *r, struct buf *to)
{
	const struct recommendation *b = &r->best;
	const struct score *s = &r->sweep->v[b->detector].v[b->point].score;

	buf_addf(to, "made by " STR_FMT "\n", STR_ARG(r->command));
	buf_addf(to,
		 "# on %zu states of %zu sites in %zu bins: %u kept, %u missed, %u "
		 "duplicates, F1 %.3f, pairs F1 %.3f\n",
		 r->set->n, r->set->site_count, samples_bins(r->set), s->kept, s->missed,
		 s->duplicates, metric_find(STR("f1"))->value(s),
		 metric_find(STR("pair-f1"))->value(s));
	buf_addf(to, "# a missed state counted as %g duplicates", b->price);
	if (b->has_interval)
		buf_addf(to, "; 95 %%: threshold %.4g to %.4g, errors %g to %g",
			 MIN(b->low, b->high), MAX(b->low, b->high), b->errors_low,
			 b->errors_high);
}

void sweep_report_add_preset(const struct sweep_report *r, struct buf *to)
{
	cleanup(buf_release) struct buf comment = { 0 };
	const struct swept_detector *w = &r->sweep->v[r->best.detector];

	add_evidence(r, &comment);
	/* A baseline has no method that others could use: the best method is. */
	if (w->detector->method)
		preset_format(w->detector->method, &w->detector->features,
			      w->v[r->best.point].threshold, buf_str(&comment), to);
}
