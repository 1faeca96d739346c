/* Keys, the rules of one site and of all sites, and what of them is written. */
#include "online/online.h"

#include "base/hash.h"
#include "dust/token.h"
#include "os/file.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder with a file of rules in it, and a learner that has read it. */
struct fixture {
	char dir[40];
	struct dust_online *o;
};

static void fixture_release(struct fixture *f)
{
	dust_online_release(&f->o);
	if (f->dir[0])
		(void)!dir_remove(f->dir, NULL);
}

static void save_file(const struct fixture *f, const char *name, const char *text)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (file_save(path_join(&a, f->dir, str_from(name)), str_from(text), NULL) !=
	    ST_OK)
		abort();
}

static bool file_has(const struct fixture *f, const char *text)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf file = { 0 };

	if (file_load(path_join(&a, f->dir, STR("learned.rules")), 1 << 20, &file,
		      NULL) != ST_OK)
		return false;
	return str_find(buf_str(&file), str_from(text)) != STR_NONE;
}

/* `rules` is the file `name`; NULL for none. */
static void fixture_init(struct fixture *f, const struct online_options *options,
			 const char *name, const char *rules)
{
	struct diag why = { 0 };

	snprintf(f->dir, sizeof(f->dir), "/tmp/thresh-online.XXXXXX");
	if (!mkdtemp(f->dir))
		abort();
	if (rules)
		save_file(f, name, rules);
	f->o = dust_online_new(options);
	if (dust_online_load(f->o, f->dir, &why) != ST_OK)
		abort();
}

static struct online_options shipped_options(void)
{
	struct online_options options = online_defaults;

	options.shipped = true;
	options.explore = 0;
	return options;
}

static void see(struct dust_online *o, const char *url, uint64_t content)
{
	dust_online_answered(o, str_from(url));
	dust_online_page(o, str_from(url), content, NULL);
	while (dust_online_step(o))
		;
	dust_online_assert(o);
}

static enum online_decision decide(struct dust_online *o, const char *url)
{
	struct online_key k;

	dust_online_key(o, str_from(url), &k);
	enum online_decision d = dust_online_decide(o, str_from(url), &k, false);
	dust_online_assert(o);
	return d;
}

static bool has_rules(struct dust_online *o, const char *url, const char *names)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct online_key k;

	dust_online_key(o, str_from(url), &k);
	dust_online_put_rules(o, &k, &b);
	return str_eq(buf_str(&b), str_from(names));
}

/* The state of the rule of this text: of the site, or of all sites. */
static enum rule_state state_at(const struct dust_online *o, const char *text,
				const char *site)
{
	const struct rule_set *all = dust_online_rules(o);

	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].text, str_from(text)) &&
		    (site ? all->v[i].n_sites > 0 &&
				     str_eq(all->v[i].sites[0], str_from(site))
			  : all->v[i].universal))
			return all->v[i].state;
	return RULE_STATES;
}

/* --- keys --- */

static void a_key_names_the_rules_without_which_two_urls_would_differ(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };

	fixture_init(&f, &options, NULL, NULL);
	see(f.o, "http://www.a.org/p?sid=1", 1);
	/* It is the representative that the rule changes; `www` changes both. */
	CHECK(has_rules(f.o, "http://www.a.org/p", "drop sid"));
	CHECK(has_rules(f.o, "http://www.a.org/p?sid=2", "drop sid"));
	CHECK(has_rules(f.o, "http://a.org/p?sid=2", "drop sid, www"));
	CHECK(has_rules(f.o, "http://a.org/p?sid=1", "www"));
	CHECK(has_rules(f.o, "http://a.org/q", ""));
}

static void a_key_names_eight_rules_at_most(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	cleanup(buf_release) struct buf rules = { 0 };
	struct online_key k;

	for (int i = 1; i <= 9; i++)
		buf_addf(&rules, "rule x\n  operation drop p%d\n  sites *\n", i);
	buf_add(&rules, STR("rule y\n  context ^*://*.*/x/*$\n"
			    "  transformation $1://$2.$3/$4\n  sites *\n"));
	fixture_init(&f, &online_defaults, "mine.rules", buf_cstr(&rules));
	dust_online_key(f.o, STR("http://a.org/x/y?p1=1&p2=2&p3=3"), &k);
	CHECK(str_eq(k.key, STR("http://a.org/y")) && k.n_rules == 4);
	dust_online_key(f.o,
			STR("http://a.org/x/"
			    "y?p1=1&p2=2&p3=3&p4=4&p5=5&p6=6&p7=7&p8=8&p9=9"),
			&k);
	CHECK(str_eq(k.key, STR("http://a.org/y")) && k.n_rules == ONLINE_RULES_MAX);
	/* Those of the representative are counted with them. */
	see(f.o, "http://a.org/z?p8=1", 1);
	dust_online_key(f.o, STR("http://a.org/z?p1=1&p2=2&p3=3&p4=4&p5=5&p6=6&p7=7"),
			&k);
	CHECK(str_eq(k.representative, STR("http://a.org/z?p8=1")) && k.n_rules == 8);
	dust_online_key(
		f.o, STR("http://a.org/z?p1=1&p2=2&p3=3&p4=4&p5=5&p6=6&p7=7&p9=9"), &k);
	CHECK(k.representative.n > 0 && k.n_rules == 8);
}

static void what_an_earlier_process_fetched_stands_for_its_key(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };
	cleanup(buf_release) struct buf url = { 0 };
	struct online_key k;

	fixture_init(&f, &options, NULL, NULL);
	dust_online_restore_page(f.o, STR("http://a.org/p"), 7);
	dust_online_queued(f.o, STR("http://a.org/q"));
	dust_online_key(f.o, STR("http://a.org/p?sid=1"), &k);
	CHECK(str_eq(k.representative, STR("http://a.org/p")));
	dust_online_key(f.o, STR("http://a.org/q?sid=1"), &k);
	CHECK(str_eq(k.representative, STR("http://a.org/q")));
	/* What is longer than rules can read is not remembered. */
	buf_add(&url, STR("http://a.org/"));
	for (size_t i = 0; i < TOKENS_BYTES_MAX; i++)
		buf_add_char(&url, 'a');
	dust_online_restore_page(f.o, buf_str(&url), 8);
	dust_online_queued(f.o, buf_str(&url));
	dust_online_page(f.o, buf_str(&url), 8, NULL);
	dust_online_key(f.o, buf_str(&url), &k);
	CHECK(k.representative.n == 0);
	/* What is just not is. */
	dust_online_queued(f.o, str_slice(buf_str(&url), 0, TOKENS_BYTES_MAX));
	dust_online_key(f.o, str_slice(buf_str(&url), 0, TOKENS_BYTES_MAX), &k);
	CHECK(k.representative.n == TOKENS_BYTES_MAX);
	dust_online_assert(f.o);
}

static void what_will_not_be_fetched_stands_for_no_other(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };
	struct online_key k;

	fixture_init(&f, &options, NULL, NULL);
	dust_online_queued(f.o, STR("http://a.org/p"));
	dust_online_unqueued(f.o, STR("http://a.org/p"));
	dust_online_key(f.o, STR("http://a.org/p?sid=1"), &k);
	CHECK(k.representative.n == 0);
	/* A page that came stays. */
	see(f.o, "http://a.org/q", 1);
	dust_online_unqueued(f.o, STR("http://a.org/q"));
	dust_online_key(f.o, STR("http://a.org/q?sid=1"), &k);
	CHECK(k.representative.n > 0);
}

static void the_defaults_are_those_of_the_header(void)
{
	const struct online_options *d = &online_defaults;

	CHECK(d->fpr_max == 0 && d->explore == 0.03 && d->probes == 3);
	CHECK(d->min_freq == 2 && d->min_support == 2 && d->universal_sites == 5);
	CHECK(d->site_pages == 2048 && d->pages_max == 1048576);
	CHECK(d->skips_max == 8388608 && !d->shipped && d->seed == 1);
}

/* --- what holds everywhere --- */

/* Pages `from` to `to` of a site, each under two URLs; both are one page, or not. */
static void see_site(struct dust_online *o, const char *host, int from, int to, bool same)
{
	for (int i = from; i < to; i++) {
		char url[80];

		snprintf(url, sizeof(url), "http://%s/p%d", host, i);
		see(o, url, hash64(str_from(url)));
		snprintf(url, sizeof(url), "http://%s/p%d?ref=%d", host, i, i + 1);
		uint64_t content = hash64(
			str_slice(str_from(url), 0, str_find_char(str_from(url), '?')));
		see(o, url, same ? content : hash64(str_from(url)));
	}
}

/* `drop ref`, proved by three sites of which two made it universal. */
static void prove_everywhere(struct fixture *f)
{
	struct online_options options = online_defaults;

	options.universal_sites = 2;
	options.explore = 0;
	fixture_init(f, &options, NULL, NULL);
	see_site(f->o, "one.org", 0, 8, true);
	CHECK(state_at(f->o, "drop ref", NULL) == RULE_STATES);
	see_site(f->o, "two.org", 0, 8, true);
	CHECK(state_at(f->o, "drop ref", NULL) == RULE_PROBATION);
	see_site(f->o, "three.org", 0, 4, true);
	CHECK(state_at(f->o, "drop ref", NULL) == RULE_CONFIRMED);
}

static void a_rule_proved_by_many_sites_needs_no_trial_until_one_is_against_it(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };

	prove_everywhere(&f);
	see(f.o, "http://four.org/p", 1);
	CHECK(decide(f.o, "http://four.org/p?ref=1") == ONLINE_SKIP);
	CHECK(state_at(f.o, "drop ref", "four.org") == RULE_VALID);
	see_site(f.o, "liar.org", 0, 1, false);
	CHECK(state_at(f.o, "drop ref", "liar.org") == RULE_RETRACTED);
	CHECK(has_rules(f.o, "http://liar.org/p?ref=1", ""));
	/* Where it was only trusted, and where it is new, it has to be proved. */
	CHECK(state_at(f.o, "drop ref", NULL) == RULE_PROBATION);
	CHECK(state_at(f.o, "drop ref", "four.org") == RULE_PROBATION);
	CHECK(decide(f.o, "http://four.org/p?ref=2") == ONLINE_PROBE);
	see(f.o, "http://five.org/p", 1);
	CHECK(decide(f.o, "http://five.org/p?ref=2") == ONLINE_PROBE);
	/* Where it was proved it still is. */
	CHECK(state_at(f.o, "drop ref", "one.org") == RULE_CONFIRMED);
}

static void a_rule_that_more_sites_retract_than_prove_is_retracted_everywhere(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };

	prove_everywhere(&f);
	for (int i = 0; i < 4; i++) {
		char host[16];

		CHECK(state_at(f.o, "drop ref", NULL) ==
		      (i ? RULE_PROBATION : RULE_CONFIRMED));
		snprintf(host, sizeof(host), "liar%d.org", i);
		see_site(f.o, host, 0, 1, false);
	}
	CHECK(state_at(f.o, "drop ref", NULL) == RULE_RETRACTED);
	CHECK(has_rules(f.o, "http://new.org/p?ref=1", ""));
	/* But not where it was proved. */
	CHECK(has_rules(f.o, "http://one.org/p?ref=1", "drop ref"));
}

static void a_trusted_rule_is_proved_by_what_is_fetched_all_the_same(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };

	prove_everywhere(&f);
	see_site(f.o, "four.org", 0, 2, true);
	CHECK(state_at(f.o, "drop ref", "four.org") == RULE_VALID);
	see_site(f.o, "four.org", 2, 3, true);
	CHECK(state_at(f.o, "drop ref", "four.org") == RULE_CONFIRMED);
}

/* --- what is written --- */

static void a_site_rule_is_written_whatever_is_known_of_it(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };
	struct diag why = { 0 };

	fixture_init(&f, &options, "learned.rules",
		     "rule x\n  operation drop mine\n  sites a.org\n  state probation\n");
	see_site(f.o, "a.org", 0, 8, true);
	CHECK(dust_online_save(f.o, f.dir, &why) == ST_OK);
	CHECK(file_has(&f, "drop mine") && file_has(&f, "drop ref"));
	/* What ships and was never tried is not. */
	CHECK(!file_has(&f, "drop utm_source") && !file_has(&f, "operation       www"));
}

static void a_rule_that_one_site_made_universal_is_written(void)
{
	struct online_options options = online_defaults;
	cleanup(fixture_release) struct fixture f = { 0 };
	struct diag why = { 0 };

	options.universal_sites = 1;
	fixture_init(&f, &options, NULL, NULL);
	see_site(f.o, "a.org", 0, 8, true);
	CHECK(state_at(f.o, "drop ref", NULL) == RULE_PROBATION);
	CHECK(dust_online_save(f.o, f.dir, &why) == ST_OK);
	CHECK(file_has(&f, "sites           *"));
	/* And read as what it was. */
	cleanup(dust_online_release) struct dust_online *later =
		dust_online_new(&options);
	CHECK(dust_online_load(later, f.dir, &why) == ST_OK);
	dust_online_assert(later);
	CHECK(state_at(later, "drop ref", NULL) == RULE_PROBATION);
	CHECK(state_at(later, "drop ref", "a.org") == RULE_CONFIRMED);
}

static void an_instance_is_written_only_while_it_decides_anything(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	struct diag why = { 0 };

	prove_everywhere(&f);
	see_site(f.o, "liar.org", 0, 1, false);
	see(f.o, "http://four.org/p", 1);
	CHECK(decide(f.o, "http://four.org/p?ref=1") == ONLINE_PROBE);
	CHECK(dust_online_save(f.o, f.dir, &why) == ST_OK);
	CHECK(file_has(&f, "liar.org") && file_has(&f, "one.org"));
	CHECK(!file_has(&f, "four.org")); /* nothing is known there */
}

/* --- the first of each kind --- */

/* `drop ref` proved on one program of a site. */
static void prove_on(struct dust_online *o, const char *program)
{
	for (int i = 0; i < 12; i++) {
		char url[96];

		snprintf(url, sizeof(url), "http://a.org/%s?t=%d", program, i);
		see(o, url, (uint64_t)i + 1);
		snprintf(url, sizeof(url), "http://a.org/%s?t=%d&ref=%d", program, i,
			 i + 7);
		see(o, url, (uint64_t)i + 1);
	}
}

static void what_kind_a_page_is_its_path_tells(void)
{
	static const struct {
		const char *proved, *page;
		enum online_decision then;
	} cases[] = {
		{ "topic.php", "topic.php", ONLINE_SKIP },
		{ "topic.php", "forum.php", ONLINE_PROBE },
		{ "d/topic.php", "d/bopic.php", ONLINE_PROBE },
		{ "d/topic.php", "e/topic.php", ONLINE_PROBE },
		{ "a/b/c/topic.php", "a/b/d/topic.php", ONLINE_PROBE },
		/* Only three folders count by name, and those with a number not at all.
		 */
		{ "a/b/c/d/topic.php", "a/b/c/e/topic.php", ONLINE_SKIP },
		{ "v1/topic.php", "v2/topic.php", ONLINE_SKIP },
		{ "1v/topic.php", "2v/topic.php", ONLINE_SKIP },
		{ "a/topic.php", "a/b/topic.php", ONLINE_PROBE },
		{ "topic7.php", "topic8.php", ONLINE_SKIP },
		{ "topic7.php", "topic8.html", ONLINE_PROBE },
		/* An extension has five letters at most. */
		{ "topic7.abcde", "topic8.vwxyz", ONLINE_PROBE },
		{ "topic7.abcdef", "topic8.uvwxyz", ONLINE_SKIP },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct online_options options = online_defaults;
		cleanup(fixture_release) struct fixture f = { 0 };
		char url[96];

		options.explore = 0;
		fixture_init(&f, &options, NULL, NULL);
		prove_on(f.o, cases[i].proved);
		CHECK(state_at(f.o, "drop ref", "a.org") == RULE_CONFIRMED);
		snprintf(url, sizeof(url), "http://a.org/%s?t=99", cases[i].page);
		see(f.o, url, 99);
		snprintf(url, sizeof(url), "http://a.org/%s?t=99&ref=1", cases[i].page);
		CHECK(decide(f.o, url) == cases[i].then);
		/* Once is enough. */
		snprintf(url, sizeof(url), "http://a.org/%s?t=99&ref=2", cases[i].page);
		CHECK(decide(f.o, url) == ONLINE_SKIP);
	}
}

/* "t=1&a=list" is another program than "t=1&a=blob", whatever their order. */
static void what_a_parameter_chooses_is_a_kind_too(void)
{
	struct online_options options = online_defaults;
	cleanup(fixture_release) struct fixture f = { 0 };

	options.explore = 0;
	fixture_init(&f, &options, NULL, NULL);
	prove_on(f.o, "x.cgi");
	see(f.o, "http://a.org/x.cgi?t=1&action=blob", 99);
	CHECK(decide(f.o, "http://a.org/x.cgi?action=blob&ref=1&t=1") == ONLINE_NEW);
	CHECK(decide(f.o, "http://a.org/x.cgi?t=1&action=blob&ref=1") == ONLINE_PROBE);
	CHECK(decide(f.o, "http://a.org/x.cgi?t=1&action=blob&ref=2") == ONLINE_SKIP);
	see(f.o, "http://a.org/x.cgi?t=1;action=log", 98);
	CHECK(decide(f.o, "http://a.org/x.cgi?t=1;action=log&ref=2") == ONLINE_PROBE);
	/* A number chooses nothing, and a name that is not known does not. */
	see(f.o, "http://a.org/x.cgi?t=1&action=3", 97);
	CHECK(decide(f.o, "http://a.org/x.cgi?t=1&action=3&ref=2") == ONLINE_SKIP);
	see(f.o, "http://a.org/x.cgi?t=1&colour=red", 96);
	CHECK(decide(f.o, "http://a.org/x.cgi?t=1&colour=red&ref=2") == ONLINE_SKIP);
}

/* Which of the rules is the learnt one does not matter. */
static void a_new_kind_is_one_for_the_learnt_rule_among_others(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };

	fixture_init(&f, &options, NULL, NULL);
	prove_on(f.o, "topic.php");
	for (int i = 0; i < 4; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://www.a.org/topic.php?t=%d", i);
		see(f.o, url, (uint64_t)i + 1);
	}
	CHECK(state_at(f.o, "drop ref", "a.org") == RULE_CONFIRMED);
	CHECK(state_at(f.o, "www", "a.org") == RULE_CONFIRMED);
	see(f.o, "http://a.org/forum.php?t=1", 99);
	CHECK(decide(f.o, "http://www.a.org/forum.php?t=1") == ONLINE_SKIP);
	CHECK(decide(f.o, "http://www.a.org/forum.php?t=1&ref=5") == ONLINE_PROBE);
	CHECK(decide(f.o, "http://www.a.org/forum.php?t=1&ref=6") == ONLINE_SKIP);
	/* But not for the others. */
	see(f.o, "http://a.org/list.php?t=1", 98);
	CHECK(decide(f.o, "http://a.org/list.php?t=1&ref=5") == ONLINE_PROBE);
	CHECK(decide(f.o, "http://www.a.org/list.php?t=1&ref=6") == ONLINE_SKIP);
}

/* --- learning --- */

/* Each step needs a quarter more evidence than the last, and two duplicates at least. */
static void steps_of_learning_grow_rarer(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	unsigned steps = 0, last = 0;

	fixture_init(&f, &online_defaults, NULL, NULL);
	for (unsigned i = 0; i <= 100; i++) {
		char url[48];

		snprintf(url, sizeof(url), "http://a.org/some/%x.html", i * 7919);
		dust_online_page(f.o, str_from(url), 1, NULL);
		while (dust_online_step(f.o)) {
			steps++;
			last = i;
		}
	}
	/* 2 4 6 8 10 12 15 18 22 27 33 41 51 63 78 97 */
	CHECK(steps == 16 && last == 97);
}

/* Pages of a.org in four versions each, of which `n` is none and `layout` is. */
static void see_versions(struct dust_online *o)
{
	/* Nothing is learnt from what has not come, or not yet. */
	dust_online_queued(o, STR("http://a.org/queued"));
	dust_online_queued(o, STR("http://a.org/failed?n=1"));
	dust_online_failed(o, STR("http://a.org/failed?n=1"), ONLINE_ABSENT);
	for (uint64_t i = 0; i < 4; i++) {
		static const char *const tails[] = { "?n=1", "?n=2", "?n=3",
						     "?layout=x" };

		/* One of them is another page: that of `n`, not of `layout`. */
		for (size_t t = 0; t < COUNT(tails); t++) {
			char url[64];

			snprintf(url, sizeof(url), "http://a.org/p%d%s", (int)i,
				 tails[t]);
			dust_online_page(o, str_from(url), t ? 10 + i : 100 + i, NULL);
		}
	}
}

/* Pages are learnt from as the general rules of now leave them. */
static void a_rule_that_a_person_adds_changes_what_is_learnt_from(void)
{
	struct online_options options = online_defaults;
	cleanup(fixture_release) struct fixture f = { 0 };
	struct diag why = { 0 };

	fixture_init(&f, &options, NULL, NULL);
	see_versions(f.o);
	save_file(&f, "mine.rules", "rule x\n  operation drop n\n  sites *\n");
	CHECK(dust_online_reload(f.o, f.dir, &why) == ST_OK);
	while (dust_online_step(f.o))
		;
	dust_online_assert(f.o);
	CHECK(state_at(f.o, "drop layout", "a.org") == RULE_PROBATION);
}

/* A rule has the hosts of its site on which it was seen. */
static void a_rule_that_is_learnt_once_more_keeps_its_hosts(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	const struct rule_set *all;

	fixture_init(&f, &online_defaults, NULL, NULL);
	for (int i = 0; i < 24; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://%c.a.org/p%d", 'x' + i % 2, i);
		see(f.o, url, (uint64_t)i + 1);
		snprintf(url, sizeof(url), "http://%c.a.org/p%d?ref=%d", 'x' + i % 2, i,
			 i + 7);
		see(f.o, url, (uint64_t)i + 1);
	}
	all = dust_online_rules(f.o);
	CHECK(all->n == 1 && all->v[0].n_sites == 2);
	CHECK(str_eq(all->v[0].sites[0], STR("x.a.org")));
	CHECK(str_eq(all->v[0].sites[1], STR("y.a.org")));
	CHECK(all->v[0].evidence.frequency > 4 && all->v[0].evidence.support > 4);
}

/* The same of a rule that other sites have proved since the site was last used. */
static void a_rule_that_becomes_universal_changes_what_is_learnt_from(void)
{
	struct online_options options = online_defaults;
	cleanup(fixture_release) struct fixture f = { 0 };

	options.universal_sites = 1;
	options.probes = 6;
	fixture_init(&f, &options, NULL, NULL);
	for (int i = 0; i < 14; i++) {
		char url[64];

		snprintf(url, sizeof(url), "http://one.org/p%d", i);
		dust_online_page(f.o, str_from(url), (uint64_t)i + 1, NULL);
		snprintf(url, sizeof(url), "http://one.org/p%d?n=%d", i, i + 5);
		dust_online_page(f.o, str_from(url), (uint64_t)i + 1, NULL);
		while (i < 4 && dust_online_step(f.o))
			;
		if (i != 4)
			continue;
		CHECK(state_at(f.o, "drop n", "one.org") == RULE_PROBATION);
		see_versions(f.o);
	}
	CHECK(state_at(f.o, "drop n", NULL) == RULE_PROBATION);
	while (dust_online_step(f.o))
		;
	dust_online_assert(f.o);
	CHECK(state_at(f.o, "drop layout", "a.org") == RULE_PROBATION);
}

/* --- a proved rule is watched --- */

static void the_share_that_is_explored_is_that_of_the_options(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };
	unsigned explored = 0;

	options.explore = 0.25;
	fixture_init(&f, &options, NULL, NULL);
	see(f.o, "http://a.org/p", 1);
	for (int i = 0; i < 3; i++) {
		char url[48];

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		see(f.o, url, 1);
	}
	for (int i = 100; i < 2100; i++) {
		struct online_key k;
		char url[48];

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		dust_online_key(f.o, str_from(url), &k);
		explored += dust_online_decide(f.o, str_from(url), &k, false) ==
			    ONLINE_EXPLORE;
	}
	CHECK(explored > 440 && explored < 560);
}

/* Whichever of the two the key names first. */
static void a_rule_on_probation_is_to_blame_before_a_proved_one(void)
{
	static const struct {
		const char *proved, *blamed;
	} cases[] = {
		{ "www", "drop sid" },
		{ "drop sid", "www" },
	};

	for (size_t c = 0; c < COUNT(cases); c++) {
		struct online_options options = shipped_options();
		cleanup(fixture_release) struct fixture f = { 0 };

		fixture_init(&f, &options, NULL, NULL);
		for (int i = 0; i < 4; i++) {
			char url[64];

			snprintf(url, sizeof(url), "http://a.org/p%d", i);
			see(f.o, url, (uint64_t)i + 1);
			snprintf(url, sizeof(url),
				 c ? "http://a.org/p%d?sid=1" : "http://www.a.org/p%d",
				 i);
			see(f.o, url, (uint64_t)i + 1);
		}
		CHECK(state_at(f.o, cases[c].proved, "a.org") == RULE_CONFIRMED);
		see(f.o, "http://a.org/x", 10);
		see(f.o, "http://www.a.org/x?sid=1", 11);
		CHECK(state_at(f.o, cases[c].blamed, "a.org") == RULE_RETRACTED);
		CHECK(state_at(f.o, cases[c].proved, "a.org") == RULE_CONFIRMED);
	}
}

/* --- what returns --- */

/* `drop sid` proved on a.org. */
static void prove_sid(struct fixture *f)
{
	struct online_options options = shipped_options();

	fixture_init(f, &options, NULL, NULL);
	see(f->o, "http://a.org/p", 1);
	see(f->o, "http://a.org/p?sid=1", 1);
	see(f->o, "http://a.org/p?sid=2", 1);
	see(f->o, "http://a.org/p?sid=3", 1);
	CHECK(state_at(f->o, "drop sid", "a.org") == RULE_CONFIRMED);
}

static void where_a_redirect_leads_returns_first(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	struct online_return r;

	prove_sid(&f);
	dust_online_queued(f.o, STR("http://a.org/q"));
	dust_online_queued(f.o, STR("http://a.org/r"));
	CHECK(decide(f.o, "http://a.org/q?sid=1") == ONLINE_SKIP);
	CHECK(decide(f.o, "http://a.org/q?sid=2") == ONLINE_SKIP);
	CHECK(decide(f.o, "http://a.org/q?sid=3") == ONLINE_SKIP);
	CHECK(decide(f.o, "http://a.org/r?sid=4") == ONLINE_SKIP);
	dust_online_failed(f.o, STR("http://a.org/q"), ONLINE_ABSENT);
	CHECK(dust_online_next_return(f.o, &r) && r.n == 3);
	CHECK(r.rule == UINT32_MAX && str_eq(r.failed, STR("http://a.org/q")));
	/* To a URL of another key: all of this key return, and none of the last one. */
	dust_online_moved(f.o, STR("http://a.org/r"), STR("http://a.org/q?sid=2"));
	CHECK(dust_online_next_return(f.o, &r) && r.n == 1);
	CHECK(str_eq(r.urls[0].url, STR("http://a.org/r?sid=4")));
	CHECK(!dust_online_next_return(f.o, &r));
	dust_online_assert(f.o);
}

/* What skipped it was learnt shortly before the end, and not saved. */
static void what_a_forgotten_rule_skipped_returns_after_a_restart(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };
	struct online_skip skips[] = {
		{ STR("http://a.org/p?x=1"), STR("http://a.org/"), 2 },
		{ STR("http://a.org/q?x=1"), STR("http://a.org/"), 3 },
		{ STR("http://a.org/r?sid=1"), STR("http://a.org/"), 4 },
		{ STR("http://a.org/s?x=1"), STR("http://a.org/"), 5 },
	};
	struct online_return r;

	fixture_init(&f, &options, NULL, NULL);
	dust_online_restore_skip(f.o, &skips[0], STR("http://a.org/p"), STR("drop x"));
	dust_online_restore_skip(f.o, &skips[1], STR("http://a.org/q"), STR("drop x"));
	dust_online_restore_skip(f.o, &skips[2], STR("http://a.org/r"), STR("drop sid"));
	dust_online_restore_skip(f.o, &skips[3], STR("http://a.org/s"), STR(""));
	dust_online_restore_return(f.o, skips[1].url);
	dust_online_restored(f.o);
	dust_online_assert(f.o);
	CHECK(dust_online_next_return(f.o, &r) && r.n == 1);
	CHECK(str_eq(r.urls[0].url, skips[0].url) && r.urls[0].depth == 2);
	CHECK(str_eq(r.urls[0].via, skips[0].via));
	CHECK(dust_online_next_return(f.o, &r) && r.n == 1);
	CHECK(str_eq(r.urls[0].url, skips[3].url));
	CHECK(!dust_online_next_return(f.o, &r));
}

/* And what a retracted one skipped. */
static void what_a_retracted_rule_skipped_returns_after_a_restart(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	struct online_skip skip = { STR("http://a.org/p?x=1"), STR("http://a.org/"), 2 };
	struct online_return r;

	fixture_init(&f, &online_defaults, "learned.rules",
		     "rule x\n  operation drop x\n  sites a.org\n  state retracted\n"
		     "rule y\n  operation drop y\n  sites a.org\n  state valid\n");
	dust_online_restore_skip(f.o, &skip, STR("http://a.org/p"), STR("drop x"));
	skip.url = STR("http://a.org/p?y=1");
	dust_online_restore_skip(f.o, &skip, STR("http://a.org/p"), STR("drop y"));
	dust_online_restored(f.o);
	CHECK(dust_online_next_return(f.o, &r) && r.n == 1 && r.rule == 0);
	CHECK(str_eq(r.urls[0].url, STR("http://a.org/p?x=1")));
	dust_online_assert(f.o);
	CHECK(!dust_online_next_return(f.o, &r));
}

/* How often what was skipped for a key returns depends on why its URLs fail. */
static void what_was_skipped_for_failing_urls_returns_a_few_times(void)
{
	static const unsigned times[ONLINE_FAILURES] = {
		[ONLINE_ABSENT] = 1,
		[ONLINE_PASSING] = 4,
		[ONLINE_NOT_REQUESTED] = 1,
		[ONLINE_MOVED] = 8,
	};

	for (int cause = 0; cause < ONLINE_FAILURES; cause++) {
		cleanup(fixture_release) struct fixture f = { 0 };
		struct online_return r;
		unsigned n = 0;

		prove_sid(&f);
		for (int i = 0; i < 12; i++) {
			char url[48], other[48];

			snprintf(url, sizeof(url), "http://a.org/q?sid=%d", 100 + i);
			snprintf(other, sizeof(other), "http://a.org/q?sid=%d", 200 + i);
			dust_online_queued(f.o, str_from(url));
			CHECK(decide(f.o, other) == ONLINE_SKIP);
			dust_online_failed(f.o, str_from(url),
					   (enum online_failure)cause);
			while (dust_online_next_return(f.o, &r))
				n += r.n > 0;
		}
		CHECK(n == times[cause]);
	}
}

/* What a proved rule skips need not be remembered; what one on trial skips must be. */
static void past_the_memory_for_skips_only_believed_rules_skip(void)
{
	struct online_options options = shipped_options();
	cleanup(fixture_release) struct fixture f = { 0 };

	options.skips_max = 2;
	fixture_init(&f, &options, NULL, NULL);
	see(f.o, "http://a.org/p", 1);
	for (int i = 0; i < 3; i++) {
		char url[48];

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		see(f.o, url, 1);
	}
	for (int i = 10; i < 20; i++) {
		char url[48];

		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", i);
		CHECK(decide(f.o, url) == ONLINE_SKIP);
	}
	/* `www` is on trial: four probes, and then what can be remembered, which is none.
	 */
	for (int i = 0; i < 8; i++) {
		char url[48];

		snprintf(url, sizeof(url), "http://www.a.org/p?sid=%d", i);
		CHECK(decide(f.o, url) == (i < 4 ? ONLINE_PROBE : ONLINE_EXPLORE));
	}
}

/* A rule whose portion is in flight does not hold up the next one. */
static void retracted_rules_do_not_wait_for_each_other(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	struct online_return r;
	char url[64];

	prove_sid(&f);
	for (int i = 0; i < 4; i++) {
		snprintf(url, sizeof(url), "http://a.org/w%d", i);
		see(f.o, url, (uint64_t)i + 50);
		snprintf(url, sizeof(url), "http://www.a.org/w%d", i);
		see(f.o, url, (uint64_t)i + 50);
	}
	for (int i = 0; i < 100; i++) {
		snprintf(url, sizeof(url), "http://a.org/p?sid=%d", 100 + i);
		CHECK(decide(f.o, url) == ONLINE_SKIP);
		snprintf(url, sizeof(url), "http://a.org/v%d", i);
		dust_online_queued(f.o, str_from(url));
		snprintf(url, sizeof(url), "http://www.a.org/v%d", i);
		CHECK(decide(f.o, url) == ONLINE_SKIP);
	}
	see(f.o, "http://a.org/x", 10);
	see(f.o, "http://a.org/x?sid=1", 11);
	see(f.o, "http://www.a.org/x", 12);
	CHECK(state_at(f.o, "drop sid", "a.org") == RULE_RETRACTED);
	CHECK(state_at(f.o, "www", "a.org") == RULE_RETRACTED);
	CHECK(dust_online_next_return(f.o, &r) && r.n == 64);
	uint32_t first = r.rule;
	CHECK(dust_online_next_return(f.o, &r) && r.n == 64 && r.rule != first);
	dust_online_assert(f.o);
	CHECK(!dust_online_next_return(f.o, &r));
}

static void a_url_that_was_skipped_twice_is_in_flight_once(void)
{
	cleanup(fixture_release) struct fixture f = { 0 };
	struct online_return r;

	prove_sid(&f);
	CHECK(decide(f.o, "http://a.org/p?sid=9") == ONLINE_SKIP);
	CHECK(decide(f.o, "http://a.org/p?sid=9") == ONLINE_SKIP);
	see(f.o, "http://a.org/x", 10);
	see(f.o, "http://a.org/x?sid=1", 11);
	CHECK(state_at(f.o, "drop sid", "a.org") == RULE_RETRACTED);
	CHECK(dust_online_next_return(f.o, &r) && r.n == 2);
	dust_online_assert(f.o);
	dust_online_answered(f.o, STR("http://a.org/p?sid=9"));
	dust_online_assert(f.o);
}

int main(void)
{
	RUN(a_key_names_the_rules_without_which_two_urls_would_differ);
	RUN(a_key_names_eight_rules_at_most);
	RUN(what_an_earlier_process_fetched_stands_for_its_key);
	RUN(what_will_not_be_fetched_stands_for_no_other);
	RUN(the_defaults_are_those_of_the_header);
	RUN(a_rule_proved_by_many_sites_needs_no_trial_until_one_is_against_it);
	RUN(a_rule_that_more_sites_retract_than_prove_is_retracted_everywhere);
	RUN(a_trusted_rule_is_proved_by_what_is_fetched_all_the_same);
	RUN(a_site_rule_is_written_whatever_is_known_of_it);
	RUN(a_rule_that_one_site_made_universal_is_written);
	RUN(an_instance_is_written_only_while_it_decides_anything);
	RUN(what_kind_a_page_is_its_path_tells);
	RUN(what_a_parameter_chooses_is_a_kind_too);
	RUN(a_new_kind_is_one_for_the_learnt_rule_among_others);
	RUN(a_rule_that_becomes_universal_changes_what_is_learnt_from);
	RUN(a_rule_that_is_learnt_once_more_keeps_its_hosts);
	RUN(steps_of_learning_grow_rarer);
	RUN(the_share_that_is_explored_is_that_of_the_options);
	RUN(a_rule_that_a_person_adds_changes_what_is_learnt_from);
	RUN(a_rule_on_probation_is_to_blame_before_a_proved_one);
	RUN(where_a_redirect_leads_returns_first);
	RUN(what_was_skipped_for_failing_urls_returns_a_few_times);
	RUN(what_a_forgotten_rule_skipped_returns_after_a_restart);
	RUN(what_a_retracted_rule_skipped_returns_after_a_restart);
	RUN(past_the_memory_for_skips_only_believed_rules_skip);
	RUN(retracted_rules_do_not_wait_for_each_other);
	RUN(a_url_that_was_skipped_twice_is_in_flight_once);
	DONE();
}
