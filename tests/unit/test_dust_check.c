/* Contradictions of rules that are proved: checked, blamed, taken back. */
#include "base/hash.h"
#include "online/online.h"
#include "os/file.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* A page with paragraphs of its own; `version` is what it says today. */
static struct likeness text_of(uint64_t page, uint64_t version)
{
	struct likeness l = { .main = hash_mix(page << 8 | version) };

	for (uint64_t i = 0; i < 8; i++)
		likeness_add(&l, hash_mix(page << 16 | version << 8 | i), 100 + i);
	return l;
}

static void see(struct dust_online *o, const char *url, uint64_t page, uint64_t version)
{
	struct likeness l = text_of(page, version);

	dust_online_page(o, str_from(url), hash_mix(page << 8 | version), &l);
	while (dust_online_step(o))
		;
	dust_online_assert(o);
}

static const struct rule *rule_of(const struct dust_online *o, const char *text)
{
	const struct rule_set *all = dust_online_rules(o);

	for (size_t i = 0; i < all->n; i++)
		if (!all->v[i].universal && str_eq(all->v[i].text, str_from(text)))
			return &all->v[i];
	return NULL;
}

static enum rule_state state_of(const struct dust_online *o, const char *text)
{
	const struct rule *r = rule_of(o, text);

	return r ? r->state : RULE_DISABLED;
}

/* Fetch pages from..to under a plain URL and under one that `alias` makes of it. */
static void see_pairs(struct dust_online *o, const char *alias, uint64_t from,
		      uint64_t to)
{
	for (uint64_t page = from; page < to; page++) {
		char url[96], host[16] = "a.org", tail[32] = "";

		snprintf(url, sizeof(url), "http://a.org/p%d", (int)page);
		see(o, url, page, 0);
		if (strcmp(alias, "www") == 0)
			snprintf(host, sizeof(host), "www.a.org");
		else
			snprintf(tail, sizeof(tail), "?%s=%d", alias, (int)page * 7 + 1);
		snprintf(url, sizeof(url), "http://%s/p%d%s", host, (int)page, tail);
		see(o, url, page, 0);
	}
}

/* Rules `www` (12 proofs) and `drop sid` (about 4) of one site. */
static void prove_two_rules(struct dust_online **ret)
{
	struct online_options options = online_defaults;
	options.explore = 0;
	struct dust_online *o = *ret = dust_online_new(&options);

	see_pairs(o, "www", 0, 20);
	see_pairs(o, "sid", 100, 108);
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
	CHECK(state_of(o, "drop sid") == RULE_CONFIRMED);
}

static bool has_rules(struct dust_online *o, const char *url, const char *names)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct online_key k;

	dust_online_key(o, str_from(url), &k);
	dust_online_put_rules(o, &k, &b);
	return str_eq(buf_str(&b), str_from(names));
}

static void online_release(struct dust_online **o)
{
	dust_online_release(o);
}

/* As of general rules (test_online_rules.c), so of those that the site has learnt. */
static void only_learnt_rules_that_are_needed_are_named(void)
{
	cleanup(online_release) struct dust_online *o = NULL;

	prove_two_rules(&o);
	see(o, "http://www.a.org/n?sid=1", 500, 0);
	CHECK(has_rules(o, "http://www.a.org/n?sid=2", "drop sid"));
	CHECK(has_rules(o, "http://a.org/n?sid=1", "www"));
	CHECK(has_rules(o, "http://a.org/n", "drop sid, www"));
}

static void a_page_that_changed_contradicts_no_proved_rule(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness now = text_of(500, 1);
	struct online_return r;
	struct str url;

	prove_two_rules(&o);
	see(o, "http://a.org/news", 500, 0);
	CHECK(!dust_online_next_check(o, &url));
	see(o, "http://www.a.org/news", 500, 1); /* as it was an hour later */
	CHECK(dust_online_next_check(o, &url) && str_eq(url, STR("http://a.org/news")));
	CHECK(!dust_online_next_check(o, &url));
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
	dust_online_checked(o, STR("http://a.org/news"), &now);
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
	CHECK(rule_of(o, "www")->evidence.contradictions == 0);
	CHECK(!dust_online_next_return(o, &r));
}

static void a_page_that_never_stays_the_same_contradicts_no_proved_rule(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness now = text_of(500, 2);

	prove_two_rules(&o);
	see(o, "http://a.org/random", 500, 0);
	see(o, "http://www.a.org/random", 500, 1);
	dust_online_checked(o, STR("http://a.org/random"), &now);
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
	CHECK(rule_of(o, "www")->evidence.contradictions == 0);
}

static void a_checked_contradiction_retracts_a_proved_rule(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness now = text_of(500, 0);
	struct str url;

	prove_two_rules(&o);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x", 501, 0);
	CHECK(dust_online_next_check(o, &url));
	dust_online_checked(o, url, &now);
	CHECK(state_of(o, "www") == RULE_RETRACTED);
	CHECK(rule_of(o, "www")->evidence.contradictions == 1);
	CHECK(state_of(o, "drop sid") == RULE_CONFIRMED);
}

static void a_contradiction_that_cannot_be_checked_stands(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness empty = { 0 };
	struct str url;

	prove_two_rules(&o);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x", 501, 0);
	CHECK(dust_online_next_check(o, &url));
	dust_online_failed(o, url, ONLINE_ABSENT);
	CHECK(state_of(o, "www") == RULE_RETRACTED);
	see(o, "http://a.org/y", 502, 0);
	see(o, "http://a.org/y?sid=4", 503, 0);
	CHECK(dust_online_next_check(o, &url));
	dust_online_checked(o, url, &empty);
	CHECK(state_of(o, "drop sid") == RULE_RETRACTED);
}

/* Several wait at once, of different pages: each answer ends its own. */
static void checks_of_other_pages_go_on(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness second = text_of(502, 0);
	struct str url;

	prove_two_rules(&o);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x", 501, 0);
	see(o, "http://a.org/y", 502, 0);
	see(o, "http://a.org/y?sid=4", 503, 0);
	CHECK(dust_online_next_check(o, &url) && str_eq(url, STR("http://a.org/x")));
	CHECK(dust_online_next_check(o, &url) && str_eq(url, STR("http://a.org/y")));
	dust_online_checked(o, url, &second);
	CHECK(state_of(o, "drop sid") == RULE_RETRACTED);
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
}

/* What a check would compare with is not known, or is one paragraph. */
static void a_check_needs_something_to_compare_with(void)
{
	for (unsigned paragraphs = 0; paragraphs < 2; paragraphs++) {
		cleanup(online_release) struct dust_online *o = NULL;
		struct likeness other = { 0 };
		struct str url;

		if (paragraphs)
			likeness_add(&other, 77, 100);
		prove_two_rules(&o);
		see(o, "http://a.org/x", 500, 0);
		dust_online_page(o, STR("http://www.a.org/x"), 501, &other);
		CHECK(dust_online_next_check(o, &url) == (paragraphs > 0));
		CHECK(state_of(o, "www") ==
		      (paragraphs ? RULE_CONFIRMED : RULE_RETRACTED));
	}
}

static void many_contradictions_at_once_need_no_check(void)
{
	cleanup(online_release) struct dust_online *o = NULL;

	prove_two_rules(&o);
	for (uint64_t i = 0; i < 5; i++) {
		char url[64];

		CHECK(state_of(o, "www") == RULE_CONFIRMED);
		snprintf(url, sizeof(url), "http://a.org/x%d", (int)i);
		see(o, url, 500 + i, 0);
		snprintf(url, sizeof(url), "http://www.a.org/x%d", (int)i);
		see(o, url, 600 + i, 0);
	}
	CHECK(state_of(o, "www") == RULE_RETRACTED);
}

/* So many pages are not fetched again for the doubts of one crawl: then all are believed.
 */
static void past_256_checks_a_contradiction_stands(void)
{
	struct online_options options = online_defaults;
	struct diag why;
	options.explore = 0;
	options.shipped = true;
	options.universal_sites = 0;
	cleanup(online_release) struct dust_online *o = dust_online_new(&options);
	char url[64];

	CHECK(dust_online_load(o, "/nonexistent", &why) == ST_OK);
	for (uint64_t site = 0; site <= 64; site++)
		for (uint64_t page = 0; page < (site < 64 ? 8 : 5); page++) {
			uint64_t id = site << 8 | page;

			snprintf(url, sizeof(url), "http://s%d.org/p%d", (int)site,
				 (int)page);
			see(o, url, id, 0);
			snprintf(url, sizeof(url), "http://www.s%d.org/p%d", (int)site,
				 (int)page);
			see(o, url, page < 4 ? id : id + 100, 0);
		}
	size_t retracted = 0, checks = 0;
	const struct rule_set *all = dust_online_rules(o);
	for (size_t i = 0; i < all->n; i++)
		retracted += all->v[i].state == RULE_RETRACTED;
	CHECK(retracted == 1);
	struct str next;
	while (dust_online_next_check(o, &next))
		checks++;
	CHECK(checks == 256);
}

static void of_several_proved_rules_the_one_with_least_evidence_falls(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness now = text_of(500, 0);
	struct online_key k;

	prove_two_rules(&o);
	CHECK(rule_of(o, "www")->evidence.probes >
	      rule_of(o, "drop sid")->evidence.probes);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x?sid=1", 501, 0);
	dust_online_checked(o, STR("http://a.org/x"), &now);
	CHECK(state_of(o, "drop sid") == RULE_RETRACTED);
	/* The other one is on trial: it still joins, but asks for probes. */
	CHECK(state_of(o, "www") == RULE_PROBATION);
	dust_online_key(o, STR("http://www.a.org/p100"), &k);
	CHECK(dust_online_decide(o, STR("http://www.a.org/p100"), &k, false) ==
	      ONLINE_PROBE);
	for (uint64_t page = 100; page < 103; page++) {
		char url[64];

		CHECK(state_of(o, "www") == RULE_PROBATION);
		snprintf(url, sizeof(url), "http://www.a.org/p%d", (int)page);
		see(o, url, page, 0);
	}
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
}

/* The shipped rule `www` (4 proofs), and the learnt ones `drop tab` and `drop cb` (more).
 */
static void prove_known_and_learnt(struct dust_online **ret)
{
	struct online_options options = online_defaults;
	struct diag why;
	options.explore = 0;
	options.shipped = true;
	struct dust_online *o = *ret = dust_online_new(&options);

	CHECK(dust_online_load(o, "/nonexistent", &why) == ST_OK);
	see_pairs(o, "www", 0, 4);
	see_pairs(o, "tab", 100, 120);
	see_pairs(o, "cb", 200, 220);
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
	CHECK(rule_of(o, "www")->evidence.probes == 4);
	CHECK(rule_of(o, "drop tab")->evidence.probes > 10);
	CHECK(rule_of(o, "drop cb")->evidence.probes > 10);
}

/* Learnt rewrites that were wrong took `scheme` and `www` with them. */
static void a_rule_known_from_elsewhere_outlives_what_a_site_was_taught(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness now = text_of(500, 0);

	prove_known_and_learnt(&o);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x?tab=1", 501, 0);
	dust_online_checked(o, STR("http://a.org/x"), &now);
	CHECK(state_of(o, "drop tab") == RULE_RETRACTED);
	CHECK(state_of(o, "www") == RULE_PROBATION);
	/* On trial again, it is not alone to blame for the next one either. */
	see(o, "http://a.org/y", 600, 0);
	see(o, "http://www.a.org/y?cb=1", 601, 0);
	now = text_of(600, 0);
	CHECK(state_of(o, "drop cb") == RULE_CONFIRMED); /* which is checked as well */
	dust_online_checked(o, STR("http://a.org/y"), &now);
	CHECK(state_of(o, "drop cb") == RULE_RETRACTED);
	CHECK(state_of(o, "www") == RULE_PROBATION);
	/* But it is for what it does by itself. */
	see(o, "http://www.a.org/y", 601, 0);
	dust_online_checked(o, STR("http://a.org/y"), &now);
	CHECK(state_of(o, "www") == RULE_RETRACTED);
}

/* Nothing has to be checked before a rule on probation is retracted, wherever it stands.
 */
static void with_a_rule_on_probation_there_is_no_check(void)
{
	struct online_options options = online_defaults;
	struct diag why;
	options.explore = 0;
	options.shipped = true;
	cleanup(online_release) struct dust_online *o = dust_online_new(&options);
	struct str url;

	CHECK(dust_online_load(o, "/nonexistent", &why) == ST_OK);
	see_pairs(o, "tab", 100, 120);
	CHECK(state_of(o, "drop tab") == RULE_CONFIRMED);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x?tab=1", 501, 0);
	CHECK(!dust_online_next_check(o, &url));
	CHECK(state_of(o, "www") == RULE_RETRACTED);
	CHECK(state_of(o, "drop tab") == RULE_CONFIRMED);
}

/* What `drop sid` skips of one page, `n` times. */
static void skip_aliases(struct dust_online *o, int n)
{
	struct online_key k;

	see(o, "http://a.org/many", 900, 0);
	see(o, "http://a.org/many?sid=9999", 900, 0); /* the first of its kind */
	for (int i = 0; i < n; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://a.org/many?sid=%d", 10000 + i);
		dust_online_key(o, str_from(url), &k);
		CHECK(dust_online_decide(o, str_from(url), &k, false) == ONLINE_SKIP);
	}
}

static void retract_sid(struct dust_online *o)
{
	struct likeness now = text_of(500, 0);

	see(o, "http://a.org/x", 500, 0);
	see(o, "http://a.org/x?sid=1", 501, 0);
	dust_online_checked(o, STR("http://a.org/x"), &now);
	CHECK(state_of(o, "drop sid") == RULE_RETRACTED);
}

/* All of it is the page that skip_aliases() has; how many there were. */
static size_t fetch_what_returns(struct dust_online *o)
{
	struct online_return r;
	size_t back = 0;

	while (dust_online_next_return(o, &r))
		for (size_t i = 0; i < r.n; i++, back++) {
			char url[64];

			snprintf(url, sizeof(url), STR_FMT, STR_ARG(r.urls[i].url));
			dust_online_answered(o, str_from(url));
			see(o, url, 900, 0);
		}
	return back;
}

static void what_a_rule_skipped_returns_in_portions(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct online_return r;
	size_t back = 0;

	prove_two_rules(&o);
	skip_aliases(o, 1000);
	retract_sid(o);
	CHECK(dust_online_next_return(o, &r) && r.n == 64);
	size_t portion = r.n;
	char first[64];
	snprintf(first, sizeof(first), STR_FMT, STR_ARG(r.urls[0].url));
	CHECK(!dust_online_next_return(o, &r));
	/* As many as have been answered. */
	dust_online_answered(o, str_from(first));
	CHECK(dust_online_next_return(o, &r) && r.n == 1);
	CHECK(!dust_online_next_return(o, &r));
	/* In the end all that nobody has. */
	dust_online_idle(o);
	CHECK(!dust_online_next_return(o, &r));
	struct sweep_cursor at = { 0 };
	struct online_skip skip;
	struct str url;
	dust_online_sweep_start(o);
	for (back = portion + 1; dust_online_sweep_next(o, &at);) {
		while (dust_online_sweep_candidate(o, &at, &url))
			sweep_cursor_rate(&at, true);
		back += dust_online_sweep_take(o, &at, &skip);
	}
	CHECK(back == 1000);
}

/* The page that contradicted it is forgotten, or was an accident: what returns shows it.
 */
static void a_retracted_rule_comes_back_when_what_returned_was_the_same(void)
{
	cleanup(online_release) struct dust_online *o = NULL;

	prove_two_rules(&o);
	skip_aliases(o, 1000);
	retract_sid(o);
	see(o, "http://a.org/x?sid=1", 500, 0); /* asked in another round: the same */
	size_t back = fetch_what_returns(o);
	CHECK(state_of(o, "drop sid") == RULE_CONFIRMED);
	CHECK(back < 200);
}

static void a_rule_stays_retracted_while_a_page_contradicts_it(void)
{
	cleanup(online_release) struct dust_online *o = NULL;

	prove_two_rules(&o);
	skip_aliases(o, 300);
	retract_sid(o);
	size_t back = fetch_what_returns(o);
	CHECK(back == 300);
	CHECK(state_of(o, "drop sid") == RULE_RETRACTED);
}

/* Killed before the page came: the rule is not simply believed afterwards. */
static void a_disputed_rule_is_on_trial_after_a_restart(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	struct diag why = { 0 };

	CHECK(mkdtemp(dir));
	cleanup(online_release) struct dust_online *o = NULL;
	prove_two_rules(&o);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x", 501, 0);
	CHECK(dust_online_save(o, dir, &why) == ST_OK);
	cleanup(online_release) struct dust_online *later =
		dust_online_new(&online_defaults);
	CHECK(dust_online_load(later, dir, &why) == ST_OK);
	CHECK(state_of(later, "www") == RULE_PROBATION);
	CHECK(state_of(later, "drop sid") == RULE_CONFIRMED);
	/* What it had proved before does not count: it takes three more. */
	for (uint64_t page = 700; page < 703; page++) {
		CHECK(state_of(later, "www") == RULE_PROBATION);
		see_pairs(later, "www", page, page + 1);
	}
	CHECK(state_of(later, "www") == RULE_CONFIRMED);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* The same of the rule that was learnt second: the first one is not concerned. */
static void only_the_rules_of_a_check_are_on_trial_after_a_restart(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	struct diag why = { 0 };

	CHECK(mkdtemp(dir));
	cleanup(online_release) struct dust_online *o = NULL;
	prove_two_rules(&o);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://a.org/x?sid=3", 501, 0);
	CHECK(dust_online_save(o, dir, &why) == ST_OK);
	cleanup(online_release) struct dust_online *later =
		dust_online_new(&online_defaults);
	CHECK(dust_online_load(later, dir, &why) == ST_OK);
	CHECK(state_of(later, "www") == RULE_CONFIRMED);
	CHECK(state_of(later, "drop sid") == RULE_PROBATION);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* Killed before the rules were saved, too: then the journal tells. */
static void a_check_that_was_under_way_is_remembered(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	cleanup(buf_release) struct buf rules = { 0 };
	struct diag why = { 0 };
	struct str url;

	CHECK(mkdtemp(dir));
	cleanup(online_release) struct dust_online *o = NULL;
	prove_two_rules(&o);
	CHECK(dust_online_save(o, dir, &why) == ST_OK);
	see(o, "http://a.org/x", 500, 0);
	see(o, "http://www.a.org/x?sid=7", 501, 0);
	CHECK(dust_online_next_check(o, &url));
	dust_online_check_rules(o, url, &rules);
	for (int checked = 0; checked < 2; checked++) {
		enum rule_state want = checked ? RULE_CONFIRMED : RULE_PROBATION;
		cleanup(online_release) struct dust_online *later =
			dust_online_new(&online_defaults);

		CHECK(dust_online_load(later, dir, &why) == ST_OK);
		/* One that was answered, on either side of it. */
		dust_online_restore_check(later, STR("http://a.org/1"), STR("www"));
		dust_online_restore_check(later, url, buf_str(&rules));
		dust_online_restore_check(later, STR("http://a.org/2"), STR("www"));
		dust_online_restore_checked(later, STR("http://a.org/2"));
		dust_online_restore_checked(later, STR("http://a.org/1"));
		if (checked)
			dust_online_restore_checked(later, url);
		dust_online_restored(later);
		CHECK(state_of(later, "www") == want);
		CHECK(state_of(later, "drop sid") == want);
	}
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* The page for printers: a third of the text, all of it known. */
static void a_page_with_less_around_it_is_no_contradiction(void)
{
	cleanup(online_release) struct dust_online *o = NULL;
	struct likeness whole = { 0 }, print = { 0 }, other = text_of(501, 0);
	struct str url;

	prove_two_rules(&o);
	for (uint64_t i = 0; i < 9; i++) {
		likeness_add(&whole, hash_mix(7000 + i), 100);
		if (i < 3)
			likeness_add(&print, hash_mix(7000 + i), 100);
	}
	likeness_add(&print, hash_mix(1), 40);
	CHECK(likeness_of(&whole, &print) < 0.5 && likeness_is_part(&whole, &print));
	CHECK(!likeness_is_part(&whole, &other));
	dust_online_page(o, STR("http://a.org/x"), 1001, &whole);
	dust_online_page(o, STR("http://www.a.org/x"), 1002, &print);
	CHECK(!dust_online_next_check(o, &url));
	/* Nor one that has another frame around the same content. */
	whole.main = other.main = 77;
	dust_online_page(o, STR("http://a.org/y"), 1003, &whole);
	dust_online_page(o, STR("http://www.a.org/y"), 1004, &other);
	CHECK(!dust_online_next_check(o, &url));
	CHECK(state_of(o, "www") == RULE_CONFIRMED);
	CHECK(rule_of(o, "www")->evidence.contradictions == 0);
}

int main(void)
{
	RUN(only_learnt_rules_that_are_needed_are_named);
	RUN(a_page_that_changed_contradicts_no_proved_rule);
	RUN(a_page_that_never_stays_the_same_contradicts_no_proved_rule);
	RUN(a_checked_contradiction_retracts_a_proved_rule);
	RUN(a_contradiction_that_cannot_be_checked_stands);
	RUN(checks_of_other_pages_go_on);
	RUN(a_check_needs_something_to_compare_with);
	RUN(many_contradictions_at_once_need_no_check);
	RUN(past_256_checks_a_contradiction_stands);
	RUN(of_several_proved_rules_the_one_with_least_evidence_falls);
	RUN(a_rule_known_from_elsewhere_outlives_what_a_site_was_taught);
	RUN(with_a_rule_on_probation_there_is_no_check);
	RUN(what_a_rule_skipped_returns_in_portions);
	RUN(a_retracted_rule_comes_back_when_what_returned_was_the_same);
	RUN(a_rule_stays_retracted_while_a_page_contradicts_it);
	RUN(a_disputed_rule_is_on_trial_after_a_restart);
	RUN(only_the_rules_of_a_check_are_on_trial_after_a_restart);
	RUN(a_check_that_was_under_way_is_remembered);
	RUN(a_page_with_less_around_it_is_no_contradiction);
	DONE();
}
