#include "annotate/site.h"

#include "annotate/word_diff.h"
#include "base/json.h"

#define PICTURE_MAX    ((size_t)32 << 20)
#define ANNOTATORS_MAX 500

static void problem(struct site_response *r, unsigned status, const char *detail)
{
	struct json_out o = { .to = &r->body };

	buf_reset(&r->body);
	r->status = status;
	r->content_type = "application/problem+json";
	json_open(&o, '{');
	json_put_uint(&o, "status", status);
	json_put_str(&o, "detail", str_from(detail));
	json_close(&o, '}');
}

bool site_allows(const struct annotate_site *s, const struct site_request *q,
		 struct site_response *r)
{
	struct guard_rules rules = s->rules;
	struct guard_request guard = q->guard;

	guard.is_page = str_eq(q->path, STR("/"));
	if (guard.is_page)
		rules.token = STR("");
	enum guard_verdict v = guard_decide(&rules, &guard);
	if (v != GUARD_ALLOWED)
		problem(r, guard_status(v), guard_reason_words(v));
	return v == GUARD_ALLOWED;
}

void site_too_large(struct site_response *r)
{
	problem(r, 413, "the body is larger than 4 kB");
}

static bool read_sample(const struct annotate_site *s, struct str number, uint32_t *ret)
{
	uint64_t n;

	if (!str_to_uint(number, UINT32_MAX, &n) || n >= s->study.pairs.set->n)
		return false;
	*ret = (uint32_t)n;
	return true;
}

/* --- what is shown --- */

static void add_sample(const struct sample_set *set, uint32_t i, const char *name,
		       struct json_out *o)
{
	const struct sample *v = &set->v[i];

	json_key(o, str_from(name));
	json_open(o, '{');
	json_put_uint(o, "id", i);
	json_put_str(o, "name", v->name);
	json_put_bool(o, "picture", v->picture.n > 0);
	json_put_bool(o, "html", v->html.n > 0);
	json_close(o, '}');
}

static struct str site_name(const struct sample_set *set, uint32_t sample)
{
	for (size_t i = 0; i < set->site_count; i++)
		if (sample - set->sites[i].first < set->sites[i].n)
			return set->sites[i].name;
	return STR("");
}

static void add_estimate(const struct study *s, struct json_out *o)
{
	struct study_estimate e = study_estimate(s);
	cleanup(buf_release) struct buf features = { 0 };

	detector_add_features(s->pairs.detector, &features);
	json_key(o, STR("estimate"));
	json_open(o, '{');
	json_put_str(o, "method", detector_name(s->pairs.detector));
	json_put_str(o, "features", buf_str(&features));
	json_put_double(o, "threshold", e.threshold);
	json_put_double(o, "low", e.low);
	json_put_double(o, "high", e.high);
	json_put_double(o, "f1", e.f1);
	json_put_uint(o, "answers", e.answers);
	json_close(o, '}');
}

static void add_agreements(const struct opinions *s, struct json_out *o)
{
	struct agreement g;

	json_key(o, STR("agreement"));
	json_open(o, '[');
	for (uint32_t i = 0; i < s->annotators.n; i++)
		for (uint32_t j = i + 1; j < s->annotators.n; j++)
			if (opinions_agreement(s, i, j, &g)) {
				json_open(o, '{');
				json_put_str(o, "one", intern_str(&s->annotators, i));
				json_put_str(o, "other", intern_str(&s->annotators, j));
				json_put_uint(o, "pairs", g.pairs);
				json_put_double(o, "share", g.share);
				json_put_double(o, "kappa", g.kappa);
				json_close(o, '}');
			}
	json_close(o, ']');
}

/* Where answers lie, from near to far: for the small picture beside the threshold. */
static void add_answered(const struct study *s, struct json_out *o)
{
	struct pair_answer p;

	json_key(o, STR("decided"));
	json_open(o, '[');
	for (size_t at = 0; opinions_next_decided(&s->answers, &at, &p);) {
		const struct candidate *c = pairs_find(&s->pairs, p.a, p.b);

		if (!c)
			continue;
		json_open(o, '[');
		json_add_double(o, measure_of(s->pairs.detector, c->distance));
		json_add_bool(o, p.said == SAID_NEAR);
		json_close(o, ']');
	}
	json_close(o, ']');
}

static void show_next(struct annotate_site *s, uint32_t annotator,
		      struct site_response *r)
{
	const struct study *y = &s->study;
	struct json_out o = { .to = &r->body };
	struct question q;

	r->content_type = "application/json";
	json_open(&o, '{');
	bool is_done = !study_next(y, annotator, &q);
	json_put_bool(&o, "done", is_done);
	if (!is_done) {
		json_put_str(&o, "site", site_name(y->pairs.set, q.pair->a));
		add_sample(y->pairs.set, q.pair->a, "a", &o);
		add_sample(y->pairs.set, q.pair->b, "b", &o);
		json_put_double(&o, "measure",
				measure_of(y->pairs.detector, q.pair->distance));
		json_put_double(&o, "bits", q.bits);
		json_put_bool(&o, "repeated", q.is_repeated);
	}
	json_put_uint(&o, "pairs", y->pairs.n);
	json_put_uint(&o, "answered", y->answers.n);
	json_put_uint(&o, "mine", opinions_of(&y->answers, annotator));
	json_put_uint(&o, "implied", study_implied(y));
	add_estimate(y, &o);
	add_agreements(&y->answers, &o);
	add_answered(y, &o);
	json_close(&o, '}');
}

static void add_runs(struct json_out *o, const char *name, const struct word_runs *runs)
{
	json_key(o, str_from(name));
	json_open(o, '[');
	for (size_t i = 0; i < runs->n; i++) {
		json_open(o, '[');
		json_add_bool(o, runs->v[i].only_here);
		json_add_str(o, runs->v[i].text);
		json_close(o, ']');
	}
	json_close(o, ']');
}

static void show_differences(struct annotate_site *s, const struct site_request *q,
			     struct site_response *r)
{
	const struct sample_set *set = s->study.pairs.set;
	struct json_out o = { .to = &r->body };
	struct word_runs x, y;
	uint32_t a, b;

	if (!read_sample(s, q->a, &a) || !read_sample(s, q->b, &b)) {
		problem(r, 404, "there is no such sample");
		return;
	}
	word_diff(set->v[a].doc.text, set->v[b].doc.text, &x, &y);
	r->content_type = "application/json";
	json_open(&o, '{');
	add_runs(&o, "a", &x);
	add_runs(&o, "b", &y);
	json_put_bool(&o, "cut", x.is_cut || y.is_cut);
	json_close(&o, '}');
	word_runs_release(&x);
	word_runs_release(&y);
}

static void show_picture(const struct sample *v, struct site_response *r)
{
	cleanup(buf_release) struct buf path = { 0 };
	struct diag why;

	buf_add(&path, v->picture);
	if (v->picture.n == 0 ||
	    file_load(buf_cstr(&path), PICTURE_MAX, &r->body, &why) != ST_OK) {
		problem(r, 404, "there is no picture");
		return;
	}
	r->content_type = str_starts(buf_str(&r->body), STR("\x89PNG")) ? "image/png"
			  : str_starts(buf_str(&r->body), STR("RIFF"))  ? "image/webp"
									: "image/jpeg";
}

static void show_sample(struct annotate_site *s, const struct site_request *q,
			struct site_response *r)
{
	uint32_t id;

	if (!read_sample(s, q->id, &id)) {
		problem(r, 404, "there is no such sample");
		return;
	}
	const struct sample *v = &s->study.pairs.set->v[id];
	if (str_eq(q->path, STR("/picture"))) {
		show_picture(v, r);
		return;
	}
	/* As text: the page shows it in a frame without scripts. */
	r->content_type = "text/plain; charset=utf-8";
	buf_add(&r->body, v->html);
}

/* --- what is said --- */

static bool find_annotator(struct annotate_site *s, struct str name, uint32_t *ret,
			   struct site_response *r)
{
	struct intern *all = &s->study.answers.annotators;

	if (name.n == 0 || name.n > ANNOTATE_NAME_MAX ||
	    (all->n >= ANNOTATORS_MAX && intern_find(all, name) == INTERN_NONE)) {
		problem(r, 400, "a name of at most 60 bytes is wanted as annotator");
		return false;
	}
	*ret = intern_add(all, name);
	return true;
}

static bool read_answer(struct annotate_site *s, const struct json *v,
			struct pair_answer *ret)
{
	double a = json_number(json_get(v, "a"), -1),
	       b = json_number(json_get(v, "b"), -1);
	double n = (double)s->study.pairs.set->n;
	struct str said = json_str(json_get(v, "said"));

	if (!(a >= 0 && a < n && b >= 0 && b < n) || (uint32_t)a == (uint32_t)b)
		return false;
	ret->a = (uint32_t)a;
	ret->b = (uint32_t)b;
	for (ret->said = SAID_NEAR; ret->said <= SAID_UNSURE; ret->said++)
		if (str_eq(said, str_from(said_words[ret->said])))
			return true;
	return false;
}

static void take_answer(struct annotate_site *s, const struct site_request *q,
			int64_t now_ms, struct site_response *r)
{
	struct json *v = NULL;
	struct pair_answer p = { 0 };
	struct diag why;
	enum status st = ST_OK;

	if (json_parse(q->body, &v, &why) != ST_OK) {
		problem(r, 400, why.text);
		return;
	}
	if (find_annotator(s, json_str(json_get(v, "annotator")), &p.annotator, r)) {
		if (str_eq(q->path, STR("/undo")))
			st = opinions_take_back(&s->file, &s->study.answers, p.annotator,
						&why);
		else if (!read_answer(s, v, &p))
			st = diag_fail(
				&why, ST_SYNTAX,
				"two samples a and b, and said: near, different or "
				"unsure, are wanted");
		else
			st = opinions_say(&s->file, &s->study.answers, &p, now_ms, &why);
		study_update(&s->study);
		if (st != ST_OK)
			problem(r,
				st == ST_SYNTAX      ? 400
				: st == ST_NOT_FOUND ? 409
						     : 500,
				why.text);
		else
			show_next(s, p.annotator, r);
	}
	json_release(&v);
}

static bool answer_get(struct annotate_site *s, const struct site_request *q,
		       struct site_response *r)
{
	uint32_t annotator;

	if (str_eq(q->path, STR("/"))) {
		r->content_type = "text/html; charset=utf-8";
		buf_add(&r->body, annotate_page);
	} else if (str_eq(q->path, STR("/next"))) {
		if (find_annotator(s, q->annotator, &annotator, r))
			show_next(s, annotator, r);
	} else if (str_eq(q->path, STR("/differences"))) {
		show_differences(s, q, r);
	} else if (str_eq(q->path, STR("/document")) ||
		   str_eq(q->path, STR("/picture"))) {
		show_sample(s, q, r);
	} else if (str_eq(q->path, STR("/labels.tsv"))) {
		r->content_type = "text/tab-separated-values; charset=utf-8";
		opinions_add_labels(&s->study.answers, s->study.pairs.set, &r->body);
	} else {
		return false;
	}
	return true;
}

void site_answer(struct annotate_site *s, const struct site_request *q, int64_t now_ms,
		 struct site_response *r)
{
	bool is_post = str_eq(q->path, STR("/answers")) || str_eq(q->path, STR("/undo"));

	r->status = 200;
	if (is_post && str_eq(q->guard.method, STR("POST")))
		take_answer(s, q, now_ms, r);
	else if (is_post)
		problem(r, 405, "POST is wanted here");
	else if (!str_eq(q->guard.method, STR("GET")) &&
		 !str_eq(q->guard.method, STR("HEAD")))
		problem(r, 405, "GET is wanted here");
	else if (!answer_get(s, q, r))
		problem(r, 404, "there is nothing here");
}
