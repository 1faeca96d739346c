#include "applearn/site_learner.h"

#include <string.h>

#include "base/hash.h"
#include "test.h"

static void prose(struct site_learner *l, int seed)
{
	struct buf text = { 0 };

	for (int i = 0; i < 30; i++)
		buf_addf(&text, "word%dx%d ", seed, i);
	site_learner_add_text(l, buf_str(&text));
	buf_release(&text);
}

/* "A" and "B" are the numbers. */
static struct str at(const char *format, int a, int b)
{
	static char text[8][100];
	static unsigned nr;
	char *to = text[nr++ % 8];
	struct buf made = { 0 };

	for (const char *p = format; *p; p++)
		if (*p == 'A')
			buf_add_uint(&made, (uint64_t)a);
		else if (*p == 'B')
			buf_add_uint(&made, (uint64_t)b);
		else
			buf_add_char(&made, *p);
	memcpy(to, made.p, made.n);
	struct str ret = { to, made.n };
	buf_release(&made);
	return ret;
}

#define THREADS 20

/* A board: a list, threads of two pages, a print view and one sort order of the list. */
static void make_board(struct site_learner *l)
{
	site_learner_add(l, STR("/"), false);
	site_learner_add_link(l, STR("/list.php?f=1"));
	site_learner_add(l, STR("/list.php?f=1"), false);
	site_learner_add_link(l, STR("/list.php?f=1&sort=name"));
	for (int t = 0; t < THREADS; t++)
		site_learner_add_link(l, at("/show.php?t=A", t, 0));
	site_learner_add(l, STR("/list.php?f=1&sort=name"), false);
	for (int t = 0; t < THREADS; t++)
		site_learner_add_link(l, at("/show.php?t=A", t, 0));
	for (int t = 0; t < THREADS; t++) {
		site_learner_add(l, at("/show.php?t=A", t, 0), false);
		prose(l, 2 * t);
		site_learner_add_link(l, at("/show.php?t=A&page=2", t, 0));
		site_learner_add_link(l, at("/print.php?t=A", t, 0));
		site_learner_add(l, at("/show.php?t=A&page=2", t, 0), false);
		prose(l, 2 * t + 1);
		site_learner_add(l, at("/print.php?t=A", t, 0), false);
		prose(l, 2 * t);
		prose(l, 2 * t + 1);
	}
	site_learner_finish(l);
}

static uint8_t use_of(const struct site_learner *l, struct str url)
{
	const uint64_t *nr = map_find(&l->forms.by_url, hash64(url));

	return nr ? l->learnt[l->forms.forms[l->forms.form_of[*nr - 1]].family].use : 99;
}

static void content_is_kept_with_the_way_to_it_and_views_are_not(void)
{
	struct site_learner l = { .server = STR("http://b.example") };
	struct buf xml = { 0 };

	make_board(&l);
	CHECK(use_of(&l, STR("/show.php?t=3")) == FORM_CONTENT);
	CHECK(use_of(&l, STR("/show.php?t=3&page=2")) == FORM_CONTENT);
	CHECK(use_of(&l, STR("/print.php?t=3")) == FORM_REPEATS);
	CHECK(use_of(&l, STR("/list.php?f=1")) == FORM_WAY);
	CHECK(use_of(&l, STR("/list.php?f=1&sort=name")) == FORM_REPEATS);
	CHECK(site_learner_kept(&l) == 2 + 2 * THREADS ||
	      site_learner_kept(&l) == 1 + 2 * THREADS);
	site_draft(&l, STR("draft-b"), &xml);
	CHECK(str_find(buf_str(&xml),
		       STR("<next url=\"^/show\\.php\\?t=\\d+[&amp;;]page=\\d+$\"")) !=
	      STR_NONE);
	CHECK(str_find(buf_str(&xml), STR("<view url=\"^/print\\.php(\\?|$)\"")) !=
	      STR_NONE);
	CHECK(str_find(buf_str(&xml),
		       STR("<view "
			   "url=\"^/list\\.php\\?(.*[&amp;;])?sort([=&amp;;]|$)\"")) !=
	      STR_NONE);
	buf_release(&xml);
	site_learner_release(&l);
}

static void many_words_in_one_place_are_values(void)
{
	struct url_forms f = { 0 };
	struct buf text = { 0 };

	for (int i = 0; i < 40; i++) {
		char name[] = { '/', 'w', '/', (char)('a' + i % 26), (char)('a' + i / 26),
				'x', 0 };

		url_forms_add(&f, str_from(name));
	}
	url_forms_add(&f, STR("/help/start"));
	url_forms_add(&f, STR("/w/abx?do=edit"));
	url_forms_make(&f);
	CHECK(f.n_forms == 3);
	url_form_format(&f.forms[0], &text);
	CHECK(str_eq(buf_str(&text), STR("/w/*")));
	buf_reset(&text);
	url_form_regex(&f.forms[2], &text);
	CHECK(str_eq(buf_str(&text), STR("^/w/[^/?]+\\?do=edit$")));
	buf_release(&text);
	url_forms_release(&f);
}

static void names_of_programs_are_words_however_many(void)
{
	struct url_forms f = { 0 };

	for (int i = 0; i < 20; i++) {
		char name[] = { '/', (char)('a' + i), 'x', '.', 'p', 'h', 'p', 0 };

		url_forms_add(&f, str_from(name));
	}
	url_forms_make(&f);
	CHECK(f.n_forms == 20);
	url_forms_release(&f);
}

static void nothing_and_strange_urls_do_no_harm(void)
{
	struct site_learner l = { 0 };

	CHECK(!site_learner_add(&l, STR(""), false));
	site_learner_add_link(&l, STR("/x"));
	site_learner_add_text(&l, STR("no page is there yet at all"));
	CHECK(site_learner_add(&l, STR("//??&&==;;#/*"), false));
	CHECK(site_learner_add(&l, STR("?"), false));
	CHECK(site_learner_add(
		&l, STR("/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z?a&b"),
		false));
	site_learner_finish(&l);
	site_learner_release(&l);
}

int main(void)
{
	RUN(content_is_kept_with_the_way_to_it_and_views_are_not);
	RUN(many_words_in_one_place_are_values);
	RUN(names_of_programs_are_words_however_many);
	RUN(nothing_and_strange_urls_do_no_harm);
	DONE();
}
