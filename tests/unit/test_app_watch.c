#include <stdio.h>

#include "apps/seen_text.h"
#include "apps/watch.h"
#include "test.h"

static bool note(struct app_watch *w, const char *rule, int nr)
{
	char url[40];

	snprintf(url, sizeof(url), "http://a/%s/%d", rule, nr);
	bool left_out = app_watch_note(w, STR("a"), str_from(rule),
				       &(struct watch_url){ .url = str_from(url) });
	assert_app_watch(w);
	return left_out;
}

static unsigned take_all(struct app_watch *w, struct str *urls)
{
	struct watch_url u;
	struct str rule;
	bool is_sample;
	unsigned n = 0;

	while (app_watch_take(w, &is_sample, &u, &rule)) {
		if (n < 10)
			urls[n] = u.url;
		n++;
		assert_app_watch(w);
	}
	return n;
}

static void a_few_of_each_rule_are_tested_and_no_more(void)
{
	struct app_watch w = { 0 };
	struct str urls[10];

	for (int i = 0; i < 9; i++)
		CHECK(note(&w, "print", i));
	CHECK(note(&w, "print", 3) && note(&w, "month", 1));
	CHECK(take_all(&w, urls) == 4);
	CHECK(str_eq(urls[0], STR("http://a/print/0")) &&
	      str_eq(urls[2], STR("http://a/print/8")));
	for (int i = 0; i < 4; i++)
		CHECK(!app_watch_answer(&w, urls[i], false));
	CHECK(take_all(&w, urls) == 0);
	for (int i = 9; i < 18; i++) /* twice as many: once more */
		note(&w, "print", i);
	CHECK(take_all(&w, urls) == 3);
	app_watch_release(&w);
}

static bool note_api(struct app_watch *w, uint64_t api, int nr)
{
	char kind[20], url[40];

	snprintf(kind, sizeof(kind), "%d", (int)api);
	snprintf(url, sizeof(url), "http://%d/%d", (int)api, nr);
	return app_watch_note_api(
		w, str_from(kind), api,
		&(struct watch_url){ .url = str_from(url), .was_queued = nr > 4 });
}

static void pages_left_out_for_an_api_return_when_it_fails(void)
{
	struct app_watch w = { 0 };
	struct watch_url u;
	struct str urls[10], rule;
	bool is_sample;

	for (int i = 0; i < 9; i++)
		CHECK(note_api(&w, 1, i) && note_api(&w, 2, i));
	note(&w, "print", 1);
	CHECK(app_watch_has_api(&w, STR("http://1/8")));
	CHECK(!app_watch_has_api(&w, STR("http://a/print/1")));
	app_watch_retract_api(&w, 1);
	assert_app_watch(&w);
	CHECK(!app_watch_has_api(&w, STR("http://1/8")));
	CHECK(app_watch_has_api(&w, STR("http://2/8")));
	CHECK(app_watch_take(&w, &is_sample, &u, &rule) && !is_sample);
	CHECK(app_watch_is_api(&w, &u) && !u.was_queued);
	CHECK(take_all(&w, urls) == 8 + 3 + 1); /* the others are samples */
	CHECK(!note_api(&w, 1, 20) && note_api(&w, 2, 20));
	app_watch_release(&w);
}

static void something_new_retracts_the_rule_and_all_return(void)
{
	struct app_watch w = { 0 };
	struct str urls[10];

	for (int i = 0; i < 9; i++)
		note(&w, "tag", i);
	CHECK(take_all(&w, urls) == 3);
	CHECK(!app_watch_answer(&w, urls[0], false));
	CHECK(app_watch_answer(&w, urls[1], true));
	CHECK(!app_watch_answer(&w, urls[2], true)); /* it is already */
	CHECK(take_all(&w, urls) == 6);
	CHECK(!note(&w, "tag", 99)); /* followed from now on */
	CHECK(note(&w, "print", 1));
	CHECK(!app_watch_answer(&w, STR("http://a/unknown"), true));
	app_watch_release(&w);
}

static void what_returned_in_an_earlier_process_keeps_its_rule_retracted(void)
{
	struct app_watch w = { 0 };
	struct str urls[10];

	for (int i = 0; i < 9; i++)
		note(&w, "tag", i);
	app_watch_retract(&w, STR("http://a/unknown"));
	app_watch_retract(&w, STR("http://a/tag/4"));
	CHECK(!note(&w, "tag", 99));
	CHECK(take_all(&w, urls) == 8); /* all others, and no sample */
	app_watch_release(&w);
}

static void an_excerpt_is_nothing_new_and_other_words_are(void)
{
	struct arena a = { 0 };
	struct seen_text s = { 0 };
	char page[8000];
	size_t n = 0;

	for (int i = 0; i < 600; i++)
		n += (size_t)snprintf(page + n, sizeof(page) - n, "word%d ", i);
	struct str whole = { page, n };
	struct text_sample all = seen_text_sample(whole, &a);
	CHECK(all.n > 30 && seen_text_new(&s, all) == all.n);
	seen_text_add(&s, all);
	CHECK(seen_text_new(&s, all) == 0);
	struct text_sample part = seen_text_sample(str_slice(whole, 1000, 3000), &a);
	CHECK(part.n > 5 && seen_text_new(&s, part) <= 1);
	for (size_t i = 0; i < n; i++)
		page[i] = page[i] == 'w' ? 'v' : page[i];
	CHECK(seen_text_new(&s, seen_text_sample(whole, &a)) > 30);
	seen_text_release(&s);
	arena_release(&a);
}

static void what_was_tested_earlier_is_sampled_when_it_has_doubled(void)
{
	struct app_watch w = { 0 };
	struct watch_url u;
	struct str rule;
	bool is_sample;

	for (int i = 0; i < 10; i++)
		note(&w, "print", i);
	app_watch_settled(&w);
	CHECK(!app_watch_take(&w, &is_sample, &u, &rule));
	for (int i = 10; i < 20; i++)
		note(&w, "print", i);
	CHECK(app_watch_take(&w, &is_sample, &u, &rule) && is_sample);
	/* Of a rule that is retracted by it everything comes at once. */
	CHECK(app_watch_answer(&w, u.url, true));
	size_t n = 0;
	while (app_watch_take_returned(&w, &u, &rule))
		n++;
	CHECK(n == 19);
	app_watch_release(&w);
}

int main(void)
{
	RUN(a_few_of_each_rule_are_tested_and_no_more);
	RUN(pages_left_out_for_an_api_return_when_it_fails);
	RUN(something_new_retracts_the_rule_and_all_return);
	RUN(what_returned_in_an_earlier_process_keeps_its_rule_retracted);
	RUN(an_excerpt_is_nothing_new_and_other_words_are);
	RUN(what_was_tested_earlier_is_sampled_when_it_has_doubled);
	DONE();
}
