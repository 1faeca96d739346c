#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/simulated.h"
#include "annotate/site.h"
#include "annotate/word_diff.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/rng.h"
#include "test.h"

/* --- belief --- */

static void answers_move_the_cut_to_where_they_change(void)
{
	double pairs[40];
	struct belief b;

	for (size_t i = 0; i < 40; i++)
		pairs[i] = 10;
	belief_init(&b, pairs, 40);
	for (size_t i = 0; i < 40; i++)
		belief_add(&b, i, i < 13);
	struct belief_estimate e = belief_estimate(&b);
	CHECK(e.cut == 13);
	CHECK(e.low <= 13 && 13 <= e.high && e.high - e.low <= 4);
	CHECK(e.f1 > 0.95);
	CHECK(belief_near(&b, 5) > 0.97 && belief_near(&b, 25) < 0.03);
	/* What is known tells nothing more. */
	CHECK(belief_information(&b, 12) > belief_information(&b, 2));
	CHECK(belief_information(&b, 13) > belief_information(&b, 35));
}

static void one_mistake_does_not_move_the_cut(void)
{
	double pairs[40];
	struct belief b;

	for (size_t i = 0; i < 40; i++)
		pairs[i] = 1;
	belief_init(&b, pairs, 40);
	for (size_t i = 0; i < 40; i++)
		belief_add(&b, i, i < 20 || i == 37);
	CHECK(belief_estimate(&b).cut == 20);
}

static void before_any_answer_the_middle_tells_most(void)
{
	double pairs[31];
	struct belief b;
	size_t best = 0;

	for (size_t i = 0; i < 31; i++)
		pairs[i] = 1;
	belief_init(&b, pairs, 31);
	for (size_t i = 0; i < 31; i++)
		if (belief_information(&b, i) > belief_information(&b, best))
			best = i;
	CHECK(best >= 13 && best <= 17);
}

/* --- opinions --- */

static void near_is_transitive_and_different_parts_whole_classes(void)
{
	struct opinions s;
	bool near;

	opinions_init(&s, 6);
	uint32_t ann = intern_add(&s.annotators, STR("ann"));
	opinions_add(&s, ann, 0, 1, SAID_NEAR);
	opinions_add(&s, ann, 2, 1, SAID_NEAR);
	opinions_add(&s, ann, 3, 4, SAID_NEAR);
	CHECK(opinions_imply(&s, 0, 2, &near) && near);
	CHECK(!opinions_imply(&s, 0, 3, &near));
	opinions_add(&s, ann, 2, 4, SAID_DIFFERENT);
	CHECK(opinions_imply(&s, 0, 3, &near) && !near);
	CHECK(!opinions_imply(&s, 0, 5, &near));
	opinions_add(&s, ann, 0, 5, SAID_UNSURE);
	CHECK(!opinions_imply(&s, 0, 5, &near) && opinions_any(&s, 5, 0));
	CHECK(opinions_undo(&s, ann) && opinions_undo(&s, ann));
	CHECK(!opinions_imply(&s, 0, 3, &near));
	CHECK(opinions_imply(&s, 0, 2, &near) && near);
	opinions_release(&s);
}

static void a_tie_keeps_both(void)
{
	struct opinions s;
	struct pair_answer p;
	size_t at = 0;
	bool near;

	opinions_init(&s, 2);
	uint32_t ann = intern_add(&s.annotators, STR("ann")),
		 bob = intern_add(&s.annotators, STR("bob"));
	opinions_add(&s, ann, 0, 1, SAID_NEAR);
	opinions_add(&s, bob, 0, 1, SAID_DIFFERENT);
	CHECK(opinions_imply(&s, 0, 1, &near) && !near);
	CHECK(opinions_next_decided(&s, &at, &p) && p.said == SAID_DIFFERENT);
	CHECK(!opinions_next_decided(&s, &at, &p));
	opinions_release(&s);
}

/* 20 and 15 of 50 by both, 5 and 10 by one of them: kappa is 0.4 in every textbook. */
static void kappa_is_that_of_the_textbook(void)
{
	struct opinions s;
	struct agreement g;
	uint32_t n = 0;

	opinions_init(&s, 120);
	uint32_t ann = intern_add(&s.annotators, STR("ann")),
		 bob = intern_add(&s.annotators, STR("bob"));
	static const struct {
		int times;
		enum said ann, bob;
	} table[] = { { 20, SAID_NEAR, SAID_NEAR },
		      { 5, SAID_NEAR, SAID_DIFFERENT },
		      { 10, SAID_DIFFERENT, SAID_NEAR },
		      { 15, SAID_DIFFERENT, SAID_DIFFERENT } };
	CHECK(!opinions_agreement(&s, ann, bob, &g));
	for (size_t i = 0; i < COUNT(table); i++)
		for (int k = 0; k < table[i].times; k++, n += 2) {
			opinions_add(&s, ann, n, n + 1, table[i].ann);
			opinions_add(&s, bob, n, n + 1, table[i].bob);
		}
	CHECK(opinions_agreement(&s, ann, bob, &g));
	CHECK(g.pairs == 50 && fabs(g.share - 0.7) < 1e-9 && fabs(g.kappa - 0.4) < 1e-9);
	opinions_release(&s);
}

/* --- words --- */

static size_t only_words(const struct word_runs *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].only_here) {
			struct str rest = r->v[i].text, word;

			while (str_take_until(&rest, ' ', &word))
				n++;
		}
	return n;
}

static void the_words_that_differ_are_marked(void)
{
	struct word_runs a, b;

	word_diff(STR("five items  in the cart"), STR("six items in a new cart"), &a, &b);
	CHECK(a.n == 4 && a.v[0].only_here && str_eq(a.v[0].text, STR("five")));
	CHECK(str_eq(a.v[1].text, STR("items  in")) && !a.v[1].only_here);
	CHECK(str_eq(a.v[2].text, STR("the")) && a.v[2].only_here);
	CHECK(b.n == 4 && str_eq(b.v[2].text, STR("a new")) && b.v[2].only_here);
	word_runs_release(&a);
	word_runs_release(&b);
	word_diff(STR(""), STR("alone"), &a, &b);
	CHECK(a.n == 0 && b.n == 1 && b.v[0].only_here);
	word_runs_release(&a);
	word_runs_release(&b);
}

static size_t common_subsequence(const char *a, size_t n, const char *b, size_t m)
{
	size_t table[41][41] = { { 0 } };

	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++)
			table[i][j] = a[i - 1] == b[j - 1]
					      ? table[i - 1][j - 1] + 1
					      : MAX(table[i - 1][j], table[i][j - 1]);
	return table[n][m];
}

static void the_marks_are_the_shortest_edit(void)
{
	struct rng r = { 3 };

	for (int round = 0; round < 500; round++) {
		char a[40], b[40], x[81], y[81];
		size_t n = 1 + rng_below(&r, 40), m = 1 + rng_below(&r, 40);
		struct word_runs p, q;

		for (size_t i = 0; i < 40; i++) {
			x[2 * i] = a[i] = (char)('a' + rng_below(&r, 4));
			y[2 * i] = b[i] = (char)('a' + rng_below(&r, 4));
			x[2 * i + 1] = y[2 * i + 1] = ' ';
		}
		word_diff((struct str){ x, 2 * n - 1 }, (struct str){ y, 2 * m - 1 }, &p,
			  &q);
		size_t common = common_subsequence(a, n, b, m);
		CHECK(only_words(&p) == n - common && only_words(&q) == m - common);
		word_runs_release(&p);
		word_runs_release(&q);
	}
}

static void texts_without_anything_in_common_are_marked_whole(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	struct word_runs p, q;

	for (int i = 0; i < 3000; i++) {
		buf_addf(&a, "x%d ", i);
		buf_addf(&b, "y%d ", i);
	}
	buf_add(&a, STR("end"));
	buf_add(&b, STR("end"));
	word_diff(buf_str(&a), buf_str(&b), &p, &q);
	CHECK(p.n == 2 && p.v[0].only_here && !p.v[1].only_here);
	CHECK(q.n == 2 && only_words(&q) == 3000);
	word_runs_release(&p);
	word_runs_release(&q);
}

/* --- a set of 6 bins of 10 texts, three words of 40 differ in a bin --- */

static void make_set(struct sample_set *s)
{
	struct rng r = { 11 };

	samples_add_site(s, STR("shop"));
	for (int bin = 0; bin < 6; bin++)
		for (int k = 0; k < 10; k++) {
			cleanup(buf_release) struct buf text = { 0 }, name = { 0 };
			struct document doc = { 0 };

			for (int i = 0; i < 40; i++)
				buf_addf(&text, "b%dw%d%s ", bin, i,
					 rng_chance(&r, 0.02) ? "x" : "");
			buf_addf(&name, "state%d", bin * 10 + k);
			doc.text = buf_str(&text);
			samples_add(s, buf_str(&name), STR("<p>hidden</p>"), &doc)->bin =
				(uint32_t)bin;
		}
	s->sites[0].bins = 6;
}

struct fixture {
	struct sample_set set;
	struct detector_list detectors;
	struct annotate_site site;
	char dir[32];
};

static bool open_fixture(struct fixture *f)
{
	struct diag why;

	*f = (struct fixture){ .dir = "/tmp/test_annotateXXXXXX" };
	make_set(&f->set);
	return mkdtemp(f->dir) &&
	       detector_parse(&f->detectors, STR("jaccard:words:1"), &why) == ST_OK &&
	       study_init(&f->site.study, &f->set, &f->detectors.v[0], &why) == ST_OK &&
	       opinions_open(&f->site.file, f->dir, &f->set, &f->site.study.answers,
			     &why) == ST_OK;
}

static void close_fixture(struct fixture *f)
{
	struct diag why;

	opinions_close(&f->site.file);
	study_release(&f->site.study);
	detector_list_release(&f->detectors);
	samples_release(&f->set);
	if (dir_remove(f->dir, &why) != ST_OK)
		printf("# %s\n", why.text);
}

static void twenty_answers_find_the_threshold_in_spite_of_mistakes(void)
{
	size_t far = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct simulated_result r;
		struct fixture f;
		struct diag why;

		CHECK(open_fixture(&f));
		CHECK(simulated_run(&f.site.study,
				    &(struct simulated_options){ 20, 0.05, seed }, &r,
				    &why) == ST_OK);
		CHECK(r.answers == 20 && r.best_f1 > 0.99);
		far += r.f1 < r.best_f1 - 0.02;
		close_fixture(&f);
	}
	CHECK(far <= 1);
}

static void nobody_is_asked_what_follows(void)
{
	struct fixture f;
	struct question q;
	size_t asked = 0;

	CHECK(open_fixture(&f));
	struct study *s = &f.site.study;
	uint32_t ann = intern_add(&s->answers.annotators, STR("ann"));
	while (study_next(s, ann, &q)) {
		bool near;

		CHECK(!opinions_imply(&s->answers, q.pair->a, q.pair->b, &near));
		opinions_add(&s->answers, ann, q.pair->a, q.pair->b,
			     q.pair->a / 10 == q.pair->b / 10 ? SAID_NEAR
							      : SAID_DIFFERENT);
		study_update(s);
		asked++;
	}
	/* 1,770 pairs; 54 near ones and 15 between classes would do at best. */
	CHECK(study_implied(s) == 1770);
	CHECK(asked >= 69 && asked < 900);
	close_fixture(&f);
}

/* --- the site --- */

static struct str ask(struct fixture *f, const char *method, const char *path,
		      const char *body, struct site_response *r)
{
	struct site_request q = { .guard = { .method = str_from(method),
					     .host = STR("127.0.0.1:80"),
					     .authorization = STR("Bearer secret") },
				  .path = str_from(path),
				  .body = str_from(body),
				  .annotator = STR("ann"),
				  .id = STR("7"),
				  .a = STR("0"),
				  .b = STR("1") };

	buf_reset(&r->body);
	r->status = 0;
	if (site_allows(&f->site, &q, r))
		site_answer(&f->site, &q, 0, r);
	return buf_str(&r->body);
}

static void an_answer_is_on_disk_and_comes_back_after_a_restart(void)
{
	cleanup(buf_release) struct buf labels = { 0 };
	struct site_response r = { 0 };
	char path[64];
	struct fixture f;
	struct diag why;

	CHECK(open_fixture(&f));
	ask(&f, "POST", "/answers",
	    "{\"annotator\":\"ann\",\"a\":3,\"b\":1,\"said\":\"near\"}", &r);
	CHECK(r.status == 200 &&
	      str_find(buf_str(&r.body), STR("\"mine\":1")) != STR_NONE);
	ask(&f, "POST", "/answers",
	    "{\"annotator\":\"bob\",\"a\":1,\"b\":15,\"said\":\"different\"}", &r);
	ask(&f, "POST", "/answers",
	    "{\"annotator\":\"ann\",\"a\":5,\"b\":1,\"said\":\"near\"}", &r);
	ask(&f, "POST", "/undo", "{\"annotator\":\"ann\"}", &r);
	CHECK(r.status == 200);
	snprintf(path, sizeof(path), "%s/labels.tsv", f.dir);
	CHECK(file_load(path, 1000, &labels, &why) == ST_OK);
	CHECK(str_eq(buf_str(&labels), STR("1\tstate1\tstate3\n2\tstate1\tstate15\n")));
	CHECK(str_eq(ask(&f, "GET", "/labels.tsv", "", &r), buf_str(&labels)));
	/* As if the process had died in the middle of a line. */
	CHECK(file_write(&f.site.file.file, STR("{\"annotator\":\"ann\",\"a\":"), &why) ==
	      ST_OK);
	opinions_close(&f.site.file);
	opinions_release(&f.site.study.answers);
	opinions_init(&f.site.study.answers, f.set.n);
	CHECK(opinions_open(&f.site.file, f.dir, &f.set, &f.site.study.answers, &why) ==
	      ST_OK);
	CHECK(f.site.study.answers.n == 2 && f.site.file.unknown == 0);
	CHECK(str_eq(ask(&f, "GET", "/labels.tsv", "", &r), buf_str(&labels)));
	buf_release(&r.body);
	close_fixture(&f);
}

static void bad_requests_change_nothing_and_say_why(void)
{
	static const struct {
		const char *method, *path, *body;
		unsigned status;
	} cases[] = {
		{ "POST", "/answers", "{", 400 },
		{ "POST", "/answers", "{}", 400 },
		{ "POST", "/answers", "[1]", 400 },
		{ "POST", "/answers",
		  "{\"annotator\":\"a\",\"a\":1,\"b\":1,\"said\":\"near\"}", 400 },
		{ "POST", "/answers",
		  "{\"annotator\":\"a\",\"a\":1,\"b\":1e9,\"said\":\"near\"}", 400 },
		{ "POST", "/answers",
		  "{\"annotator\":\"a\",\"a\":-1,\"b\":2,\"said\":\"near\"}", 400 },
		{ "POST", "/answers",
		  "{\"annotator\":\"a\",\"a\":1,\"b\":2,\"said\":\"maybe\"}", 400 },
		{ "POST", "/undo", "{\"annotator\":\"nobody\"}", 409 },
		{ "GET", "/answers", "", 405 },
		{ "DELETE", "/next", "", 405 },
		{ "GET", "/../labels.tsv", "", 404 },
		{ "GET", "/picture", "", 404 },
	};
	struct site_response r = { 0 };
	struct fixture f;

	CHECK(open_fixture(&f));
	for (size_t i = 0; i < COUNT(cases); i++) {
		ask(&f, cases[i].method, cases[i].path, cases[i].body, &r);
		CHECK(r.status == cases[i].status);
		CHECK(str_find(buf_str(&r.body), STR("\"detail\":\"")) != STR_NONE);
	}
	CHECK(f.site.study.answers.n == 0);
	buf_release(&r.body);
	close_fixture(&f);
}

static void everything_but_the_page_wants_the_token(void)
{
	struct site_response r = { 0 };
	struct fixture f;

	CHECK(open_fixture(&f));
	f.site.rules.token = STR("another");
	ask(&f, "GET", "/", "", &r);
	CHECK(r.status == 200);
	ask(&f, "GET", "/document", "", &r);
	CHECK(r.status == 401);
	ask(&f, "POST", "/answers",
	    "{\"annotator\":\"a\",\"a\":1,\"b\":2,\"said\":\"near\"}", &r);
	CHECK(r.status == 401 && f.site.study.answers.n == 0);
	f.site.rules.token = STR("secret");
	CHECK(str_eq(ask(&f, "GET", "/document", "", &r), STR("<p>hidden</p>")));
	buf_release(&r.body);
	close_fixture(&f);
}

int main(void)
{
	RUN(answers_move_the_cut_to_where_they_change);
	RUN(one_mistake_does_not_move_the_cut);
	RUN(before_any_answer_the_middle_tells_most);
	RUN(near_is_transitive_and_different_parts_whole_classes);
	RUN(a_tie_keeps_both);
	RUN(kappa_is_that_of_the_textbook);
	RUN(the_words_that_differ_are_marked);
	RUN(the_marks_are_the_shortest_edit);
	RUN(texts_without_anything_in_common_are_marked_whole);
	RUN(twenty_answers_find_the_threshold_in_spite_of_mistakes);
	RUN(nobody_is_asked_what_follows);
	RUN(an_answer_is_on_disk_and_comes_back_after_a_restart);
	RUN(bad_requests_change_nothing_and_say_why);
	RUN(everything_but_the_page_wants_the_token);
	DONE();
}
