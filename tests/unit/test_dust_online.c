#include "base/rng.h"
#include "online/online.h"
#include "os/file.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A site of n pages, each under `ways` URLs that differ in a session number, and
 * now and then a page whose session number matters. */
struct simulated {
	struct dust_online *o;
	size_t fetched, skipped, probes, explored, lost;
	uint64_t (*content)(struct str url);
};

static void simulated_release(struct simulated *s)
{
	dust_online_release(&s->o);
}

/* And the rules that ship with Thresh. */
static struct dust_online *with_shipped(struct online_options options)
{
	struct diag why;

	options.shipped = true;
	struct dust_online *o = dust_online_new(&options);
	if (dust_online_load(o, "/nonexistent", &why) != ST_OK)
		abort();
	return o;
}

static uint64_t without_sid(struct str url)
{
	size_t at = str_find(url, STR("sid="));

	return hash64(str_slice(url, 0, at));
}

/* Until page 50 the number is noise; from there on it names the page. */
static uint64_t treacherous(struct str url)
{
	struct str rest = str_skip(url, str_find(url, STR("/p")) + 2);
	uint64_t page = 0;

	str_take_uint(&rest, 1000000, &page);
	return page < 50 ? without_sid(url) : hash64(url);
}

static void fetch(struct simulated *s, struct str url)
{
	s->fetched++;
	dust_online_answered(s->o, url);
	dust_online_page(s->o, url, s->content(url), NULL);
	while (dust_online_step(s->o))
		;
	dust_online_assert(s->o);
}

static enum online_decision offer(struct simulated *s, const char *text)
{
	struct online_key k;
	struct str url = str_from(text);

	dust_online_key(s->o, url, &k);
	enum online_decision d = dust_online_decide(s->o, url, &k, false);
	s->skipped += d == ONLINE_SKIP;
	s->probes += d == ONLINE_PROBE;
	s->explored += d == ONLINE_EXPLORE;
	if (d != ONLINE_SKIP && d != ONLINE_SEEN)
		fetch(s, url);
	dust_online_assert(s->o);
	return d;
}

static void crawl(struct simulated *s, const char *host, int from, int to, int ways)
{
	for (int page = from; page < to; page++)
		for (int w = 0; w < ways; w++) {
			char url[128];

			snprintf(url, sizeof(url), "http://%s/p%d?sid=%d", host, page,
				 page * 31 + w * 7 + 1);
			offer(s, url);
		}
}

static const struct rule *only_rule(const struct dust_online *o)
{
	const struct rule_set *all = dust_online_rules(o);

	return all->n == 1 ? &all->v[0] : NULL;
}

static void a_rule_is_learnt_proved_and_spares_fetches(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};

	crawl(&s, "a.org", 0, 200, 5);
	const struct rule *r = only_rule(s.o);
	CHECK(r && str_eq(r->text, STR("drop sid")) && r->state == RULE_CONFIRMED);
	/* 1000 URLs, 200 pages: nearly all of the 800 are spared. */
	CHECK(s.skipped > 700 && s.fetched < 300);
	CHECK(s.explored > 5 && s.explored < 60);
	CHECK(r->evidence.skipped == s.skipped && r->evidence.contradictions == 0);
}

/* On topics the number is noise; of forums it is the name. */
static uint64_t by_program(struct str url)
{
	return str_find(url, STR("/forum.php")) != STR_NONE ? hash64(url)
							    : without_sid(url);
}

static void a_learnt_rule_is_tried_on_each_kind_of_page(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = by_program
	};
	char url[128];

	for (int page = 0; page < 60; page++)
		for (int w = 0; w < 4; w++) {
			snprintf(url, sizeof(url), "http://a.org/topic.php?t=%d&sid=%d",
				 page, page * 31 + w * 7);
			offer(&s, url);
		}
	CHECK(only_rule(s.o) && only_rule(s.o)->state == RULE_CONFIRMED);
	s.skipped = 0;
	for (int w = 0; w < 8; w++) {
		snprintf(url, sizeof(url), "http://a.org/forum.php?sid=%d", w);
		offer(&s, url);
	}
	/* The second is fetched, whatever the rule says: it is another page. */
	CHECK(s.skipped == 0 && only_rule(s.o)->state == RULE_RETRACTED);
}

/* Only f, start and t name a page. */
static uint64_t by_three(struct str url)
{
	struct str query = str_skip(url, str_find_char(url, '?') + 1), part;
	uint64_t sum = 0;

	while (str_take_until(&query, '&', &part))
		if (str_starts(part, STR("f=")) || str_starts(part, STR("start=")) ||
		    str_starts(part, STR("t=")))
			sum += hash64(part);
	return sum;
}

static bool skips_any_parameter(const struct dust_online *o)
{
	const struct rule_set *all = dust_online_rules(o);

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].state == RULE_CONFIRMED &&
		    str_find(all->v[i].text, STR("(&*=*)?")) != STR_NONE)
			return true;
	return false;
}

static void a_learnt_rule_is_tried_on_each_parameter_it_loses(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = by_three
	};
	char url[128];

	/* Too many names for a rule of each. */
	for (int page = 0; page < 60; page++) {
		snprintf(url, sizeof(url), "http://a.org/topic.php?f=1&t=%d", page);
		offer(&s, url);
		for (int w = 0; w < 3; w++) {
			snprintf(url, sizeof(url),
				 "http://a.org/topic.php?f=1&%c%c=%d&t=%d",
				 'a' + page % 26, 'k' + w, page * 31 + w * 7, page);
			offer(&s, url);
		}
	}
	CHECK(skips_any_parameter(s.o) && s.skipped > 0);
	s.skipped = 0;
	for (int w = 0; w < 8; w++) {
		snprintf(url, sizeof(url), "http://a.org/topic.php?f=1&start=%d&t=7",
			 8 + w * 8);
		offer(&s, url);
	}
	CHECK(s.skipped == 0 && !skips_any_parameter(s.o));
}

/* Only t and zk name a page. */
static uint64_t by_last_letters(struct str url)
{
	struct str query = str_skip(url, str_find_char(url, '?') + 1), part;
	uint64_t sum = 0;

	while (str_take_until(&query, '&', &part))
		if (str_starts(part, STR("zk=")) || str_starts(part, STR("t=")))
			sum += hash64(part);
	return sum;
}

/* The first parameter of a query has all letters of its name. */
static void a_parameter_is_known_by_its_whole_name(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = by_last_letters
	};
	char url[128];

	for (int page = 0; page < 60; page++) {
		snprintf(url, sizeof(url), "http://a.org/topic.php?t=%d", page);
		offer(&s, url);
		for (int w = 0; w < 3; w++) {
			snprintf(url, sizeof(url), "http://a.org/topic.php?%c%c=%d&t=%d",
				 'a' + page % 20, 'k' + w, page * 31 + w * 7, page);
			offer(&s, url);
		}
	}
	CHECK(s.skipped > 0);
	s.skipped = 0;
	for (int w = 0; w < 8; w++) {
		snprintf(url, sizeof(url), "http://a.org/topic.php?zk=%d&t=7", 8 + w * 8);
		offer(&s, url);
	}
	CHECK(s.skipped == 0);
}

static void on_probation_everything_is_fetched(void)
{
	struct online_options o = online_defaults;
	o.probes = 1000000;
	cleanup(simulated_release) struct simulated s = { .o = dust_online_new(&o),
							  .content = without_sid };

	crawl(&s, "a.org", 0, 50, 4);
	CHECK(s.fetched == 200 && s.probes > 100 && s.skipped == 0);
}

static void a_contradicted_rule_gives_back_what_it_skipped(void)
{
	struct online_options options = online_defaults;
	options.explore = 0.2;
	cleanup(simulated_release) struct simulated s = { .o = dust_online_new(&options),
							  .content = treacherous };
	struct online_return r;
	size_t back = 0;

	crawl(&s, "a.org", 0, 80, 5);
	size_t skipped = s.skipped;
	CHECK(skipped > 0);
	while (dust_online_next_return(s.o, &r)) {
		CHECK(r.rule == 0 && !r.unproved);
		for (size_t i = 0; i < r.n; i++) {
			char url[128];

			snprintf(url, sizeof(url), STR_FMT, STR_ARG(r.urls[i].url));
			offer(&s, url);
			back++;
		}
	}
	/* All of it, and none of it is skipped again. */
	CHECK(back == skipped && s.skipped == skipped);
	CHECK(only_rule(s.o)->state == RULE_RETRACTED);
	/* Nothing of the pages that matter is lost: 30 pages, 5 URLs each. */
	struct online_key k;
	for (int page = 50; page < 80; page++)
		for (int w = 0; w < 5; w++) {
			char url[128];

			snprintf(url, sizeof(url), "http://a.org/p%d?sid=%d", page,
				 page * 31 + w * 7 + 1);
			dust_online_key(s.o, str_from(url), &k);
			CHECK(str_eq(k.representative, str_from(url)));
		}
}

static void counter_evidence_keeps_a_rule_from_being_learnt(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = treacherous
	};

	crawl(&s, "a.org", 60, 70, 3); /* the number matters */
	crawl(&s, "a.org", 0, 30, 3);
	CHECK(s.skipped == 0 && s.fetched == 120);
}

static void many_sites_make_a_rule_universal_on_probation_again(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};
	char host[32];

	for (int i = 0; i < 5; i++) {
		snprintf(host, sizeof(host), "site%d.org", i);
		crawl(&s, host, 0, 12, 4);
	}
	size_t nr = dust_online_rules(s.o)->n - 1;
	const struct rule *general = &dust_online_rules(s.o)->v[nr];
	CHECK(general->universal && general->state == RULE_PROBATION);
	s.probes = s.skipped = 0;
	crawl(&s, "never-seen.net", 0, 1, 6);
	/* The second URL of the first page is a probe already. */
	CHECK(s.probes == 3 && s.skipped + s.explored >= 2);
	CHECK(dust_online_rules(s.o)->v[nr].state == RULE_CONFIRMED);
	/* Now it is believed at first sight. */
	s.probes = s.skipped = 0;
	crawl(&s, "later.net", 0, 1, 9);
	CHECK(s.probes == 0 && s.skipped >= 6);
}

static size_t offer_returned(struct simulated *s, const struct online_return *r)
{
	for (size_t i = 0; i < r->n; i++) {
		char url[128];

		snprintf(url, sizeof(url), STR_FMT, STR_ARG(r->urls[i].url));
		offer(s, url);
	}
	return r->n;
}

/* On probation, with its probes under way: trusted, but not for ever. */
/* The first rule that wants to be settled now. */
static bool settle(struct simulated *s, struct online_return *ret)
{
	size_t at = 0;

	bool any = dust_online_settle(s->o, &at, ret);
	dust_online_assert(s->o);
	return any;
}

/* Skips that the final sweep gives out, when nothing was answered. */
static size_t swept(struct dust_online *o)
{
	struct sweep_cursor at = { 0 };
	struct online_skip skip;
	struct str url;
	size_t n = 0;

	dust_online_sweep_start(o);
	while (dust_online_sweep_next(o, &at)) {
		while (dust_online_sweep_candidate(o, &at, &url))
			sweep_cursor_rate(&at, true);
		n += dust_online_sweep_take(o, &at, &skip);
	}
	return n;
}

static void what_is_skipped_on_trust_returns_when_nothing_proves_the_rule(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = with_shipped(online_defaults), .content = without_sid
	};
	struct online_return r;
	struct online_key k;
	size_t probes = 0, skipped = 0;

	dust_online_page(s.o, STR("http://a.org/p"), 1, NULL);
	for (int i = 0; i < 20; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		dust_online_key(s.o, str_from(url), &k);
		enum online_decision d =
			dust_online_decide(s.o, str_from(url), &k, false);
		probes += d == ONLINE_PROBE;
		skipped += d == ONLINE_SKIP;
	}
	CHECK(probes == 4 && skipped == 16);
	CHECK(!dust_online_next_return(s.o, &r));
	/* No answer came of any probe: a few are tried again, then the rule falls. */
	CHECK(settle(&s, &r) && r.n == 4 && r.unproved);
	CHECK(!settle(&s, &r));
	CHECK(swept(s.o) == 12);
}

static void skip_some(struct simulated *s, const char *host, int n)
{
	for (int i = 0; i < n; i++) {
		struct online_key k;
		char url[64];

		snprintf(url, sizeof(url), "http://%s/p?sid=%d", host, i);
		dust_online_key(s->o, str_from(url), &k);
		dust_online_decide(s->o, str_from(url), &k, i > 0);
	}
}

/* A round is as long as its slowest answer: no rule waits for another one's. */
static void all_rules_are_settled_in_one_round(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = with_shipped(online_defaults), .content = without_sid
	};
	struct online_return r;
	size_t rounds[2] = { 0 }, at;

	skip_some(&s, "a.org", 250);
	skip_some(&s, "b.org", 250);
	for (at = 0; dust_online_settle(s.o, &at, &r);)
		rounds[0] += r.n;
	CHECK(rounds[0] == 2 * 4);
	/* Nothing came: both are given up, and the final sweep returns what nobody has.
	 */
	for (at = 0; dust_online_settle(s.o, &at, &r);)
		rounds[1] += r.n;
	CHECK(rounds[1] == 0 && swept(s.o) == 2 * (250 - 1 - 4 - 4));
	CHECK(swept(s.o) == 0);
}

/* Nothing proves the rule yet, so it may have to give back what it skips. */
static void what_cannot_be_remembered_is_asked(void)
{
	struct online_options options = online_defaults;
	options.skips_max = 2;
	cleanup(simulated_release) struct simulated s = { .o = with_shipped(options),
							  .content = without_sid };
	struct online_key k;
	unsigned counts[ONLINE_SKIP + 1] = { 0 };

	dust_online_page(s.o, STR("http://a.org/p"), 1, NULL);
	for (int i = 0; i < 20; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		dust_online_key(s.o, str_from(url), &k);
		counts[dust_online_decide(s.o, str_from(url), &k, false)]++;
	}
	CHECK(counts[ONLINE_PROBE] == 4 && counts[ONLINE_SKIP] == 2);
	CHECK(counts[ONLINE_EXPLORE] == 14);
}

static void what_was_skipped_for_a_url_that_fails_returns(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};
	struct online_return r;
	struct online_key k;

	crawl(&s, "a.org", 0, 30, 5);
	s.skipped = 0;
	struct str first = STR("http://a.org/p900?sid=1");
	dust_online_key(s.o, first, &k);
	CHECK(dust_online_decide(s.o, first, &k, false) == ONLINE_NEW);
	dust_online_queued(s.o, first);
	/* One of these two is not explored. */
	offer(&s, "http://a.org/p900?sid=22");
	offer(&s, "http://a.org/p900");
	size_t skipped = s.skipped;
	CHECK(skipped > 0);
	if (s.explored > 0)
		return;
	dust_online_failed(s.o, first, ONLINE_ABSENT);
	CHECK(dust_online_next_return(s.o, &r) && r.rule == UINT32_MAX);
	CHECK(r.n == skipped && str_eq(r.failed, first));
	CHECK(offer_returned(&s, &r) == skipped);
	/* The first of them was fetched instead. */
	dust_online_key(s.o, first, &k);
	CHECK(k.representative.n > 0 && !str_eq(k.representative, first));
	dust_online_failed(s.o, first, ONLINE_ABSENT);
	CHECK(!dust_online_next_return(s.o, &r));
}

/* Another URL of the same page was skipped for one that then only sent there. */
static void what_was_skipped_for_a_redirect_returns(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};
	struct str first = STR("http://a.org/p900?sid=1"),
		   page = STR("http://a.org/p900");
	struct online_return r;
	struct online_key k;

	crawl(&s, "a.org", 0, 30, 5);
	dust_online_queued(s.o, first);
	s.skipped = s.explored = 0;
	offer(&s, "http://a.org/p900");
	CHECK(s.skipped + s.explored == 1);
	dust_online_moved(s.o, first, page);
	CHECK(dust_online_next_return(s.o, &r) == (s.skipped == 1));
	CHECK(r.n == 1 && str_eq(r.urls[0].url, page));
	/* The redirect stands for nothing, so the page is new. */
	dust_online_key(s.o, page, &k);
	CHECK(k.representative.n == 0);
	CHECK(dust_online_decide(s.o, page, &k, false) == ONLINE_NEW);
	dust_online_queued(s.o, page);
	dust_online_moved(s.o, STR("http://a.org/p900?sid=3"), page);
	CHECK(!dust_online_next_return(s.o, &r));
}

/* Which of several URLs is the page: the others only lead to it, one to another. */
static void redirects_are_followed_past_what_was_skipped(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};
	struct str urls[] = { STR("http://a.org/p900?sid=1"),
			      STR("http://a.org/p900?sid=2"),
			      STR("http://a.org/p900?sid=3") },
		   page = STR("http://a.org/p900"),
		   other = STR("http://a.org/p900?sid=4");
	struct online_return r;
	struct online_key k;

	crawl(&s, "a.org", 0, 30, 5);
	dust_online_queued(s.o, urls[0]);
	for (unsigned i = 1; i < COUNT(urls); i++) {
		dust_online_key(s.o, urls[i], &k);
		CHECK(dust_online_decide(s.o, urls[i], &k, false) == ONLINE_SKIP);
	}
	dust_online_key(s.o, page, &k);
	CHECK(dust_online_decide(s.o, page, &k, false) == ONLINE_SKIP);
	dust_online_key(s.o, other, &k);
	CHECK(dust_online_decide(s.o, other, &k, false) == ONLINE_SKIP);
	for (unsigned i = 0; i < COUNT(urls); i++) {
		struct str to = i + 1 < COUNT(urls) ? urls[i + 1] : page;

		dust_online_moved(s.o, urls[i], to);
		CHECK(dust_online_next_return(s.o, &r));
		/* Only that one: it stands for the others now. */
		CHECK(r.n == 1 && str_eq(r.urls[0].url, to));
		dust_online_queued(s.o, to);
	}
	dust_online_failed(s.o, page, ONLINE_PASSING);
	CHECK(dust_online_next_return(s.o, &r) && r.n == 1);
	CHECK(str_eq(r.urls[0].url, other));
}

/* "sid" names the page on one site, and nothing on the others. */
static uint64_t local(struct str url)
{
	return str_find(url, STR("liar.org")) != STR_NONE ? hash64(url)
							  : without_sid(url);
}

static void a_shipped_rule_is_tried_and_retracted_site_by_site(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = with_shipped(online_defaults), .content = local
	};
	struct online_return r;

	crawl(&s, "a.org", 0, 40, 4);
	CHECK(s.skipped > 90);
	crawl(&s, "liar.org", 0, 40, 4);
	while (dust_online_next_return(s.o, &r))
		offer_returned(&s, &r);
	/* All 160 of the site were fetched, in the end. */
	for (int page = 0; page < 40; page++)
		for (int w = 0; w < 4; w++) {
			struct online_key k;
			char url[128];

			snprintf(url, sizeof(url), "http://liar.org/p%d?sid=%d", page,
				 page * 31 + w * 7 + 1);
			dust_online_key(s.o, str_from(url), &k);
			CHECK(str_eq(k.representative, str_from(url)));
		}
	s.skipped = 0;
	crawl(&s, "b.org", 0, 40, 4);
	CHECK(s.skipped > 90);
}

/* It takes two rules to skip it; after a restart either may fall. */
static void what_two_rules_skipped_returns_with_either(void)
{
	for (int which = 0; which < 2; which++) {
		cleanup(simulated_release) struct simulated s = {
			.o = with_shipped(online_defaults), .content = hash64
		};
		cleanup(buf_release) struct buf names = { 0 };
		struct online_key k;
		struct online_skip skip = { STR("https://www.a.org/p?a=1&sid=3"),
					    STR("http://a.org/"), 1 };
		struct online_return r;

		dust_online_restore_skip(s.o, &skip, STR("http://www.a.org/p?a=1"),
					 STR("scheme, drop sid"));
		dust_online_restored(s.o);
		CHECK(!dust_online_next_return(s.o, &r));
		dust_online_key(s.o, skip.url, &k);
		dust_online_put_rules(s.o, &k, &names);
		CHECK(str_eq(buf_str(&names), STR("drop sid, scheme, www")));
		fetch(&s, STR("http://www.a.org/q?a=1"));
		fetch(&s, which ? STR("http://www.a.org/q?a=1&sid=3")
				: STR("https://www.a.org/q?a=1"));
		CHECK(dust_online_next_return(s.o, &r) && r.n == 1);
		CHECK(str_eq(r.urls[0].url, skip.url));
	}
}

/* The same pages under m. and mobile., but on one site another magazine. */
static uint64_t without_host(struct str url)
{
	return str_find(url, STR("liar.org")) != STR_NONE
		       ? hash64(url)
		       : hash64(str_skip(url, str_find(url, STR("/p"))));
}

static void offer_hosts(struct simulated *s, const char *site, const char *mobile)
{
	for (int page = 0; page < 30; page++) {
		char url[64];

		snprintf(url, sizeof(url), "http://%s/p%d", site, page);
		offer(s, url);
		snprintf(url, sizeof(url), "http://%s%s/p%d", mobile, site, page);
		offer(s, url);
	}
}

static void a_host_for_telephones_is_tried_site_by_site(void)
{
	struct online_options options = online_defaults;
	options.explore = 0;
	cleanup(simulated_release) struct simulated s = { .o = with_shipped(options),
							  .content = without_host };
	struct online_return r;

	offer_hosts(&s, "a.org", "m.");
	CHECK(s.probes == 3 && s.skipped == 27);
	offer_hosts(&s, "b.org", "mobile.");
	CHECK(s.probes == 6 && s.skipped == 54);
	s.fetched = s.skipped = 0;
	offer_hosts(&s, "liar.org", "m.");
	while (dust_online_next_return(s.o, &r))
		offer_returned(&s, &r);
	CHECK(s.fetched == 60);
	/* A domain of one letter is nobody's telephone. */
	struct online_key k;
	dust_online_key(s.o, STR("http://m.org/p"), &k);
	CHECK(k.n_rules == 0 && str_eq(k.key, STR("http://m.org/p")));
}

static void likeness_is_the_share_of_common_text(void)
{
	struct likeness a = { 0 }, b = { 0 }, none = { 0 };

	for (uint64_t i = 1; i <= 40; i++) {
		likeness_add(&a, i << 32 | i, 100 + i);
		likeness_add(&b, i << 32 | i, 100 + i);
	}
	CHECK(a.n == LIKENESS_MARKS && a.length[0] == 140 && a.length[15] == 125);
	CHECK(likeness_of(&a, &b) == 1 && likeness_of(&a, &none) == -1);
	likeness_add(&b, 99, 70000);
	CHECK(likeness_of(&a, &b) < 0.1 && likeness_of(&b, &b) == 1);
	/* Four fifths of the shorter one in the longer are a part; less is not. */
	struct likeness whole = { 0 }, part = { 0 };
	for (uint64_t i = 1; i <= 10; i++)
		likeness_add(&whole, i, 100);
	for (uint64_t i = 7; i <= 11; i++)
		likeness_add(&part, i, 100);
	CHECK(likeness_is_part(&whole, &part) && likeness_of(&whole, &part) == 0.4);
	likeness_add(&part, 99, 1);
	CHECK(!likeness_is_part(&whole, &part) && !likeness_is_part(&part, &whole));
	/* The same main content, and nine tenths of the rest, are one page. */
	struct likeness tenth = { .main = 5 }, again = { .main = 5 };
	for (uint64_t i = 1; i <= 10; i++) {
		likeness_add(&tenth, i, 100);
		likeness_add(&again, i + (i == 10), 100);
	}
	CHECK(likeness_is_same(&tenth, &again) && likeness_of(&tenth, &again) == 0.9);
	again.main = 6;
	CHECK(!likeness_is_same(&tenth, &again));
	again.main = tenth.main = 0;
	CHECK(!likeness_is_same(&tenth, &again));
	again.main = tenth.main = 5;
	likeness_add(&again, 77, 1);
	CHECK(!likeness_is_same(&tenth, &again));
	struct likeness other = { 0 };
	for (uint64_t i = 101; i <= 140; i++)
		likeness_add(&other, i << 32 | i << 1, 100 + i);
	CHECK(other.n == LIKENESS_MARKS && likeness_of(&a, &other) == 0);
}

static void a_claim_is_evidence_but_no_proof(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};

	for (int i = 0; i < 4; i++) {
		char a[64], b[64];

		snprintf(a, sizeof(a), "http://a.org/Page%d", i);
		snprintf(b, sizeof(b), "http://a.org/page%d", i);
		dust_online_page(s.o, str_from(b), (uint64_t)i + 1, NULL);
		dust_online_same(s.o, str_from(a), str_from(b));
	}
	while (dust_online_step(s.o))
		;
	const struct rule *r = only_rule(s.o);
	CHECK(r && str_eq(r->text, STR("lower")));
	CHECK(r->state == RULE_PROBATION && r->evidence.probes == 0);
}

/* Three redirects from `from`%d to `to`%d; the state of the rule of that text then. */
static int state_after_redirects(const char *from, const char *to, struct str rule)
{
	cleanup(simulated_release) struct simulated s = {
		.o = with_shipped(online_defaults), .content = without_sid
	};
	struct online_key k;
	int state = -1;

	for (int i = 0; i < 3; i++) {
		char a[64], b[64];

		snprintf(a, sizeof(a), "%s%d", from, i);
		snprintf(b, sizeof(b), "%s%d", to, i);
		dust_online_key(s.o, str_from(a), &k);
		dust_online_queued(s.o, str_from(a));
		dust_online_moved(s.o, str_from(a), str_from(b));
	}
	const struct rule_set *all = dust_online_rules(s.o);
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].text, rule) && all->v[i].n_sites > 0)
			state = (int)all->v[i].state;
	return state;
}

static void a_redirect_proves_how_a_url_is_spelt(void)
{
	CHECK(state_after_redirects("http://a.org/P", "http://a.org/p", STR("lower")) ==
	      RULE_CONFIRMED);
	CHECK(state_after_redirects("http://a.org/p", "https://a.org/p", STR("scheme")) ==
	      RULE_CONFIRMED);
	CHECK(state_after_redirects("http://www.a.org/P", "http://a.org/p",
				    STR("lower")) == RULE_CONFIRMED);
	CHECK(state_after_redirects("http://www.a.org/P", "http://a.org/p", STR("www")) ==
	      RULE_CONFIRMED);
	/* But not that a parameter says nothing, even where it does both. */
	CHECK(state_after_redirects("http://a.org/P?sid=7&p=", "http://a.org/p?p=",
				    STR("lower")) == RULE_CONFIRMED);
	CHECK(state_after_redirects("http://a.org/P?sid=7&p=", "http://a.org/p?p=",
				    STR("drop sid")) == RULE_PROBATION);
	CHECK(state_after_redirects("http://a.org/p?sid=", "http://a.org/p?sid=9",
				    STR("drop sid")) == RULE_PROBATION);
}

static void rules_survive_and_obey_people(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	struct diag why = { 0 };
	struct online_key k;

	CHECK(mkdtemp(dir));
	{
		cleanup(simulated_release) struct simulated s = {
			.o = dust_online_new(&online_defaults), .content = without_sid
		};

		crawl(&s, "a.org", 0, 30, 5);
		CHECK(dust_online_save(s.o, dir, &why) == ST_OK);
	}
	cleanup(simulated_release) struct simulated t = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};
	CHECK(dust_online_load(t.o, dir, &why) == ST_OK);
	CHECK(only_rule(t.o)->state == RULE_CONFIRMED);
	dust_online_key(t.o, STR("http://a.org/x?sid=1"), &k);
	CHECK(str_eq(k.key, STR("http://a.org/x")));
	/* The key was seen before the restart: still a skip. */
	CHECK(dust_online_decide(t.o, STR("http://a.org/x?sid=1"), &k, true) !=
	      ONLINE_SEEN);

	/* A person disables it in the file. */
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	const char *path = path_join(&a, dir, STR("learned.rules"));
	CHECK(file_load(path, 1 << 20, &text, &why) == ST_OK);
	char *state = strstr(text.p, "confirmed");
	CHECK(state);
	memcpy(state, "disabled ", 9);
	CHECK(file_save(path, buf_str(&text), &why) == ST_OK);
	CHECK(dust_online_reload(t.o, dir, &why) == ST_OK);
	dust_online_key(t.o, STR("http://a.org/x?sid=1"), &k);
	CHECK(k.n_rules == 0);

	/* And adds one of their own, in another file. */
	const char *own = path_join(&a, dir, STR("mine.rules"));
	CHECK(file_save(own,
			STR("rule x\n  operation drop ref\n  sites *\n"
			    "rule y\n  operation drop tab\n  sites *\n"),
			&why) == ST_OK);
	CHECK(dust_online_reload(t.o, dir, &why) == ST_OK);
	dust_online_key(t.o, STR("http://b.org/x?ref=1&tab=2"), &k);
	CHECK(str_eq(k.key, STR("http://b.org/x")) && k.n_rules == 2);
	CHECK(file_save(own, STR("rule x\n  operation dorp ref\n  sites *\n"), &why) ==
	      ST_OK);
	CHECK(dust_online_reload(t.o, dir, &why) == ST_SYNTAX);
	CHECK(strstr(why.text, "line 2, column 13"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* Not only where nobody has tried it yet. */
static void a_rule_that_a_person_switches_off_is_off_at_every_site(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	cleanup(simulated_release) struct simulated s = {
		.o = with_shipped(online_defaults), .content = without_sid
	};
	cleanup(arena_release) struct arena a = { 0 };
	struct diag why = { 0 };
	struct online_key k;

	CHECK(mkdtemp(dir));
	crawl(&s, "a.org", 0, 10, 4);
	dust_online_key(s.o, STR("http://a.org/x?sid=1"), &k);
	CHECK(k.n_rules == 1 && s.skipped > 0);
	CHECK(dust_online_save(s.o, dir, &why) == ST_OK);
	CHECK(file_save(
		      path_join(&a, dir, STR("mine.rules")),
		      STR("rule x\n  operation drop sid\n  sites *\n  state disabled\n"),
		      &why) == ST_OK);
	CHECK(dust_online_reload(s.o, dir, &why) == ST_OK);
	/* Our own file still has it as it was, but nobody has touched that. */
	CHECK(dust_online_reload(s.o, dir, &why) == ST_OK);
	dust_online_assert(s.o);
	dust_online_key(s.o, STR("http://a.org/x?sid=1"), &k);
	CHECK(k.n_rules == 0);
	dust_online_key(s.o, STR("http://b.org/x?sid=1"), &k);
	CHECK(k.n_rules == 0);
	/* And what it skipped comes back. */
	struct online_return r;
	size_t back = 0;
	while (dust_online_next_return(s.o, &r))
		back += offer_returned(&s, &r);
	CHECK(back == s.skipped);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* Saving reads what a person has changed; that holds at once. */
static void a_rule_that_is_switched_off_in_our_file_is_off_when_it_is_saved(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_defaults), .content = without_sid
	};
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why = { 0 };
	struct online_key k;

	CHECK(mkdtemp(dir));
	const char *path = path_join(&a, dir, STR("learned.rules"));
	crawl(&s, "a.org", 0, 30, 5);
	CHECK(dust_online_save(s.o, dir, &why) == ST_OK);
	CHECK(file_load(path, 1 << 20, &text, &why) == ST_OK);
	char *state = strstr(text.p, "confirmed");
	CHECK(state);
	memcpy(state, "disabled ", 9);
	CHECK(file_save(path, buf_str(&text), &why) == ST_OK);
	CHECK(dust_online_save(s.o, dir, &why) == ST_OK);
	dust_online_assert(s.o);
	dust_online_key(s.o, STR("http://a.org/x?sid=1"), &k);
	CHECK(k.n_rules == 0);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void memory_is_bounded(void)
{
	struct online_options o = online_defaults;
	o.site_pages = 64;
	o.pages_max = 256;
	cleanup(simulated_release) struct simulated s = { .o = dust_online_new(&o),
							  .content = without_sid };
	char host[32];

	for (int i = 0; i < 40; i++) {
		snprintf(host, sizeof(host), "s%d.net", i);
		crawl(&s, host, 0, 100, 2);
	}
	/* It still learns and spares, though it forgets pages. */
	CHECK(s.skipped > 1000);
}

int main(void)
{
	RUN(a_rule_is_learnt_proved_and_spares_fetches);
	RUN(a_learnt_rule_is_tried_on_each_kind_of_page);
	RUN(a_learnt_rule_is_tried_on_each_parameter_it_loses);
	RUN(a_parameter_is_known_by_its_whole_name);
	RUN(on_probation_everything_is_fetched);
	RUN(a_contradicted_rule_gives_back_what_it_skipped);
	RUN(counter_evidence_keeps_a_rule_from_being_learnt);
	RUN(many_sites_make_a_rule_universal_on_probation_again);
	RUN(what_is_skipped_on_trust_returns_when_nothing_proves_the_rule);
	RUN(all_rules_are_settled_in_one_round);
	RUN(what_cannot_be_remembered_is_asked);
	RUN(what_was_skipped_for_a_url_that_fails_returns);
	RUN(what_was_skipped_for_a_redirect_returns);
	RUN(redirects_are_followed_past_what_was_skipped);
	RUN(a_shipped_rule_is_tried_and_retracted_site_by_site);
	RUN(what_two_rules_skipped_returns_with_either);
	RUN(a_host_for_telephones_is_tried_site_by_site);
	RUN(likeness_is_the_share_of_common_text);
	RUN(a_claim_is_evidence_but_no_proof);
	RUN(a_redirect_proves_how_a_url_is_spelt);
	RUN(rules_survive_and_obey_people);
	RUN(a_rule_that_a_person_switches_off_is_off_at_every_site);
	RUN(a_rule_that_is_switched_off_in_our_file_is_off_when_it_is_saved);
	RUN(memory_is_bounded);
	DONE();
}
