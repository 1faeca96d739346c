#include "render/answers.h"
#include "render/need.h"
#include "test.h"

static enum render_need need_of(const char *html, size_t text_bytes, size_t links,
				struct render_features *ret)
{
	struct link v[16] = { 0 };
	struct page p = { .links = v, .n_links = links, .text = { "", text_bytes } };

	render_features_of(str_from(html), &p, ret);
	return render_need_of(ret);
}

static void evidence_is_found_in_the_bytes(void)
{
	struct render_features f;

	CHECK(need_of("<p>words", 5000, 9, &f) == NEED_ANY);
	CHECK(need_of("<p>words<script>track()</script>", 5000, 9, &f) == NEED_SCRIPTS &&
	      f.scripts == 1 && !f.builds);
	CHECK(need_of("<div id=\"root\"></div><script src=a.js></script>", 0, 0, &f) ==
		      NEED_LIKELY &&
	      f.empty_mount);
	CHECK(need_of("<div id=\"root\"><p>made by the server</div><script src=a.js>"
		      "</script>",
		      2000, 9, &f) == NEED_SCRIPTS &&
	      !f.empty_mount);
	CHECK(need_of("<noscript>Please enable JavaScript</noscript><script src=a>"
		      "</script>",
		      900, 9, &f) == NEED_LIKELY &&
	      f.says_so);
	CHECK(need_of("<script type=\"application/ld+json\">{}</script>", 900, 9, &f) ==
	      NEED_ANY);
	CHECK(need_of("<a onclick=\"go()\">x</a>", 900, 9, &f) == NEED_SCRIPTS &&
	      f.has_handlers);
	CHECK(need_of("<script>fetch('/api')", 900, 9, &f) == NEED_SCRIPTS && f.builds);
}

static void the_evidence_reads_as_a_sentence(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct render_features f;

	need_of("<div id=app></div><script src=a.js></script>", 12, 1, &f);
	render_features_format(&f, &b);
	CHECK(str_eq(buf_str(&b),
		     STR("12 bytes of text, 1 link, 1 script, empty mount point")));
}

#define HOST 7

/* The page is tried, and has brought something or not. */
static void try_it(struct render_learned *l, uint64_t template, bool pays)
{
	render_note_pending(l, template, HOST, 1);
	render_learn(l, template, HOST, pays);
}

static void a_template_that_brings_nothing_is_not_rendered_again(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	CHECK(render_threshold(&l, 1, HOST).from == NEED_SCRIPTS);
	for (int i = 0; i < 3; i++)
		try_it(&l, 1, false);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_NEVER);
	/* Nor are others of its host for scripts alone, but where the page is empty. */
	CHECK(render_threshold(&l, 2, HOST).from == NEED_LIKELY &&
	      !render_threshold(&l, 2, HOST).undecided);
	CHECK(render_threshold(&l, 2, HOST + 1).from == NEED_SCRIPTS);
	/* One of many is looked at again. */
	int watched = 0;
	for (int i = 0; i < 400; i++) {
		watched += render_threshold(&l, 1, HOST).from == NEED_LIKELY;
		render_note_skipped(&l, 1);
	}
	CHECK(watched == 2);
}

static void a_template_that_pays_is_rendered_until_it_does_not(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	try_it(&l, 1, true);
	for (int i = 0; i < 7; i++)
		try_it(&l, 1, false);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SCRIPTS);
	try_it(&l, 1, false);
	CHECK(render_threshold(&l, 1, HOST).from != NEED_SCRIPTS);
}

/* A fast crawl fetches a whole site before its first page is rendered. */
static void while_a_few_are_tried_the_others_wait(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	for (int i = 0; i < 3; i++) {
		CHECK(render_threshold(&l, 1, HOST).from == NEED_SCRIPTS);
		render_note_pending(&l, 1, HOST, 1);
	}
	struct render_bar bar = render_threshold(&l, 1, HOST);
	CHECK(bar.from == NEED_LIKELY && bar.undecided);
	CHECK(render_threshold(&l, 2, HOST).undecided);
	render_note_pending(&l, 1, HOST, -1); /* one had no scripts after all */
	CHECK(!render_threshold(&l, 1, HOST).undecided);
	render_learn(&l, 1, HOST, true);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SCRIPTS);
}

static void a_link_or_a_sentence_pays(void)
{
	CHECK(render_pays(&(struct render_yield){ .links = 1 }));
	CHECK(render_pays(&(struct render_yield){ .text_bytes = 200, .percent = 20 }));
	CHECK(!render_pays(&(struct render_yield){ .text_bytes = 200, .percent = 2 }));
	CHECK(!render_pays(&(struct render_yield){ .text_bytes = 20, .percent = 90 }));
}

static void answers_are_kept_while_there_is_room(void)
{
	cleanup(answers_release) struct answers a = { .limit = 100 };
	struct answer_view v = { 200, STR("head"), STR("0123456789012345") };
	struct answer_view large = { 200, STR(""), { "", 26 } };

	answers_add(&a, STR("http://a/1"), &v);
	CHECK(answers_find(&a, STR("http://a/1"), &v) && v.code == 200 &&
	      str_eq(v.body, STR("0123456789012345")));
	for (int i = 0; i < 5; i++) {
		cleanup(buf_release) struct buf url = { 0 };
		struct answer_view next = { 200, STR("head"), STR("0123456789012345") };

		buf_addf(&url, "http://b/%d", i);
		answers_add(&a, buf_str(&url), &next);
	}
	CHECK(!answers_find(&a, STR("http://a/1"), &v));
	CHECK(answers_find(&a, STR("http://b/4"), &v));
	CHECK(a.bytes <= 100);
	answers_add(&a, STR("http://c/"), &large);
	CHECK(!answers_find(&a, STR("http://c/"), &v));
}

int main(void)
{
	RUN(evidence_is_found_in_the_bytes);
	RUN(the_evidence_reads_as_a_sentence);
	RUN(a_template_that_brings_nothing_is_not_rendered_again);
	RUN(a_template_that_pays_is_rendered_until_it_does_not);
	RUN(while_a_few_are_tried_the_others_wait);
	RUN(a_link_or_a_sentence_pays);
	RUN(answers_are_kept_while_there_is_room);
	DONE();
}
