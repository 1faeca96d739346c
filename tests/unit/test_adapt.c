#include "applearn/adapt.h"

#include "test.h"

static const char xml[] =
	"<application id=\"t\" name=\"T\">\n"
	"<detect><url match=\"board\" weight=\"100\"/></detect>\n"
	"<level id=\"thread\"><when><url match=\"/t\"/></when>\n"
	"<object id=\"post\" select=\"//div[has-class('post')]\">\n"
	"<field name=\"id\" select=\"@id\" match=\"^post_(\\d+)$\" to=\"$1\"/>\n"
	"<field name=\"who\" select=\"(.//*[has-class('author')])[1]\"/>\n"
	"<field name=\"text\" select=\"(.//*[has-class('body')])[1]\"/>\n"
	"</object></level></application>\n";

#define NEW_POST(id, who, text)                                           \
	"<article class='card entry' id='e-" id "'><p class='said'>" text \
	"</p><footer>by <em>" who "</em> <i class='x'>1</i></footer></article>"

static const char page[] = "<html><body><div class='nav'>Tess Ole Mira</div>" NEW_POST(
	"11", "Tess", "Which primer for <b>steel</b> wheels is good?")
	NEW_POST("12", "Ole", "Zinc primer, and two coats of it.")
		NEW_POST("13", "Mira", "I would not paint them at all.") "</body></html>";

#define KNOWN(id, who, text)                                                             \
	"{\"page\":1,\"url\":\"u\",\"object\":\"post\",\"id\":\"" id "\",\"who\":\"" who \
	"\",\"text\":\"" text "\"}\n"

static const char known[] = KNOWN("11", "Tess", "Which primer for steel wheels is good?")
	KNOWN("12", "Ole", "Zinc primer, and two coats of it.")
		KNOWN("13", "Mira", "I would not paint them at all.");

static void a_new_template_is_learnt_from_what_was_known(void)
{
	struct app_library l = { 0 };
	struct adaptation made;
	struct buf text = { 0 };

	library_add(&l, str_from(xml), STR("t.xml"));
	library_finish(&l, STR(""));
	struct adapt_page p = { .page = { .url = STR("http://board/t1"),
					  .html = str_from(page),
					  .remembered = APP_NONE },
				.verdict = { .app = 0, .level = &l.apps[0].levels[0] },
				.objects = str_from(known) };
	adapt_object(&l, &l.apps[0].levels[0], 0, &p, 1, &made);
	CHECK(made.before < 0.1 && made.after > 0.99);
	CHECK(made.n == 4);
	CHECK(adaptation_apply(&made, str_from(xml), &text));
	adaptation_release(&made);

	struct app_library again = { 0 };
	library_add(&again, buf_str(&text), STR("t.xml"));
	CHECK(again.n_problems == 0);
	library_finish(&again, STR(""));
	p.verdict.level = &again.apps[0].levels[0];
	adapt_object(&again, p.verdict.level, 0, &p, 1, &made);
	CHECK(made.n == 0 && made.before > 0.99);
	adaptation_release(&made);
	library_release(&again);
	library_release(&l);
	buf_release(&text);
}

static void without_known_values_nothing_is_changed(void)
{
	struct app_library l = { 0 };
	struct adaptation made;

	library_add(&l, str_from(xml), STR("t.xml"));
	library_finish(&l, STR(""));
	struct adapt_page p = { .page = { .url = STR("http://board/t1"),
					  .html = str_from(page) },
				.verdict = { .app = 0, .level = &l.apps[0].levels[0] },
				.objects = STR("{\"object\":\"post\"}\n[]\nx\n") };
	adapt_object(&l, &l.apps[0].levels[0], 0, &p, 1, &made);
	CHECK(made.n == 0 || made.after == 0);
	adaptation_release(&made);
	library_release(&l);
}

int main(void)
{
	RUN(a_new_template_is_learnt_from_what_was_known);
	RUN(without_known_values_nothing_is_changed);
	DONE();
}
