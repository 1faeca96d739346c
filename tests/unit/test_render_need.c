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
		      300, 9, &f) == NEED_LIKELY &&
	      f.says_so);
	CHECK(need_of("<script type=\"application/ld+json\">{}</script>", 900, 9, &f) ==
	      NEED_ANY);
	CHECK(need_of("<a onclick=\"go()\">x</a>", 900, 9, &f) == NEED_SCRIPTS &&
	      f.has_handlers);
	CHECK(need_of("<script>fetch('/api')", 9000, 9, &f) == NEED_SIGNS && f.asks);
	/* A counter of visits makes an element, too. */
	CHECK(need_of("<script>document.createElement('img')", 900, 9, &f) ==
		      NEED_SCRIPTS &&
	      f.builds);
	CHECK(need_of("<script>document.createElement('ul')", 300, 9, &f) == NEED_SIGNS);
	CHECK(need_of("<div id=app></div><script src=a></script>", 9000, 9, &f) ==
	      NEED_SIGNS);
	CHECK(need_of("<h1>x</h1><script src=a></script>", 20, 1, &f) == NEED_LIKELY);
	/* The search of a manual waits for words. */
	CHECK(need_of("<noscript>Please activate JavaScript</noscript><input "
		      "name=\"q\"><script src=a></script>",
		      600, 9, &f) == NEED_SCRIPTS &&
	      f.search);
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
	RUN(answers_are_kept_while_there_is_room);
	DONE();
}
