#include "calibrate/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "calibrate/levenshtein.h"

#define PIECES(kind, k)                       \
	{                                     \
		.piece = (kind), .size = (k), \
	}

const struct compare_column compare_columns[COMPARE_COLUMNS] = {
	{ "words 1", PIECES(PIECE_WORDS, 1) },
	{ "words 3", PIECES(PIECE_WORDS, 3) },
	{ "words 5", PIECES(PIECE_WORDS, 5) },
	{ "words 8", PIECES(PIECE_WORDS, 8) },
	{ "chars 5", PIECES(PIECE_CHARS, 5) },
	{ "chars 9", PIECES(PIECE_CHARS, 9) },
	{ "sentences 1", PIECES(PIECE_SENTENCES, 1) },
};

/* Crawlhash runs over any pieces, though it has no other features. */
static bool takes_pieces(const struct method *m)
{
	return m->features.kind == FEATURE_SHINGLES &&
	       (m->any_features || m->features.piece == PIECE_SPACED);
}

static struct compared_value measure(const struct method *m, const struct sample *a,
				     const struct sample *b,
				     const struct feature_options *how)
{
	cleanup(buf_release) struct buf x = { 0 }, y = { 0 };
	struct compared_value v = { .comparable = true };

	method_fingerprint(m, &a->doc, how, &x);
	method_fingerprint(m, &b->doc, how, &y);
	if (method_measure(m, buf_str(&x), buf_str(&y), &v.value) != ST_OK)
		v.value = method_farthest(m);
	v.near = isfinite(v.value) && method_is_near(m, v.value, m->threshold);
	return v;
}

static void compare_doms(const struct sample *a, const struct sample *b,
			 struct comparison *ret)
{
	cleanup(buf_release) struct buf x = { 0 }, y = { 0 };

	ret->levenshtein = NAN;
	if (!a->html.n || !b->html.n)
		return;
	detector_strip_dom(a->html, &x);
	detector_strip_dom(b->html, &y);
	ret->same_dom = str_eq(buf_str(&x), buf_str(&y));
	ret->levenshtein = (double)levenshtein(buf_str(&x), buf_str(&y)) /
			   (double)MAX(MAX(x.n, y.n), 1);
}

void comparison_make(const struct sample *a, const struct sample *b,
		     struct comparison *ret)
{
	size_t n = 0;

	while (methods[n].name)
		n++;
	*ret = (struct comparison){ .rows = xcalloc(n, sizeof(*ret->rows)), .n = n };
	for (size_t i = 0; i < n; i++) {
		struct compared_row *r = &ret->rows[i];
		const struct method *m = r->method = &methods[i];

		r->own = measure(m, a, b, &m->features);
		for (size_t k = 0; takes_pieces(m) && k < COMPARE_COLUMNS; k++) {
			struct feature_options how = compare_columns[k].features;

			how.weight = m->features.weight;
			r->others[k] = measure(m, a, b, &how);
		}
		ret->near += r->own.near;
		ret->comparable += isfinite(r->own.value) ? 1 : 0;
	}
	compare_doms(a, b, ret);
}

void comparison_release(struct comparison *c)
{
	free(c->rows);
	*c = (struct comparison){ 0 };
}

static void put_value(struct json_out *o, const struct compared_value *v)
{
	json_put_double(o, "value", v->value);
	json_put_bool(o, "near", v->near);
}

static void add_row_json(const struct compared_row *r, struct json_out *o)
{
	cleanup(buf_release) struct buf features = { 0 };
	struct detector w = { .method = r->method, .features = r->method->features };

	detector_add_features(&w, &features);
	json_open(o, '{');
	json_put_str(o, "method", str_from(r->method->name));
	json_put_str(o, "features", buf_str(&features));
	put_value(o, &r->own);
	json_put_double(o, "threshold", r->method->threshold);
	json_put_bool(o, "smaller_is_nearer", r->method->smaller_is_nearer);
	json_key(o, STR("with"));
	json_open(o, '{');
	for (size_t k = 0; k < COMPARE_COLUMNS; k++) {
		if (!r->others[k].comparable)
			continue;
		json_key(o, str_from(compare_columns[k].name));
		json_open(o, '{');
		put_value(o, &r->others[k]);
		json_close(o, '}');
	}
	json_close(o, '}');
	json_close(o, '}');
}

void comparison_add_json(const struct comparison *c, struct json_out *o)
{
	json_open(o, '[');
	for (size_t i = 0; i < c->n; i++)
		add_row_json(&c->rows[i], o);
	json_close(o, ']');
}

/* --- keyword tables --- */

static void keywords_of_sample(const struct sample *s, struct keywords *ret)
{
	keywords_of(s->doc.text, s->doc.language.n ? s->doc.language : STR("en"), ret);
}

static struct ssm_keyword *hashed(const struct keywords *k)
{
	struct ssm_keyword *t = xcalloc(k->n + 1, sizeof(*t));

	for (size_t i = 0; i < k->n; i++)
		t[i] = (struct ssm_keyword){ hash64(k->v[i].word), k->v[i].count };
	return t;
}

/* S_DC, S_DT1 and S_DT2 as tables 3 to 5 of the seed compute them. */
static double row_score(const struct keyword_row *r, size_t n_a, size_t n_b)
{
	if (r->rank_a && r->rank_b)
		return log((double)r->count_a / r->count_b) *
		       fabs(1 + ((double)r->rank_a - (double)r->rank_b));
	return r->rank_a ? log(r->count_a) * (double)(1 + n_b)
			 : log(r->count_b) * (double)(1 + n_a);
}

static void add_row(struct keyword_tables *t, struct keyword_row r)
{
	r.score = row_score(&r, t->a.n, t->b.n);
	VEC_ADD(t->rows, t->n, t->cap, r);
}

/* The rows of `a` that are in the other table, or those that are not. */
static size_t add_rows(struct keyword_tables *t, bool common)
{
	size_t before = t->n;

	for (uint32_t i = 0; i < t->a.n; i++) {
		const struct keyword *k = &t->a.v[i];
		size_t at = keywords_find(&t->b, k->word);

		if ((at != STR_NONE) != common)
			continue;
		add_row(t,
			(struct keyword_row){ .word = k->word,
					      .count_a = k->count,
					      .count_b = common ? t->b.v[at].count : 0,
					      .rank_a = i + 1,
					      .rank_b = common ? (uint32_t)at + 1 : 0 });
	}
	return t->n - before;
}

void keyword_tables_make(const struct sample *a, const struct sample *b,
			 struct keyword_tables *ret)
{
	*ret = (struct keyword_tables){ 0 };
	keywords_of_sample(a, &ret->a);
	keywords_of_sample(b, &ret->b);
	ret->common = add_rows(ret, true);
	ret->only_a = add_rows(ret, false);
	for (uint32_t i = 0; i < ret->b.n; i++)
		if (keywords_find(&ret->a, ret->b.v[i].word) == STR_NONE)
			add_row(ret, (struct keyword_row){ .word = ret->b.v[i].word,
							   .count_b = ret->b.v[i].count,
							   .rank_b = i + 1 });
	ret->only_b = ret->n - ret->common - ret->only_a;
	struct ssm_keyword *x = hashed(&ret->a), *y = hashed(&ret->b);
	ret->tables = ssm_score(x, ret->a.n, y, ret->b.n, SSM_TABLES, NULL);
	ret->printed = ssm_score(x, ret->a.n, y, ret->b.n, SSM_PRINTED, NULL);
	free(x);
	free(y);
}

void keyword_tables_release(struct keyword_tables *t)
{
	keywords_release(&t->a);
	keywords_release(&t->b);
	free(t->rows);
	*t = (struct keyword_tables){ 0 };
}

static void put_score(struct json_out *o, const char *name, const struct ssm_score *s)
{
	json_key(o, str_from(name));
	json_open(o, '{');
	json_put_double(o, "common", s->common);
	json_put_double(o, "only_a", s->only_1);
	json_put_double(o, "only_b", s->only_2);
	json_put_double(o, "sum", s->sum);
	json_put_double(o, "ssm", s->score);
	json_close(o, '}');
}

void keyword_tables_add_json(const struct keyword_tables *t, struct json_out *o)
{
	json_open(o, '{');
	json_key(o, STR("rows"));
	json_open(o, '[');
	for (size_t i = 0; i < t->n; i++) {
		json_open(o, '{');
		json_put_str(o, "keyword", t->rows[i].word);
		json_put_uint(o, "count_a", t->rows[i].count_a);
		json_put_uint(o, "count_b", t->rows[i].count_b);
		json_put_uint(o, "rank_a", t->rows[i].rank_a);
		json_put_uint(o, "rank_b", t->rows[i].rank_b);
		json_put_double(o, "score", t->rows[i].score);
		json_close(o, '}');
	}
	json_close(o, ']');
	put_score(o, "as_tables", &t->tables);
	put_score(o, "as_printed", &t->printed);
	json_close(o, '}');
}

static void put_evidence(const struct sample *a, const struct sample *b,
			 struct json_out *o)
{
	struct evidence e;

	evidence_find(a->doc.text, b->doc.text, 3, &e);
	json_key(o, STR("evidence"));
	json_open(o, '{');
	json_put_uint(o, "words_a", e.words_a);
	json_put_uint(o, "words_b", e.words_b);
	json_put_uint(o, "shared_words_a", e.shared_words_a);
	json_put_uint(o, "shared_words_b", e.shared_words_b);
	json_put_str(o, "longest_shared", e.shared);
	json_put_str(o, "longest_only_a", e.only_a[0]);
	json_put_str(o, "longest_only_b", e.only_b[0]);
	json_close(o, '}');
}

void comparison_add_pair_json(const struct sample *a, const struct sample *b,
			      bool keywords, struct json_out *o)
{
	cleanup(comparison_release) struct comparison c;
	cleanup(keyword_tables_release) struct keyword_tables t = { 0 };

	comparison_make(a, b, &c);
	json_open(o, '{');
	json_put_str(o, "a", a->name);
	json_put_str(o, "b", b->name);
	json_put_uint(o, "near", c.near);
	json_put_uint(o, "comparable", c.comparable);
	json_put_double(o, "levenshtein", c.levenshtein);
	json_key(o, STR("methods"));
	comparison_add_json(&c, o);
	put_evidence(a, b, o);
	if (keywords) {
		keyword_tables_make(a, b, &t);
		json_key(o, STR("keywords"));
		keyword_tables_add_json(&t, o);
	}
	json_close(o, '}');
}
