#include "dedup/tuning.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "corpus/corpus.h"

void labelled_release(struct labelled_set *s)
{
	free(s->v);
	arena_release(&s->bytes);
	*s = (struct labelled_set){ 0 };
}

/* "1", 1, true and "near" are near; "0", 0, false and anything else is not. */
static bool is_near(struct str label)
{
	return label.n && !str_eq(label, STR("0")) && !str_eq(label, STR("false")) &&
	       !str_eq(label, STR("null"));
}

enum status labelled_load(struct str path, struct labelled_set *ret, struct diag *why)
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

void labelled_measure(const struct labelled_set *s, const struct tuned *way,
		      struct tune_pair *ret)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	const struct method *m = way->method;

	for (size_t i = 0; i < s->n; i++) {
		buf_reset(&a);
		buf_reset(&b);
		method_fingerprint(m, &(struct document){ .text = s->v[i].a },
				   &way->features, &a);
		method_fingerprint(m, &(struct document){ .text = s->v[i].b },
				   &way->features, &b);
		ret[i].near = s->v[i].near;
		if (method_measure(m, buf_str(&a), buf_str(&b), &ret[i].measure) != ST_OK)
			ret[i].measure = method_farthest(m);
	}
}

struct search {
	const struct labelled_set *set;
	struct tune_pair *v;
	struct tuned best; /* by the pairs it had not seen */
	void (*each)(void *arg, const struct tuned *t);
	void *arg;
};

static void try_one(struct search *s, const struct method *m,
		    const struct feature_options *how)
{
	struct tuned t = { .method = m, .features = *how };

	labelled_measure(s->set, &t, s->v);
	t.result = tune(s->v, s->set->n, m->smaller_is_nearer);
	s->each(s->arg, &t);
	if (!s->best.method || t.result.held_out_f1 > s->best.result.held_out_f1)
		s->best = t;
}

static bool same_features(const struct feature_options *a,
			  const struct feature_options *b)
{
	return a->kind == b->kind && (a->kind != FEATURE_SHINGLES ||
				      (a->piece == b->piece && a->size == b->size));
}

/* The method as it is; where it takes others, other features, too. */
static void try_method(struct search *s, const struct method *m)
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

	try_one(s, m, &m->features);
	for (size_t i = 0; m->any_features && i < COUNT(others); i++) {
		struct feature_options how = others[i];

		how.weight = m->features.weight;
		if (!same_features(&how, &m->features))
			try_one(s, m, &how);
	}
}

struct tuned tuning_run(const struct labelled_set *set,
			void (*each)(void *arg, const struct tuned *t), void *arg)
{
	struct search s = {
		.set = set, .v = xcalloc(set->n, sizeof(*s.v)), .each = each, .arg = arg
	};

	for (const struct method *m = methods; m->name; m++)
		if (takes_text(m))
			try_method(&s, m);
	free(s.v);
	return s.best;
}
