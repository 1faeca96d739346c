#include "online/online.h"

#include "test.h"

#include <stdio.h>

/* A site where sessions are known to be noise; nothing is fetched only to watch that. */
static bool has_no_capital(struct str url)
{
	for (size_t i = 0; i < url.n; i++)
		if (url.p[i] >= 'A' && url.p[i] <= 'Z')
			return false;
	return true;
}

static void make_proved(struct dust_online **ret)
{
	struct online_options options = online_defaults;
	struct diag why;
	char url[64];

	options.shipped = true;
	options.explore = 0;
	struct dust_online *o = *ret = dust_online_new(&options);
	CHECK(dust_online_load(o, "/nonexistent", &why) == ST_OK);
	dust_online_page(o, STR("http://a.org/p"), 1, NULL);
	for (int i = 0; i < 3; i++) {
		struct online_key k;

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		dust_online_key(o, str_from(url), &k);
		CHECK(dust_online_decide(o, str_from(url), &k, false) <= ONLINE_PROBE);
		dust_online_page(o, str_from(url), 1, NULL);
	}
}

/* The next skip that the sweep gives out; a URL with a capital is not welcome. */
static bool sweep_next(struct dust_online *o, struct sweep_cursor *at,
		       struct online_skip *ret)
{
	struct str url;

	while (dust_online_sweep_next(o, at)) {
		while (dust_online_sweep_candidate(o, at, &url))
			sweep_cursor_rate(at, has_no_capital(url));
		if (dust_online_sweep_take(o, at, ret))
			return true;
	}
	dust_online_assert(o);
	return false;
}

/* Its page is said to be known; as which, nobody remembers. */
static void skip(struct dust_online *o, const char *url)
{
	struct online_key k;

	dust_online_key(o, str_from(url), &k);
	CHECK(dust_online_decide(o, str_from(url), &k, true) == ONLINE_SKIP);
}

static void what_nobody_answered_for_is_asked_once(void)
{
	struct dust_online *o;
	struct online_skip skipped;
	struct sweep_cursor at = { 0 };

	make_proved(&o);
	CHECK(dust_online_is_swept(o));
	skip(o, "http://a.org/q?sid=1000");
	skip(o, "http://a.org/q?sid=1");
	skip(o, "http://a.org/q?sid=2000");
	skip(o, "http://a.org/r?sid=3");
	CHECK(!dust_online_is_swept(o));
	dust_online_sweep_start(o);
	dust_online_sweep_answered(o, STR("http://a.org/r?sid=77"));
	CHECK(sweep_next(o, &at, &skipped));
	CHECK(str_eq(skipped.url, STR("http://a.org/q?sid=1")));
	CHECK(!sweep_next(o, &at, &skipped));
	CHECK(dust_online_is_swept(o));
	/* Rules on trial are applied again. */
	struct online_key k;
	dust_online_key(o, STR("http://a.org/q?utm_source=x"), &k);
	CHECK(k.n_rules == 1);
	/* It did not come, so be it. */
	skip(o, "http://a.org/q?sid=4");
	dust_online_sweep_start(o);
	dust_online_sweep_answered(o, STR("http://a.org/r?sid=77"));
	at = (struct sweep_cursor){ 0 };
	CHECK(!sweep_next(o, &at, &skipped));
	dust_online_release(&o);
}

/* Pages `from` to `to` in four versions each, all the same. */
static void see_versions(struct dust_online *o, unsigned from, unsigned to)
{
	for (unsigned i = from * 4; i < to * 4; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://a.org/x%u?v=%u", i / 4, i % 4);
		dust_online_page(o, str_from(url), 100 + i / 4, NULL);
	}
	while (dust_online_step(o))
		;
}

static enum rule_state state_of(const struct dust_online *o, const char *text)
{
	const struct rule_set *all = dust_online_rules(o);

	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].text, str_from(text)) && !all->v[i].universal)
			return all->v[i].state;
	return RULE_STATES;
}

/* Is the skipped version 1 asked for, where version 2 has come? */
static bool is_owed(struct dust_online *o)
{
	struct online_skip skipped;
	struct sweep_cursor at = { 0 };
	size_t n = 0;

	dust_online_sweep_start(o);
	dust_online_sweep_answered(o, STR("http://a.org/q?v=2"));
	while (sweep_next(o, &at, &skipped))
		n++;
	dust_online_assert(o);
	return n > 0;
}

/* Skipped under a key that no URL has any more, since a rule was added. */
static void keys_are_those_of_the_proved_rules_of_now(void)
{
	struct dust_online *o;

	make_proved(&o);
	skip(o, "http://a.org/q?v=1&sid=1");
	CHECK(is_owed(o));
	dust_online_release(&o);

	/* A rule that nothing has put to the test answers for nobody. */
	make_proved(&o);
	skip(o, "http://a.org/q?v=1&sid=1");
	see_versions(o, 0, 4);
	CHECK(state_of(o, "drop v") == RULE_PROBATION && is_owed(o));
	dust_online_release(&o);

	make_proved(&o);
	skip(o, "http://a.org/q?v=1&sid=1");
	see_versions(o, 0, 4);
	see_versions(o, 4, 12);
	CHECK(state_of(o, "drop v") == RULE_CONFIRMED && !is_owed(o));
	dust_online_release(&o);
}

/* The shortest is asked for; it leads to another of them, which then is. */
static void where_a_redirect_leads_is_asked_too(void)
{
	const struct str shortest = STR("http://a.org/q?sid=1"),
			 target = STR("http://a.org/q?sid=2000");
	struct dust_online *o;
	struct online_skip skipped;
	struct sweep_cursor at = { 0 };

	make_proved(&o);
	skip(o, "http://a.org/q?sid=2000");
	skip(o, "http://a.org/q?sid=1");
	skip(o, "http://a.org/q?sid=300");
	dust_online_sweep_start(o);
	CHECK(sweep_next(o, &at, &skipped) && str_eq(skipped.url, shortest));
	CHECK(!sweep_next(o, &at, &skipped));
	dust_online_queued(o, shortest);
	CHECK(dust_online_is_swept(o));
	dust_online_unqueued(o, shortest); /* as what a template drops is */
	CHECK(!dust_online_is_swept(o));
	dust_online_moved(o, shortest, target);
	dust_online_sweep_start(o);
	dust_online_sweep_redirected(o, shortest, target);
	at = (struct sweep_cursor){ 0 };
	CHECK(sweep_next(o, &at, &skipped) && str_eq(skipped.url, target));
	CHECK(!sweep_next(o, &at, &skipped));
	/* Elsewhere: then that is what there is. */
	dust_online_sweep_start(o);
	dust_online_sweep_redirected(o, target, STR("http://a.org/gone"));
	at = (struct sweep_cursor){ 0 };
	CHECK(!sweep_next(o, &at, &skipped));
	dust_online_release(&o);
}

/* Shorter ones whose kind has brought nothing would only be dropped. */
static void one_that_would_be_asked_is_chosen(void)
{
	struct dust_online *o;
	struct online_skip skipped;
	struct sweep_cursor at = { 0 };

	make_proved(&o);
	skip(o, "http://a.org/q?sid=A");
	skip(o, "http://a.org/q?sid=1000");
	skip(o, "http://a.org/q?sid=B");
	skip(o, "http://a.org/r?sid=C");
	dust_online_sweep_start(o);
	CHECK(sweep_next(o, &at, &skipped));
	bool is_q = str_eq(skipped.url, STR("http://a.org/q?sid=1000"));
	CHECK(is_q || str_eq(skipped.url, STR("http://a.org/r?sid=C")));
	CHECK(sweep_next(o, &at, &skipped));
	CHECK(str_eq(skipped.url, is_q ? STR("http://a.org/r?sid=C")
				       : STR("http://a.org/q?sid=1000")));
	CHECK(!sweep_next(o, &at, &skipped));
	dust_online_release(&o);
}

/* Somebody stopped the crawl in the middle of it. */
static void what_was_not_finished_is_still_due(void)
{
	struct dust_online *o;
	struct online_skip skipped;
	struct online_key k;
	struct sweep_cursor at = { 0 };

	make_proved(&o);
	skip(o, "http://a.org/q?sid=1");
	dust_online_sweep_start(o);
	dust_online_key(o, STR("http://a.org/q?utm_source=x"), &k);
	CHECK(k.n_rules == 0); /* not proved: no rule while it lasts */
	dust_online_sweep_abandon(o);
	CHECK(!dust_online_is_swept(o));
	dust_online_key(o, STR("http://a.org/q?utm_source=x"), &k);
	CHECK(k.n_rules == 1);
	dust_online_sweep_start(o);
	CHECK(sweep_next(o, &at, &skipped));
	dust_online_release(&o);
}

int main(void)
{
	RUN(what_nobody_answered_for_is_asked_once);
	RUN(keys_are_those_of_the_proved_rules_of_now);
	RUN(where_a_redirect_leads_is_asked_too);
	RUN(one_that_would_be_asked_is_chosen);
	RUN(what_was_not_finished_is_still_due);
	DONE();
}
