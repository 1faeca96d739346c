#include "base/rng.h"
#include "dust/online.h"
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
	dust_online_page(s->o, url, s->content(url));
	while (dust_online_step(s->o))
		;
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
		.o = dust_online_new(&online_standard), .content = without_sid
	};

	crawl(&s, "a.org", 0, 200, 5);
	const struct rule *r = only_rule(s.o);
	CHECK(r && str_eq(r->text, STR("drop sid")) && r->state == RULE_CONFIRMED);
	/* 1000 URLs, 200 pages: nearly all of the 800 are spared. */
	CHECK(s.skipped > 700 && s.fetched < 300);
	CHECK(s.explored > 5 && s.explored < 60);
	CHECK(r->evidence.skipped == s.skipped && r->evidence.contradictions == 0);
}

static void on_probation_everything_is_fetched(void)
{
	struct online_options o = online_standard;
	o.probes = 1000000;
	cleanup(simulated_release) struct simulated s = { .o = dust_online_new(&o),
							  .content = without_sid };

	crawl(&s, "a.org", 0, 50, 4);
	CHECK(s.fetched == 200 && s.probes > 100 && s.skipped == 0);
}

static void a_contradicted_rule_gives_back_what_it_skipped(void)
{
	struct online_options options = online_standard;
	options.explore = 0.2;
	cleanup(simulated_release) struct simulated s = { .o = dust_online_new(&options),
							  .content = treacherous };
	struct online_retraction r;
	size_t back = 0;

	crawl(&s, "a.org", 0, 80, 5);
	CHECK(s.skipped > 0);
	while (dust_online_next_retraction(s.o, &r)) {
		CHECK(r.complete);
		for (size_t i = 0; i < r.n; i++) {
			char url[128];

			snprintf(url, sizeof(url), STR_FMT, STR_ARG(r.urls[i]));
			offer(&s, url);
			back++;
		}
	}
	CHECK(back == s.skipped - (s.skipped - back) && back > 0);
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
		.o = dust_online_new(&online_standard), .content = treacherous
	};

	crawl(&s, "a.org", 60, 70, 3); /* the number matters */
	crawl(&s, "a.org", 0, 30, 3);
	CHECK(s.skipped == 0 && s.fetched == 120);
}

static void many_sites_make_a_rule_universal_on_probation_again(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_standard), .content = without_sid
	};
	char host[32];

	for (int i = 0; i < 5; i++) {
		snprintf(host, sizeof(host), "site%d.org", i);
		crawl(&s, host, 0, 12, 4);
	}
	const struct rule_set *all = dust_online_rules(s.o);
	const struct rule *general = &all->v[all->n - 1];
	CHECK(general->universal && general->state == RULE_PROBATION);
	s.probes = s.skipped = 0;
	crawl(&s, "never-seen.net", 0, 1, 6);
	/* The second URL of the first page is a probe already. */
	CHECK(s.probes == 3 && s.skipped == 2);
	CHECK(dust_online_rules(s.o)->v[all->n - 1].state == RULE_CONFIRMED);
}

static void a_redirect_is_evidence_but_no_proof(void)
{
	cleanup(simulated_release) struct simulated s = {
		.o = dust_online_new(&online_standard), .content = without_sid
	};

	for (int i = 0; i < 4; i++) {
		char a[64], b[64];

		snprintf(a, sizeof(a), "http://a.org/Page%d", i);
		snprintf(b, sizeof(b), "http://a.org/page%d", i);
		dust_online_page(s.o, str_from(b), (uint64_t)i + 1);
		dust_online_same(s.o, str_from(a), str_from(b));
	}
	while (dust_online_step(s.o))
		;
	const struct rule *r = only_rule(s.o);
	CHECK(r && str_eq(r->text, STR("lower")));
	CHECK(r->state == RULE_PROBATION && r->evidence.probes == 0);
}

static void rules_survive_and_obey_people(void)
{
	char dir[] = "/tmp/thresh-online.XXXXXX";
	struct diag why = { 0 };
	struct online_key k;

	CHECK(mkdtemp(dir));
	{
		cleanup(simulated_release) struct simulated s = {
			.o = dust_online_new(&online_standard), .content = without_sid
		};

		crawl(&s, "a.org", 0, 30, 5);
		CHECK(dust_online_save(s.o, dir, &why) == ST_OK);
	}
	cleanup(simulated_release) struct simulated t = {
		.o = dust_online_new(&online_standard), .content = without_sid
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
	CHECK(file_save(own, STR("rule x\n  operation drop ref\n  sites *\n"), &why) ==
	      ST_OK);
	CHECK(dust_online_reload(t.o, dir, &why) == ST_OK);
	dust_online_key(t.o, STR("http://b.org/x?ref=1"), &k);
	CHECK(str_eq(k.key, STR("http://b.org/x")));
	CHECK(file_save(own, STR("rule x\n  operation dorp ref\n  sites *\n"), &why) ==
	      ST_OK);
	CHECK(dust_online_reload(t.o, dir, &why) == ST_SYNTAX);
	CHECK(strstr(why.text, "line 2, column 13"));
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void memory_is_bounded(void)
{
	struct online_options o = online_standard;
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
	RUN(on_probation_everything_is_fetched);
	RUN(a_contradicted_rule_gives_back_what_it_skipped);
	RUN(counter_evidence_keeps_a_rule_from_being_learnt);
	RUN(many_sites_make_a_rule_universal_on_probation_again);
	RUN(a_redirect_is_evidence_but_no_proof);
	RUN(rules_survive_and_obey_people);
	RUN(memory_is_bounded);
	DONE();
}
