#include "policy/budget.h"

#include <math.h>

#include "base/hash.h"
#include "policy/novelty.h"
#include "policy/recrawl.h"
#include "test.h"

static void each_limit_has_its_name(void)
{
	struct budget b = { .settings = { .max_pages = 10,
					  .max_bytes = 1000,
					  .max_time_ms = 5000,
					  .host_pages = 3,
					  .host_bytes = 100 } };

	CHECK(budget_total_reached(&b, 100) == REASON_NONE);
	b.total.pages = 10;
	CHECK(budget_total_reached(&b, 100) == REASON_MAX_PAGES);
	b.total = (struct spent){ .bytes = 1000 };
	CHECK(budget_total_reached(&b, 100) == REASON_MAX_BYTES);
	b.total = (struct spent){ 0 };
	CHECK(budget_total_reached(&b, 5000) == REASON_MAX_TIME);
	CHECK(budget_reached(&b, &(struct spent){ 3, 0 }, &(struct spent){ 0 }, 0,
			     false) == REASON_HOST_PAGES);
	CHECK(budget_reached(&b, &(struct spent){ 0, 100 }, &(struct spent){ 0 }, 0,
			     false) == REASON_HOST_BYTES);
	budget_release(&b);
}

static void sitemaps_have_a_budget_that_pages_do_not_touch(void)
{
	struct budget b = { .settings = { .host_sitemaps = 2 } };
	struct spent none = { 0 }, two = { .pages = 2, .sitemaps = 2 };

	CHECK(budget_reached(&b, &(struct spent){ .pages = 9, .sitemaps = 1 }, &none, 0,
			     true) == REASON_NONE);
	CHECK(budget_reached(&b, &two, &none, 0, true) == REASON_HOST_SITEMAPS);
	CHECK(budget_reached(&b, &two, &none, 0, false) == REASON_NONE);
	b.settings.host_sitemaps = 0;
	CHECK(budget_reached(&b, &two, &none, 0, true) == REASON_NONE);
	budget_release(&b);
}

static void a_limit_that_is_given_anew_counts_from_then(void)
{
	struct budget b = {
		.settings = { .max_pages = 10, .max_bytes = 100, .max_time_ms = 50 },
		.total = { 25, 300 }
	};

	CHECK(budget_total_reached(&b, 10) == REASON_MAX_PAGES);
	budget_renew(&b, REASON_MAX_PAGES, 10);
	CHECK(budget_total_reached(&b, 10) == REASON_MAX_BYTES);
	budget_renew(&b, REASON_MAX_BYTES, 10);
	CHECK(budget_total_reached(&b, 60) == REASON_MAX_TIME);
	budget_renew(&b, REASON_MAX_TIME, 60);
	CHECK(budget_total_reached(&b, 109) == REASON_NONE);
	CHECK(budget_total_reached(&b, 110) == REASON_MAX_TIME);
	b.total.pages += 10;
	CHECK(budget_total_reached(&b, 60) == REASON_MAX_PAGES);
	budget_release(&b);
}

static void a_domain_earns_by_links_from_other_domains(void)
{
	struct budget b = { .settings = { .domain_pages = 100,
					  .domain_per_degree = 50,
					  .domain_pages_max = 240,
					  .degree_max = 3 } };
	uint32_t degree = 0;

	CHECK(budget_domain_pages(&b, 0) == 100);
	degree += budget_link(&b, 7, 7, degree);
	CHECK(degree == 0);
	for (unsigned i = 0; i < 5; i++)
		degree += budget_link(&b, 8, 7, degree);
	CHECK(degree == 1 && budget_domain_pages(&b, degree) == 150);
	for (uint64_t i = 0; i < 50; i++)
		degree += budget_link(&b, 100 + i, 7, degree);
	CHECK(degree == 3 && budget_domain_pages(&b, degree) == 240);
	CHECK(budget_reached(&b, &(struct spent){ 0 }, &(struct spent){ 240, 0 }, 3,
			     false) == REASON_DOMAIN_PAGES);
	budget_release(&b);
}

static struct buf text;

static struct str template_of(const char *url)
{
	struct buf scratch = { 0 };
	struct url u;

	buf_reset(&text);
	if (url_parse(str_from(url), NULL, &scratch, &u, NULL) == ST_OK)
		url_template_format(&u, &text);
	buf_release(&scratch);
	return buf_str(&text);
}

static void urls_of_one_family_have_one_template(void)
{
	CHECK(str_eq(template_of("http://a.org/"), STR("a.org/")));
	CHECK(str_eq(template_of("http://a.org/wiki/Foo"), STR("a.org/wiki/*")));
	CHECK(str_eq(template_of("http://a.org/b/7/x.html"), STR("a.org/b/N/*.html")));
	CHECK(str_eq(template_of("http://a.org/b/7/"), STR("a.org/b/N/")));
	CHECK(str_eq(template_of("http://a.org:81/s?b=1&a=2&b=3"),
		     STR("a.org:81/*?a=&b=")));
	CHECK(str_eq(template_of("http://a.org/a/b/c/d/e/f/g"),
		     STR("a.org/a/b/c/d/*/*/*")));
	/* Programs and namespaces are families of their own; sessions make none. */
	CHECK(str_eq(template_of("http://a.org/viewtopic.php?t=1&sid=ab"),
		     STR("a.org/viewtopic.php?t=")));
	CHECK(str_eq(template_of("http://a.org/about.php"), STR("a.org/*.php")));
	CHECK(str_eq(template_of("http://a.org/wiki/Category:Birds?from=3"),
		     STR("a.org/wiki/Category:*?from=")));
	CHECK(str_eq(template_of("http://a.org/x.html;jsessionid=1?utm_source=b"),
		     STR("a.org/*.html")));
	buf_release(&text);
}

static uint64_t page_of(const char *url)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct template_key key = { 0 };
	struct url u;

	if (url_parse(str_from(url), NULL, &scratch[0], &u, NULL) == ST_OK)
		key = url_template_key(&u, &scratch[1]);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return key.page;
}

static void what_seldom_matters_makes_no_other_page(void)
{
	uint64_t page = page_of("http://a.org/b/c?x=1&y=2");

	CHECK(page_of("https://a.org/b/c?x=1&y=2") == page);
	CHECK(page_of("http://www.a.org/b/c/?y=2&x=1") == page);
	CHECK(page_of("http://m.a.org/B/c;jsessionid=5?x=1&y=2&sid=7") == page);
	CHECK(page_of("http://a.org/b/c/index.php?x=1&utm_source=z&y=2") == page);
	CHECK(page_of("http://a.org/b/c?x=1&y=3") != page);
	CHECK(page_of("http://a.org/b/c?x=1") != page);
	CHECK(page_of("http://b.org/b/c?x=1&y=2") != page);
	CHECK(page_of("http://a.org/b/d?x=1&y=2") != page);
	CHECK(page_of("http://a.org/") == page_of("https://www.a.org/index.html"));
}

static uint32_t asked_until_stopped(double novelty, uint32_t most)
{
	struct novelty t = { .settings = { .first = 50, .per_novel = 20 } };
	double due = 0;
	uint32_t n = 0;

	for (; n < most && novelty_ask(&t, (struct template_key){ 1, 2 }); n++) {
		due += novelty;
		bool novel = due >= 1;
		due -= novel;
		novelty_answer(&t, (struct template_key){ 1, 2 }, novel, 100);
	}
	novelty_release(&t);
	return n;
}

static void a_template_lives_on_what_it_brings(void)
{
	CHECK(asked_until_stopped(0, 100000) == 20); /* nothing at all: two fifths */
	CHECK(asked_until_stopped(0.02, 100000) < 120);
	CHECK(asked_until_stopped(0.10, 100000) == 100000);
	CHECK(asked_until_stopped(1.00, 100000) == 100000);
}

/* A thousand templates of one path, none of which brings anything. */
static void templates_of_one_path_share_what_is_free(void)
{
	struct novelty t = { .settings = { .first = 125, .per_novel = 20 } };
	unsigned asked = 0;

	for (uint64_t i = 0; i < 1000; i++)
		for (unsigned k = 0; k < 2; k++)
			asked += novelty_ask(&t, (struct template_key){ 100 + i, 2 });
	CHECK(asked == 50);
	/* One that proved itself goes on, and its path has all that is free. */
	CHECK(!novelty_answer(&t, (struct template_key){ 100, 2 }, true, 9));
	CHECK(novelty_answer(&t, (struct template_key){ 100, 2 }, true, 50));
	for (unsigned k = 0; k < 100; k++)
		asked += novelty_ask(&t, (struct template_key){ 100, 2 });
	/* Half new: ten of its own, of which two were asked. */
	CHECK(asked == 50 + 8 + 75);
	novelty_release(&t);
}

/* At the end some of what is held is tried, more of it when that brought something. */
static void what_is_held_is_tried_a_little(void)
{
	struct novelty t = { .settings = { .first = 5, .per_novel = 10 } };
	struct template_key rich = { 1, 2 }, poor = { 3, 4 };

	while (novelty_ask(&t, rich) && novelty_ask(&t, poor))
		;
	uint32_t first = novelty_try(&t, novelty_hold(&t, rich), 1000);
	CHECK(first > 0 && novelty_try(&t, novelty_hold(&t, poor), 1000) == first);
	CHECK(novelty_answer(&t, rich, true, 100));
	CHECK(novelty_try(&t, novelty_hold(&t, rich), 1000) == 2 * first);
	/* One page of many is luck. */
	CHECK(novelty_answer(&t, rich, true, 12));
	CHECK(novelty_try(&t, novelty_hold(&t, rich), 1000) == 2 * first);
	for (unsigned i = 0; i < 2; i++) /* there is ever more of it: does it end? */
		CHECK(novelty_try(&t, novelty_hold(&t, rich), 1000) == first);
	CHECK(novelty_try(&t, novelty_hold(&t, rich), 1000) == 0);
	CHECK(novelty_try(&t, novelty_hold(&t, poor), 3) == 3);
	for (unsigned i = 0; i < 2; i++)
		CHECK(novelty_try(&t, novelty_hold(&t, poor), 1000) == first);
	CHECK(novelty_try(&t, novelty_hold(&t, poor), 1000) == 0);
	/* What it earns is paid at once, to itself. */
	CHECK(novelty_credit(&t, poor, 1000) == 0);
	for (unsigned i = 0; i < 10; i++)
		novelty_answer(&t, poor, true, 100);
	CHECK(novelty_credit(&t, poor, 1000) == 100 - 2 - 3 * first - 3 + (5 - 2));
	CHECK(novelty_credit(&t, poor, 1000) == 0);
	novelty_release(&t);
}

/* Trials that pay double, up to 256 at once. */
static void no_trial_is_larger_than_256(void)
{
	struct novelty t = { .settings = { .first = 5, .per_novel = 1 } };
	struct template_key key = { 1, 2 };
	uint32_t most = 0;

	while (novelty_ask(&t, key))
		;
	for (unsigned round = 0; round < 12; round++) {
		uint32_t n = novelty_try(&t, novelty_hold(&t, key), 100000);

		most = MAX(most, n);
		for (uint32_t i = 0; i < n; i++)
			novelty_answer(&t, key, true, 100);
	}
	CHECK(most == 256);
	novelty_release(&t);
}

/* What its owner does not want after all says nothing of a template. */
static void a_trial_of_which_nothing_is_asked_is_not_in_vain(void)
{
	struct novelty t = { .settings = { .first = 5, .per_novel = 10 } };
	struct template_key key = { 1, 2 };
	uint32_t hold = novelty_hold(&t, key), n;

	while (novelty_ask(&t, key))
		;
	for (unsigned round = 0; round < 10; round++) {
		n = novelty_try(&t, hold, 1000);
		CHECK(n > 0);
		for (uint32_t i = 0; i < n; i++)
			novelty_refuse(&t, key);
	}
	/* Of the next trials one is asked each: that is in vain. */
	for (unsigned round = 0; round < 4; round++) {
		n = novelty_try(&t, hold, 1000);
		CHECK(n > 1);
		for (uint32_t i = 1; i < n; i++)
			novelty_refuse(&t, key);
	}
	CHECK(novelty_try(&t, hold, 1000) == 0);
	novelty_release(&t);
}

/* All that is held of a template of `n` URLs, each of which finds `more` others, of which
 * only the one asked last is new; how many are asked. */
static uint32_t tried_of(uint32_t n, uint32_t more, struct template_key key)
{
	struct novelty t = { .settings = { .first = 100, .per_novel = 10 } };
	uint32_t asked = 0, held, some;

	for (; asked < n && novelty_ask(&t, key); asked++)
		novelty_answer(&t, key, false, 0);
	held = n - asked;
	while (held > 0 && (some = novelty_try(&t, novelty_hold(&t, key), held)) > 0) {
		held += some * more - some;
		asked += some;
		for (uint32_t i = 0; i < some; i++)
			novelty_answer(&t, key, held == 0 && i + 1 == some, 100);
	}
	novelty_release(&t);
	return asked;
}

static bool is_variant(const char *address)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	struct url u;

	return url_parse(str_from(address), NULL, &a, &u, NULL) == ST_OK &&
	       url_template_key(&u, &b).is_variant;
}

/* The copies of a handbook in other languages come first, and then its own pages. */
static void what_has_an_end_is_asked_until_hardly_any_can_be_new(void)
{
	struct template_key key = { 1, 2, 3, 4 };

	CHECK(tried_of(190, 0, key) == 190);
	CHECK(tried_of(300, 0, key) == 300);
	CHECK(tried_of(5000, 0, key) == 300);
	/* A trap has no end, and what is probably known is not worth it. */
	CHECK(tried_of(190, 1, key) < 80);
	CHECK(tried_of(190, 3, key) < 80);
	CHECK(tried_of(190, 0, novelty_again(key)) < 60);
	/* Nor are views of pages: /wiki?name=a, but not /wiki?name=a&do=login. */
	key.is_variant = is_variant("http://a.org/wiki?name=a&sid=1");
	CHECK(tried_of(190, 0, key) == 190);
	key.is_variant = is_variant("http://a.org/wiki?name=a&do=login");
	CHECK(tried_of(190, 0, key) < 60);
}

/* However many combinations of parameters there are. */
static void templates_of_one_path_are_tried_as_if_few(void)
{
	struct novelty t = { .settings = { .first = 5, .per_novel = 10 } };
	uint32_t tried = 0;

	for (uint64_t i = 0; i < 1000; i++)
		for (unsigned k = 0; k < 3; k++)
			tried += novelty_try(
				&t, novelty_hold(&t, (struct template_key){ 100 + i, 2 }),
				1000);
	CHECK(tried > 0 && tried <= 200);
	novelty_release(&t);
}

/* Lists of what was seen elsewhere are pages, too, as far as their host deserves it. */
static void unlike_pages_without_new_text_are_paid_by_their_host(void)
{
	struct novelty t = { .settings = { .first = 20, .per_novel = 10 } };
	struct template_key list = { 1, 2, 3 }, page = { 4, 5, 3 };
	unsigned asked = 0;

	for (; asked < 1000 && novelty_ask(&t, list); asked++)
		novelty_answer(&t, list, true, 0);
	CHECK(asked == 20);
	for (unsigned i = 0; i < 40; i++)
		novelty_answer(&t, page, true, 100);
	/* One of those under way comes: that lets one go that was held, and so on. */
	novelty_answer(&t, list, true, 0);
	CHECK(novelty_credit(&t, list, 1000) == 1 && novelty_credit(&t, list, 1000) == 0);
	novelty_answer(&t, list, true, 0);
	asked++;
	for (; asked < 1000 && novelty_ask(&t, list); asked++)
		novelty_answer(&t, list, true, 0);
	CHECK(asked == 20 + 10);
	novelty_release(&t);
}

static void an_interval_follows_the_changes(void)
{
	struct recrawl r = {
		.first_ms = 1000, .min_ms = 100, .max_ms = 8000, .shrink = 0.5, .grow = 2
	};
	struct visits v = { 0 };

	CHECK(recrawl_visit(&r, &v, CHANGE_FIRST, 0) == 1000);
	CHECK(recrawl_visit(&r, &v, CHANGE_SOME, 1000) == 1500);
	CHECK(recrawl_visit(&r, &v, CHANGE_NONE, 1500) == 2500);
	for (int i = 0; i < 9; i++)
		recrawl_visit(&r, &v, CHANGE_NONE, 9000);
	CHECK(v.interval_ms == 8000);
	for (int i = 0; i < 20; i++)
		recrawl_visit(&r, &v, CHANGE_SOME, 9000);
	CHECK(v.interval_ms == 100);
	CHECK(recrawl_change_chance(&v, 100) > 0.5);
	CHECK(recrawl_change_chance(&v, 1000) > recrawl_change_chance(&v, 100));
}

/* To ask whether one may be asked changes nothing, and is answered as asking is. */
static void may_ask_tells_what_asking_would(void)
{
	struct novelty t = { .settings = { .first = 5, .per_novel = 10 } };
	struct template_key key = { 1, 2, 3, 4 };

	for (int i = 0; i < 40; i++) {
		bool may = novelty_may_ask(&t, key);

		CHECK(novelty_may_ask(&t, key) == may);
		CHECK(novelty_ask(&t, key) == may);
		if (i == 20)
			CHECK(novelty_answer(&t, key, true, 100));
	}
	CHECK(!novelty_may_ask(&t, key));
	novelty_release(&t);
}

/* One change in three visits: 1 - (3 - 1 + 1/2) / ... , half a change and a visit added.
 */
static void the_chance_of_a_change_is_estimated(void)
{
	struct visits v = { .seen = 3, .changed = 1, .interval_ms = 100 };

	CHECK(fabs(recrawl_change_chance(&v, 100) - 1 / 3.0) < 1e-9);
	CHECK(fabs(recrawl_change_chance(&v, 200) - 5 / 9.0) < 1e-9);
	CHECK(recrawl_change_chance(&v, 0) == 0);
	v.interval_ms = 0;
	CHECK(recrawl_change_chance(&v, 100) == 0);
}

int main(void)
{
	RUN(each_limit_has_its_name);
	RUN(sitemaps_have_a_budget_that_pages_do_not_touch);
	RUN(a_limit_that_is_given_anew_counts_from_then);
	RUN(a_domain_earns_by_links_from_other_domains);
	RUN(urls_of_one_family_have_one_template);
	RUN(what_seldom_matters_makes_no_other_page);
	RUN(a_template_lives_on_what_it_brings);
	RUN(templates_of_one_path_share_what_is_free);
	RUN(what_is_held_is_tried_a_little);
	RUN(no_trial_is_larger_than_256);
	RUN(a_trial_of_which_nothing_is_asked_is_not_in_vain);
	RUN(what_has_an_end_is_asked_until_hardly_any_can_be_new);
	RUN(templates_of_one_path_are_tried_as_if_few);
	RUN(unlike_pages_without_new_text_are_paid_by_their_host);
	RUN(an_interval_follows_the_changes);
	RUN(may_ask_tells_what_asking_would);
	RUN(the_chance_of_a_change_is_estimated);
	DONE();
}
