#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "cmd/command.h"
#include "cmd/dedup_show.h"
#include "dedup/tuning.h"

static void print_curve(const struct method *m, const struct tune_pair *v, size_t n)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i].measure)) {
			low = fmin(low, v[i].measure);
			high = fmax(high, v[i].measure);
		}
	printf("\nthreshold  precision  recall  F1   (%s)\n", m->name);
	for (int k = 0; k <= 20 && high > low; k++) {
		struct tune_point p =
			tune_at(v, n, m->smaller_is_nearer, low + (high - low) * k / 20);

		printf("%9.4g  %9.3f  %6.3f  %.3f %.*s\n", p.threshold, p.precision,
		       p.recall, p.f1, (int)(p.f1 * 40),
		       "########################################");
	}
}

/* "words 5", "chars 9", "keywords". */
static const char *describe(const struct feature_options *f, struct buf *to)
{
	struct str name = f->kind == FEATURE_SHINGLES
				  ? preset_nth_word(PIECE_NAMES, (int)f->piece)
				  : preset_nth_word(FEATURE_WORDS, (int)f->kind);

	buf_reset(to);
	buf_add(to, name);
	if (f->kind == FEATURE_SHINGLES)
		buf_addf(to, " %u", f->size);
	return buf_cstr(to);
}

static enum status write_preset(struct str path, struct str text, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	if (str_eq(path, STR("-"))) {
		printf("\n" STR_FMT, STR_ARG(text));
		return ST_OK;
	}
	buf_add(&name, path);
	return file_save(buf_cstr(&name), text, why);
}

static void print_row(void *arg, const struct tuned *t)
{
	cleanup(buf_release) struct buf features = { 0 };
	const struct tune_result *r = &t->result;

	(void)arg;
	printf("%-14s %-11s %9.4g  %.3f  %.3f     %.3f to %.3f\n", t->method->name,
	       describe(&t->features, &features), r->best.threshold, r->best.f1,
	       r->held_out_f1, r->f1_low, r->f1_high);
}

static void add_preset(const struct tuned *t, struct buf *to)
{
	cleanup(buf_release) struct buf comment = { 0 };

	buf_addf(&comment, "made by thresh dedup --tune; F1 %.3f (95 %%: %.3f to %.3f)",
		 t->result.best.f1, t->result.f1_low, t->result.f1_high);
	preset_format(t->method, &t->features, t->result.best.threshold,
		      buf_str(&comment), to);
}

int dedup_tune(const struct dedup_settings *s)
{
	cleanup(labelled_release) struct labelled_set set = { 0 };
	cleanup(buf_release) struct buf preset = { 0 };
	struct diag why = { 0 };

	if (labelled_load(s->tune, &set, &why) != ST_OK)
		return dedup_fail(why.text);
	printf("%zu pairs, %zu near\n\nmethod         features    threshold  F1     held "
	       "out  95 %%\n",
	       set.n, set.near);
	struct tuned best = tuning_run(&set, print_row, NULL);
	struct tune_pair *v = xcalloc(set.n, sizeof(*v));
	labelled_measure(&set, &best, v);
	print_curve(best.method, v, set.n);
	free(v);
	add_preset(&best, &preset);
	enum status st = write_preset(s->output, buf_str(&preset), &why);
	return st == ST_OK ? EXIT_FINE : dedup_fail(why.text);
}
