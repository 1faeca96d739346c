#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cmd/dedup.h"
#include "dup/tune.h"
#include "os/file.h"

struct labelled {
	struct str a, b;
	bool near;
};

struct labelled_set {
	struct labelled *v;
	size_t n, cap, near;
	struct arena bytes;
};

static void labelled_release(struct labelled_set *s)
{
	free(s->v);
	arena_release(&s->bytes);
}

/* "1", 1, true and "near" are near; "0", 0, false and anything else is not. */
static bool is_near(struct str label)
{
	return label.n && !str_eq(label, STR("0")) && !str_eq(label, STR("false")) &&
	       !str_eq(label, STR("null"));
}

static enum status load_labelled(struct str path, struct labelled_set *ret,
				 struct diag *why)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 };
	struct corpus_options how = { .format = CORPUS_JSONL, .text_field = STR("a") };
	struct corpus_doc doc;
	enum status st;

	TRY(corpus_open(&c, &path, 1, &how, why));
	while ((st = corpus_next(&c, &doc, why)) == ST_OK) {
		struct jsonl_want w[] = { { .name = STR("label") },
					  { .name = STR("a") },
					  { .name = STR("b") } };

		TRY(jsonl_read(doc.raw, w, COUNT(w), &scratch, why));
		struct labelled l = { arena_copy(&ret->bytes, w[1].value),
				      arena_copy(&ret->bytes, w[2].value),
				      is_near(w[0].value) };
		ret->near += l.near;
		VEC_ADD(ret->v, ret->n, ret->cap, l);
	}
	if (st != ST_AGAIN)
		return st;
	if (ret->near < 5 || ret->n - ret->near < 5)
		return diag_fail(why, ST_SYNTAX,
				 "want at least five near and five other pairs");
	return ST_OK;
}

static bool takes_text(const struct method *m)
{
	return m->features.kind == FEATURE_SHINGLES ||
	       m->features.kind == FEATURE_KEYWORDS;
}

static void measure_all(const struct method *m, const struct feature_options *how,
			const struct labelled_set *s, struct tune_pair *ret)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		buf_reset(&a);
		buf_reset(&b);
		method_fingerprint(m, &(struct document){ .text = s->v[i].a }, how, &a);
		method_fingerprint(m, &(struct document){ .text = s->v[i].b }, how, &b);
		ret[i].near = s->v[i].near;
		if (method_measure(m, buf_str(&a), buf_str(&b), &ret[i].measure) != ST_OK)
			ret[i].measure = method_farthest(m);
	}
}

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

/* The place of a word in "a|b|c", from 1; 0 when it is none of them. */
static int find_word(const char *list, struct str word)
{
	struct str words = str_from(list), one;

	for (int i = 1; str_take_until(&words, '|', &one); i++)
		if (str_eq(one, word))
			return i;
	return 0;
}

static struct str nth_word(const char *list, int n)
{
	struct str words = str_from(list), one = { "", 0 };

	for (int i = 0; i <= n && str_take_until(&words, '|', &one); i++)
		;
	return one;
}

/* "words 5", "chars 9", "keywords". */
static const char *describe(const struct feature_options *f, struct buf *to)
{
	struct str name = f->kind == FEATURE_SHINGLES
				  ? nth_word(PIECE_NAMES, (int)f->piece)
				  : nth_word(FEATURE_WORDS, (int)f->kind);

	buf_reset(to);
	buf_add(to, name);
	if (f->kind == FEATURE_SHINGLES)
		buf_addf(to, " %u", f->size);
	return buf_cstr(to);
}

static void add_preset(const struct method *m, const struct feature_options *f,
		       const struct tune_result *r, struct buf *to)
{
	buf_addf(to,
		 "# made by thresh dedup --tune; F1 %.3f (95 %%: %.3f to %.3f)\nmethod "
		 "%s\n",
		 r->best.f1, r->f1_low, r->f1_high, m->name);
	if (m->any_features)
		buf_addf(to, "features " STR_FMT "\n",
			 STR_ARG(nth_word(FEATURE_WORDS, (int)f->kind)));
	if (f->kind == FEATURE_SHINGLES && m->any_features)
		buf_addf(to, "pieces " STR_FMT "\n",
			 STR_ARG(nth_word(PIECE_NAMES, (int)f->piece)));
	buf_addf(to, "size %u\nthreshold %.17g\n", f->size, r->best.threshold);
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

/* The best method so far, by the pairs it had not seen. */
struct winner {
	const struct method *method;
	struct feature_options features;
	struct tune_result result;
};

static void try_one(const struct method *m, const struct feature_options *how,
		    const struct labelled_set *set, struct tune_pair *v, struct winner *w)
{
	cleanup(buf_release) struct buf features = { 0 };

	measure_all(m, how, set, v);
	struct tune_result r = tune(v, set->n, m->smaller_is_nearer);
	printf("%-14s %-11s %9.4g  %.3f  %.3f     %.3f to %.3f\n", m->name,
	       describe(how, &features), r.best.threshold, r.best.f1, r.held_out_f1,
	       r.f1_low, r.f1_high);
	if (!w->method || r.held_out_f1 > w->result.held_out_f1)
		*w = (struct winner){ m, *how, r };
}

static bool same_features(const struct feature_options *a,
			  const struct feature_options *b)
{
	return a->kind == b->kind && (a->kind != FEATURE_SHINGLES ||
				      (a->piece == b->piece && a->size == b->size));
}

/* The method as it is; where it takes others, other features, too. */
static void try_method(const struct method *m, const struct labelled_set *set,
		       struct tune_pair *v, struct winner *w)
{
	static const struct feature_options others[] = {
		{ .piece = PIECE_WORDS, .size = 1 },
		{ .piece = PIECE_WORDS, .size = 3 },
		{ .piece = PIECE_WORDS, .size = 5 },
		{ .piece = PIECE_WORDS, .size = 8 },
		{ .piece = PIECE_CHARS, .size = 9 },
		{ .piece = PIECE_SENTENCES, .size = 1 },
		{ .kind = FEATURE_KEYWORDS },
	};

	try_one(m, &m->features, set, v, w);
	for (size_t i = 0; m->any_features && i < COUNT(others); i++) {
		struct feature_options how = others[i];

		how.weight = m->features.weight;
		if (!same_features(&how, &m->features))
			try_one(m, &how, set, v, w);
	}
}

int dedup_tune(const struct dedup_settings *s)
{
	cleanup(labelled_release) struct labelled_set set = { 0 };
	cleanup(buf_release) struct buf preset = { 0 };
	struct winner w = { 0 };
	struct diag why = { 0 };

	if (load_labelled(s->tune, &set, &why) != ST_OK)
		return dedup_fail(why.text);
	struct tune_pair *v = xcalloc(set.n, sizeof(*v));
	printf("%zu pairs, %zu near\n\nmethod         features    threshold  F1     held "
	       "out  95 %%\n",
	       set.n, set.near);
	for (const struct method *m = methods; m->name; m++)
		if (takes_text(m))
			try_method(m, &set, v, &w);
	measure_all(w.method, &w.features, &set, v);
	print_curve(w.method, v, set.n);
	add_preset(w.method, &w.features, &w.result, &preset);
	enum status st = write_preset(s->output, buf_str(&preset), &why);
	free(v);
	return st == ST_OK ? EXIT_FINE : dedup_fail(why.text);
}

/* False for a line that means nothing. */
static bool read_preset_line(struct str line, struct dedup_preset *ret)
{
	cleanup(buf_release) struct buf number = { 0 };

	line = str_trim(line);
	if (line.n == 0 || line.p[0] == '#')
		return true;
	if (str_take_prefix(&line, STR("method "))) {
		buf_reset(&ret->method);
		buf_add(&ret->method, str_trim(line));
		return true;
	}
	if (str_take_prefix(&line, STR("features ")))
		return (ret->features = find_word(FEATURE_WORDS, str_trim(line))) != 0;
	if (str_take_prefix(&line, STR("pieces ")))
		return (ret->pieces = find_word(PIECE_NAMES, str_trim(line))) != 0;
	if (str_take_prefix(&line, STR("size ")))
		return str_to_uint(str_trim(line), 16, &ret->size);
	if (!str_take_prefix(&line, STR("threshold ")))
		return false;
	buf_add(&number, line);
	ret->threshold = strtod(buf_cstr(&number), NULL);
	return true;
}

enum status dedup_read_preset(struct str path, struct dedup_preset *ret, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 }, name = { 0 };
	struct str in, line;

	buf_add(&name, path);
	TRY(file_load(buf_cstr(&name), 1 << 16, &text, why));
	in = buf_str(&text);
	for (unsigned nr = 1; str_take_line(&in, &line); nr++)
		if (!read_preset_line(line, ret))
			return diag_fail(why, ST_SYNTAX,
					 "%s:%u: no line of a preset of --tune",
					 buf_cstr(&name), nr);
	return ST_OK;
}
