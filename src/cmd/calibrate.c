#include "cmd/calibrate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "cmd/commands.h"

int calibrate_fail(const struct command *self, int code, const char *text)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, text);
	return code;
}

void calibrate_command_line(int argc, char **argv, struct buf *to)
{
	buf_add(to, STR("thresh calibrate"));
	for (int i = 0; i < argc; i++)
		buf_addf(to, " %s", argv[i]);
}

void calibrate_print_json(const struct sweep_report *r)
{
	cleanup(buf_release) struct buf b = { 0 };

	sweep_report_add_json(r, &b);
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

struct ranked {
	struct recommendation r;
	double pair_f1;
};

static int by_cost(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->r.cost != y->r.cost)
		return x->r.cost < y->r.cost ? -1 : 1;
	if (x->pair_f1 != y->pair_f1)
		return x->pair_f1 > y->pair_f1 ? -1 : 1;
	return (x->r.detector > y->r.detector) - (x->r.detector < y->r.detector);
}

static void print_point(const struct sweep *sw, const struct recommendation *r)
{
	const struct swept_detector *w = &sw->v[r->detector];
	const struct score *s = &w->v[r->point].score;
	cleanup(buf_release) struct buf features = { 0 };

	detector_add_features(w->detector, &features);
	printf("%-17.*s %-12s %9.4g %7u %7u %11u %6u %6.3f %8.3f %8.2f\n",
	       STR_ARG(detector_name(w->detector)), buf_cstr(&features),
	       w->v[r->point].threshold, s->missed + s->duplicates, s->missed,
	       s->duplicates, s->kept, metric_find(STR("f1"))->value(s),
	       metric_find(STR("pair-f1"))->value(s), w->measure_us);
}

static const char *const head =
	"method            features     threshold  errors  missed  duplicates   kept     "
	"F1  pair F1  us/pair\n";

struct recommendation *calibrate_rank(const struct sweep *sw, double price, size_t *ret_n)
{
	struct ranked *v = xcalloc(sw->n + 1, sizeof(*v));
	struct recommendation *ret = xcalloc(sw->n + 1, sizeof(*ret));
	size_t n = 0;

	for (size_t i = 0; i < sw->n; i++)
		if (sw->v[i].n && recommend_in_detector(sw, i, price, &v[n].r)) {
			const struct score *s = &sw->v[i].v[v[n].r.point].score;

			v[n++].pair_f1 = metric_find(STR("pair-f1"))->value(s);
		}
	qsort(v, n, sizeof(*v), by_cost);
	for (size_t i = 0; i < n; i++)
		ret[i] = v[i].r;
	free(v);
	*ret_n = n;
	return ret;
}

static void print_best(const struct sweep_report *r, size_t rows)
{
	const struct sweep *sw = r->sweep;
	size_t n;
	struct recommendation *v = calibrate_rank(sw, r->best.price, &n);

	printf("%s", head);
	for (size_t i = 0; i < n && i < rows; i++)
		print_point(sw, &v[i]);
	for (size_t i = rows; i < n; i++)
		if (!sw->v[v[i].detector].detector->method)
			print_point(sw, &v[i]);
	free(v);
}

static void print_prices(const struct sweep_report *r)
{
	static const double prices[] = { 0.25, 1, 4, 16 };

	printf("\nprice of a miss\n");
	for (size_t i = 0; i < COUNT(prices); i++) {
		struct recommendation one;

		if (!recommend_in_detector(r->sweep, r->best.detector, prices[i], &one))
			continue;
		const struct sweep_point *p = &r->sweep->v[one.detector].v[one.point];
		printf("%15g  threshold %.4g: %u missed, %u duplicates\n", prices[i],
		       p->threshold, p->score.missed, p->score.duplicates);
	}
}

static void print_shapes(const struct shapes *s)
{
	static const char *const verdicts[] = { "agrees", "differs", "" };

	if (s->n)
		printf("\n%-30s %-37s %s\n", "the seed's figures 9 to 15", "seed",
		       "here");
	for (size_t i = 0; i < s->n; i++)
		printf("%-30s %-37s %-45s %s\n", s->v[i].what, s->v[i].seed, s->v[i].ours,
		       verdicts[s->v[i].verdict]);
}

void calibrate_print_sweep(const struct sweep_report *r, size_t rows)
{
	const struct sample_set *s = r->set;
	const struct recommendation *b = &r->best;

	printf("%zu states of %zu sites, %zu labelled, %zu bins; %zu points, %llu "
	       "comparisons, %.2f s\n\n",
	       s->n, s->site_count, samples_labelled(s), samples_bins(s),
	       r->sweep->points, (unsigned long long)r->sweep->measured,
	       (double)r->duration_ms / 1000);
	if (!r->has_best) {
		printf("nothing is labelled: --labels names a file, or 'thresh calibrate "
		       "annotate' makes one\n");
		return;
	}
	print_best(r, rows);
	print_prices(r);
	printf("\nrecommended (a miss costs %g)\n%s", b->price, head);
	print_point(r->sweep, b);
	if (b->has_interval)
		printf("95 %%: threshold %.4g to %.4g, errors %g to %g\n",
		       MIN(b->low, b->high), MAX(b->low, b->high), b->errors_low,
		       b->errors_high);
	print_shapes(&r->shapes);
}

static const struct command *const children[] = {
	&cmd_calibrate_sweep,
	&cmd_calibrate_search,
	&cmd_calibrate_record,
	&cmd_calibrate_copies,
	&cmd_calibrate_annotate,
	&cmd_calibrate_init,
	&cmd_calibrate_add,
	&cmd_calibrate_worker,
	&cmd_calibrate_tasks,
	&cmd_calibrate_fetch,
	NULL,
};

const struct command cmd_calibrate = {
	.name = "calibrate",
	.summary = "choose thresholds by measurement",
	.operands = "",
	.about = "Near-duplicate methods, features, sizes and thresholds are tried on "
		 "states or documents whose truth is known.",
	.children = children,
};
