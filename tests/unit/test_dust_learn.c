#include "align/clusters.h"
#include "base/rng.h"
#include "dust/index.h"
#include "dust/rule_file.h"
#include "learn/evaluate.h"
#include "learn/learn.h"
#include "learn/prune.h"
#include "test.h"

#include <stdlib.h>

static const struct learn_options seed_only = {
	.offer = { .sample = 10, .card = 5, .seed = 1 },
	.min_freq = 2,
	.min_support = 1,
	.threads = 2,
};

/* Table 6.8, with the hosts and folders shortened as there. */
static const char table_6_8[] =
	"1\thttp://a.l.g/m/r/6.2/ja/dochts/formats/pdf/smb-ht.pdf\n"
	"1\thttp://a.l.g/m/r/6.2/en/dochts/formats/pdf/smb-ht.pdf\n"
	"1\thttp://a.l.g/m/r/6.2/fr/dochts/formats/pdf/smb-ht.pdf\n"
	"2\thttp://a.l.g/m/r/6.2/ja/dochts/formats/pdf/Tips-ht.pdf\n"
	"2\thttp://a.l.g/m/r/6.2/en/dochts/formats/pdf/Tips-ht.pdf\n"
	"2\thttp://a.l.g/m/r/6.2/fr/dochts/formats/pdf/Tips-ht.pdf\n"
	"3\thttp://comprar.vlume.com.br/cpm-22/\n"
	"3\thttp://www.vlume.com.br/cpm-22/\n"
	"3\thttp://www.vlumi.com.br/cpm-22/\n"
	"4\thttp://comprar.vlume.com.br/d-black/\n"
	"4\thttp://www.vlumi.com.br/d-black/\n"
	"4\thttp://www.vlume.com.br/d-black/\n";

static void load(const char *tsv, struct url_set *ret)
{
	if (clusters_parse(str_from(tsv), ret, NULL) == ST_OK)
		url_set_seal(ret);
}

static struct str key_of(const struct rule_index *x, struct rule_scratch *s,
			 const char *url)
{
	struct rule_applied a;

	rule_index_apply(x, str_from(url), s, &a);
	return a.key;
}

static void table_6_8_gives_the_two_rules_of_the_seed(void)
{
	for (int method = LEARN_DUSTLIN; method <= LEARN_DUSTER; method++) {
		cleanup(url_set_release) struct url_set urls = { 0 };
		cleanup(rule_set_release) struct rule_set rules = { 0 };
		cleanup(rule_index_release) struct rule_index x = { 0 };
		cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
		struct learn_options o = seed_only;
		struct learn_report report;

		o.method = (enum learn_method)method;
		o.offer.method =
			method == LEARN_DUSTER ? MULTI_PROGRESSIVE : MULTI_LINEAR;
		load(table_6_8, &urls);
		learn(&urls, &o, &rules, &report);
		CHECK(rules.n == 2);
		CHECK(str_eq(rules.v[0].text,
			     STR("^*://(comprar|www).(vlume|vlumi).*.*/*/$ "
				 "$1://comprar.vlume.$2.$3/$4/")));
		CHECK(str_eq(rules.v[1].text,
			     STR("^*://*.*.*/*/*/*.*/(en|fr|ja)/*/*/*/*.*$ "
				 "$1://$2.$3.$4/$5/$6/$7.$8/en/$9/$10/$11/$12.$13")));
		CHECK(rules.v[0].n_sites == 3 && rules.v[0].evidence.support == 6);
		rule_index_build(&x, &rules);
		CHECK(str_eq(key_of(&x, &s, "http://www.vlumi.com.br/banda-h8/"),
			     STR("http://comprar.vlume.com.br/banda-h8/")));
		CHECK(str_eq(key_of(&x, &s,
				    "http://a.l.g/m/r/7.2/fr/dochts/trans/es/isc.html"),
			     STR("http://a.l.g/m/r/7.2/en/dochts/trans/es/isc.html")));
		/* The site is not one of the rule's. */
		CHECK(str_eq(key_of(&x, &s, "http://www.vlumi.com.ar/banda-h8/"),
			     STR("http://www.vlumi.com.ar/banda-h8/")));
	}
}

static void a_wrong_pair_costs_the_rule_unless_the_rate_allows_it(void)
{
	const char *tsv = "1\thttp://e.org/en/1\n1\thttp://e.org/fr/1\n"
			  "2\thttp://e.org/en/2\n2\thttp://e.org/fr/2\n"
			  "3\thttp://e.org/en/3\n4\thttp://e.org/fr/3\n";
	struct learn_options o = seed_only;
	struct learn_report report;

	for (int allowed = 0; allowed <= 1; allowed++) {
		cleanup(url_set_release) struct url_set urls = { 0 };
		cleanup(rule_set_release) struct rule_set rules = { 0 };

		o.fpr_max = allowed ? 0.34 : 0.33;
		load(tsv, &urls);
		learn(&urls, &o, &rules, &report);
		CHECK(report.candidates == 1 && rules.n == (size_t)allowed);
		CHECK(!allowed || (rules.v[0].evidence.support == 3 &&
				   rules.v[0].evidence.wrong == 1));
	}
}

static void order_and_threads_do_not_matter(void)
{
	static const char *orders[] = {
		"1\thttp://e.org/a/1\n1\thttp://e.org/b/1\n2\thttp://e.org/a/2\n"
		"2\thttp://e.org/b/2\n-\thttp://e.org/c/2\n",
		"-\thttp://e.org/c/2\n2\thttp://e.org/b/2\n1\thttp://e.org/b/1\n"
		"2\thttp://e.org/a/2\n1\thttp://e.org/a/1\n",
	};
	cleanup(buf_release) struct buf first = { 0 };

	for (unsigned i = 0; i < 6; i++) {
		cleanup(url_set_release) struct url_set urls = { 0 };
		cleanup(rule_set_release) struct rule_set rules = { 0 };
		cleanup(buf_release) struct buf text = { 0 };
		struct learn_options o = seed_only;
		struct learn_report report;

		o.threads = 1 + i / 2;
		o.families = true;
		load(orders[i % 2], &urls);
		learn(&urls, &o, &rules, &report);
		rules_format(&rules, &text);
		CHECK(rules.n > 0);
		if (i == 0)
			buf_add(&first, buf_str(&text));
		CHECK(str_eq(buf_str(&text), buf_str(&first)));
	}
}

/* Algorithm 6 as it is written: all pairs of rules, all pairs of URLs. */
static bool joins(const struct groups *g, uint32_t rule, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < g->n; i++) {
		bool has_a = false, has_b = false;

		if (g->v[i].rule != rule)
			continue;
		for (uint32_t k = 0; k < g->v[i].n; k++) {
			has_a |= g->members[g->v[i].first + k] == a;
			has_b |= g->members[g->v[i].first + k] == b;
		}
		if (has_a && has_b)
			return true;
	}
	return false;
}

static bool refines(const struct groups *g, uint32_t x, uint32_t y, uint32_t n_urls)
{
	for (uint32_t a = 0; a < n_urls; a++)
		for (uint32_t b = a + 1; b < n_urls; b++)
			if (joins(g, x, a, b) && !joins(g, y, a, b))
				return false;
	return true;
}

static void random_groups(struct rng *r, uint32_t n_rules, uint32_t n_urls,
			  struct groups *g)
{
	g->v = calloc((size_t)n_rules * 3, sizeof(*g->v));
	g->members = calloc((size_t)n_rules * 3 * n_urls, sizeof(*g->members));
	for (uint32_t rule = 0; rule < n_rules; rule++)
		for (uint32_t k = 0; k < 3; k++) {
			struct rule_group group = { .rule = rule,
						    .first = (uint32_t)g->n_members };

			/* Groups of one rule are disjoint. */
			for (uint32_t u = 0; u < n_urls; u++)
				if (hash_mix(u * 31 + rule % 5) % 3 == k &&
				    rng_chance(r, 0.7))
					g->members[g->n_members++] = u;
			group.n = (uint32_t)g->n_members - group.first;
			if (group.n > 1)
				g->v[g->n++] = group;
			else
				g->n_members = group.first;
		}
}

static uint64_t pairs_of(const struct groups *g, uint32_t rule)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].rule == rule)
			n += (uint64_t)g->v[i].n * (g->v[i].n - 1) / 2;
	return n;
}

static void span_groups(const struct groups *g, uint32_t n_rules, struct group_span *ret)
{
	size_t i = 0;

	for (uint32_t r = 0; r < n_rules; r++) {
		ret[r].from = i;
		while (i < g->n && g->v[i].rule == r)
			i++;
		ret[r].to = i;
	}
}

static void pruning_agrees_with_the_algorithm_as_written(void)
{
	enum { RULES = 12, URLS = 8 };
	struct rng r = { 3 };
	size_t gone = 0;

	for (int round = 0; round < 200; round++) {
		cleanup(groups_release) struct groups g = { 0 };
		struct group_span spans[RULES];
		bool redundant[RULES];

		random_groups(&r, RULES, URLS, &g);
		span_groups(&g, RULES, spans);
		prune(&g, spans, RULES, URLS, redundant);
		for (uint32_t x = 0; x < RULES; x++) {
			bool want = false;

			/* Rules are numbered best first, so only earlier ones count; here
			 * they are in no order, which the rule of the room allows for. */
			for (uint32_t y = 0; y < x && pairs_of(&g, x) > 0; y++)
				want |= refines(&g, x, y, URLS);
			CHECK(redundant[x] == want);
			gone += want;
		}
	}
	CHECK(gone > 50);
}

static void metrics_of_a_small_set_by_hand(void)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(rule_index_release) struct rule_index x = { 0 };
	struct metrics m = { 0 };
	struct rule *r;

	load("1\thttp://e.org/a?s=1\n1\thttp://e.org/a?s=2\n1\thttp://e.org/a2\n"
	     "2\thttp://e.org/b?s=1\n-\thttp://e.org/b?s=2\n-\thttp://e.org/c\n",
	     &urls);
	CHECK(rule_set_add(&rules, STR("drop s"), (struct text_place){ 1, 1 }, &r,
			   NULL) == ST_OK);
	r->universal = true;
	rule_index_build(&x, &rules);
	measure(&urls, NULL, 0, &x, &m, NULL, NULL);
	CHECK(m.urls == 6 && m.clusters == 4);
	CHECK(m.keys == 4 &&
	      m.clusters_left == 3); /* a, a2, b, c; b joined two clusters */
	CHECK(m.instances == 2 && m.right == 1 && m.collapsed_wrong == 1);
	CHECK(m.applied == 1);
	CHECK(metrics_coverage(&m) == 1 - 1.0 / 2);
}

static void folds_keep_clusters_whole_and_roles_apart(void)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	cleanup(folds_release) struct folds f = { 0 };
	uint8_t role[16];
	unsigned tested[16] = { 0 };

	load(table_6_8, &urls);
	folds_make(&urls, 3, 1, false, &f);
	for (unsigned nr = 0; nr < 3; nr++) {
		folds_roles(&f, urls.n_clusters, nr, role);
		for (size_t c = 0; c < urls.n_clusters; c++) {
			CHECK(role[c] == ROLE_TRAIN || role[c] == ROLE_VALIDATE ||
			      role[c] == ROLE_TEST);
			tested[c] += role[c] == ROLE_TEST;
		}
	}
	for (size_t c = 0; c < urls.n_clusters; c++)
		CHECK(tested[c] == 1);
}

static void the_baselines_find_what_they_can_say(void)
{
	/* One key differs; the path takes many values on the site, none of them often. */
	cleanup(buf_release) struct buf tsv = { 0 };
	struct learn_report report;

	for (int i = 0; i < 40; i++)
		buf_addf(&tsv,
			 "%d\thttp://e.org/a%d?sid=1%d\n%d\thttp://e.org/a%d?sid=2%d\n",
			 i, i, i, i, i, i);
	for (int method = LEARN_FANOUT; method <= LEARN_TREE; method++) {
		cleanup(url_set_release) struct url_set urls = { 0 };
		cleanup(rule_set_release) struct rule_set rules = { 0 };
		cleanup(rule_index_release) struct rule_index x = { 0 };
		cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
		struct learn_options o = seed_only;

		o.method = (enum learn_method)method;
		o.min_freq = 1;
		load(buf_cstr(&tsv), &urls);
		learn(&urls, &o, &rules, &report);
		CHECK(rules.n > 0);
		rule_index_build(&x, &rules);
		CHECK(str_eq(key_of(&x, &s, "http://e.org/new?sid=99"),
			     STR("http://e.org/new?sid*")) ||
		      str_eq(key_of(&x, &s, "http://e.org/new?sid=99"),
			     STR("http://e.org/new")));
	}
}

/* As in table 6.8; but not every cluster has the best of the names, so that the rules of
 * pairs are chains. */
static void of_a_chain_each_rule_of_a_baseline_leads_to_the_end(void)
{
	static const char *const hosts[] = { "comprar.vlume", "www.vlume", "www.vlumi" };
	static const char *const languages[] = { "en", "fr", "ja" };
	cleanup(buf_release) struct buf tsv = { 0 };

	for (unsigned i = 0; i < 36; i++)
		for (unsigned k = i % 3 == 1; k < 3u - (i % 3 == 2); k++) {
			buf_addf(&tsv, "h%u\thttp://%s.com.br/p-%u/\n", i, hosts[k], i);
			buf_addf(&tsv, "l%u\thttp://a.l.g/m/6.2/%s/pdf/f%u.pdf\n", i,
				 languages[k], i);
		}
	for (int method = LEARN_FANOUT; method <= LEARN_TREE; method++) {
		cleanup(url_set_release) struct url_set urls = { 0 };
		cleanup(rule_set_release) struct rule_set rules = { 0 };
		cleanup(rule_index_release) struct rule_index x = { 0 };
		cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
		struct learn_options o = seed_only;
		struct learn_report report;

		learn_set_method(&o, (enum learn_method)method, false);
		load(buf_cstr(&tsv), &urls);
		learn(&urls, &o, &rules, &report);
		rule_index_build(&x, &rules);
		for (int k = 0; k < 3; k++) {
			cleanup(buf_release) struct buf url = { 0 }, mirror = { 0 };

			buf_addf(&url, "http://a.l.g/m/6.2/%s/pdf/new.pdf", languages[k]);
			CHECK(str_eq(key_of(&x, &s, buf_cstr(&url)),
				     STR("http://a.l.g/m/6.2/en/pdf/new.pdf")));
			buf_addf(&mirror, "http://%s.com.br/new/", hosts[k]);
			CHECK(method == LEARN_TREE || /* it knows no rule across hosts */
			      str_eq(key_of(&x, &s, buf_cstr(&mirror)),
				     STR("http://comprar.vlume.com.br/new/")));
		}
	}
}

static const struct rule *rule_of(const struct rule_set *s, const char *text)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->v[i].text, str_from(text)))
			return &s->v[i];
	return NULL;
}

static void known_rules_lose_the_sites_against_them(void)
{
	static const char tsv[] = "1\thttp://a.org/p?ref=1\n1\thttp://a.org/p?ref=2\n"
				  "2\thttp://b.org/p?ref=1\n3\thttp://b.org/p?ref=2\n"
				  "4\thttp://c.org/p?ref=1\n4\thttp://c.org/p?ref=2\n"
				  "5\thttp://d.org/p?id=1\n6\thttp://d.org/p?id=2\n";
	cleanup(rule_set_release) struct rule_set known = { 0 }, rules = { 0 };
	cleanup(url_set_release) struct url_set urls = { 0 };
	struct learn_options o = seed_only;
	struct learn_report report;

	CHECK(rules_parse(STR("rule x\n  operation drop ref\n  sites *\n"
			      "rule y\n  operation drop id\n  sites *\n"
			      "rule z\n  operation drop never\n  sites *\n"),
			  &known, NULL) == ST_OK);
	load(tsv, &urls);
	o.families = true;
	o.known = &known;
	learn(&urls, &o, &rules, &report);
	const struct rule *ref = rule_of(&rules, "drop ref");
	CHECK(ref && ref->universal && ref->n_except == 1);
	CHECK(ref && rule_covers(ref, STR("a.org")) && !rule_covers(ref, STR("b.org")) &&
	      rule_covers(ref, STR("new.org")));
	CHECK(!rule_of(&rules, "drop id")); /* its only site is against it */
	const struct rule *never = rule_of(&rules, "drop never");
	CHECK(never && never->universal && never->evidence.support == 0);
}

/* A URL of few different parts, so that ends and middles repeat in every way. */
static struct str make_up_url(struct rng *r, struct arena *in)
{
	static const char *const parts[] = { "a",   "b",          "A",         "a1",
					     "1",   "b-a",        "",          "123",
					     "124", "longerword", "LongerWord" };
	static const char *const marks[] = { "/", "/", ".", "?", "=", "&", "//" };
	cleanup(buf_release) struct buf url = { 0 };

	buf_add(&url, rng_chance(r, 0.8) ? STR("http://") : STR("HTTP://"));
	for (uint64_t k = 1 + rng_below(r, 6); k > 0; k--)
		buf_addf(&url, "%s%s", parts[rng_below(r, COUNT(parts))],
			 marks[rng_below(r, COUNT(marks))]);
	buf_add(&url, rng_chance(r, 0.5) ? STR("b") : STR("a/b"));
	return arena_copy(in, buf_str(&url));
}

static void looking_only_where_urls_differ_changes_no_rule(void)
{
	cleanup(offer_work_release) struct offer_work w = { 0 };
	struct offer_options fast = { .sample = 10, .card = 5, .seed = 1 }, plain = fast;
	struct rng r = { 7 };
	unsigned offered = 0;

	plain.whole_matrix = true;
	for (unsigned i = 0; i < 8000; i++) {
		cleanup(arena_release) struct arena in = { 0 };
		struct str urls[10], one = STR("");
		size_t n = 2 + rng_below(&r, i % 8 == 0 ? 9 : 3);
		cleanup(offers_release) struct offers found = { 0 };

		for (size_t k = 0; k < n; k++)
			urls[k] = make_up_url(&r, &in);
		offer_rules(&w, &fast, urls, n, &found);
		if (found.n > 0)
			one = arena_copy(&in, found.text[0]);
		offer_rules(&w, &plain, urls, n, &found);
		CHECK(str_eq(one, found.n > 0 ? found.text[0] : STR("")));
		offered += found.n > 0;
	}
	CHECK(offered > 6000);
}

/* Card_set lets 300 sessions be a class; ten of them are the same class. */
static void an_entire_cluster_is_aligned_however_large(void)
{
	cleanup(offer_work_release) struct offer_work w = { 0 };
	cleanup(offers_release) struct offers found = { 0 };
	cleanup(arena_release) struct arena in = { 0 };
	struct offer_options o = { .card = 301, .seed = 1, .whole_matrix = true };
	struct str urls[3000];

	for (size_t i = 0; i < COUNT(urls); i++) {
		cleanup(buf_release) struct buf url = { 0 };

		buf_addf(&url, "http://a.org/view?sid=%zu&page=3", 1000 + i % 300);
		urls[i] = arena_copy(&in, buf_str(&url));
	}
	offer_rules(&w, &o, urls, COUNT(urls), &found);
	CHECK(found.n_sample == 300); /* distinct ones */
	CHECK(found.n == 1 && str_find(found.text[0], STR("1299")) != STR_NONE);
	o.card = 300;
	offer_rules(&w, &o, urls, COUNT(urls), &found);
	CHECK(found.n == 1 && str_find(found.text[0], STR("1299")) == STR_NONE);
	o.sample = 299;
	offer_rules(&w, &o, urls, COUNT(urls), &found);
	CHECK(found.n_sample == 299);
	CHECK(w.multi.alignments == 299 + 299 + 298);
}

/* Pages that have a number in common write it in the same few ways. */
static void add_rare_url(struct buf *to, unsigned page, unsigned number, unsigned way)
{
	struct rng r = { number * 16 + way };

	buf_addf(to, "http://x.org/p%u/", rng_chance(&r, 0.1) ? number : page);
	for (uint64_t i = 1 + rng_below(&r, 3); i > 0; i--) {
		if (rng_chance(&r, 0.5))
			buf_addf(to, "%u", number);
		buf_add_char(to, "b-/"[rng_below(&r, 3)]);
	}
}

/* Clusters whose numbers are rare are left alone, and those like an earlier one are not
 * put into words again; every candidate must be there still. */
static void rare_numbers_cost_no_candidate(void)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	cleanup(arena_release) struct arena in = { 0 };
	struct learn_options o = { .offer = { .sample = 10, .card = 5, .seed = 1 },
				   .min_freq = 3 };
	cleanup(rule_set_release) struct rule_set fast = { 0 }, plain = { 0 };
	struct rng r = { 5 };

	for (unsigned c = 0; c < 12000; c++)
		for (unsigned way = 0; way < 2 + c / 3 % 5; way++) {
			cleanup(buf_release) struct buf name = { 0 }, url = { 0 };

			buf_addf(&name, "c%u", c);
			add_rare_url(&url, 100000 + c, 1000 + c / 3,
				     rng_chance(&r, 0.8) ? way : 9);
			url_set_add(&urls, arena_copy(&in, buf_str(&name)),
				    arena_copy(&in, buf_str(&url)));
		}
	url_set_seal(&urls);
	for (int whole = 0; whole < 2; whole++) {
		cleanup(candidates_release) struct candidates found = { 0 };

		o.offer.whole_matrix = whole;
		learn_candidates(&urls, &o, &found);
		candidates_take(&found, o.min_freq, &urls.hosts, whole ? &plain : &fast);
	}
	rule_set_order(&fast);
	rule_set_order(&plain);
	CHECK(fast.n == plain.n && plain.n > 100);
	for (size_t i = 0; i < MIN(fast.n, plain.n); i++)
		CHECK(str_eq(fast.v[i].text, plain.v[i].text) &&
		      fast.v[i].evidence.frequency == plain.v[i].evidence.frequency &&
		      fast.v[i].n_sites == plain.v[i].n_sites);
}

int main(void)
{
	RUN(table_6_8_gives_the_two_rules_of_the_seed);
	RUN(a_wrong_pair_costs_the_rule_unless_the_rate_allows_it);
	RUN(order_and_threads_do_not_matter);
	RUN(pruning_agrees_with_the_algorithm_as_written);
	RUN(metrics_of_a_small_set_by_hand);
	RUN(folds_keep_clusters_whole_and_roles_apart);
	RUN(the_baselines_find_what_they_can_say);
	RUN(of_a_chain_each_rule_of_a_baseline_leads_to_the_end);
	RUN(known_rules_lose_the_sites_against_them);
	RUN(looking_only_where_urls_differ_changes_no_rule);
	RUN(an_entire_cluster_is_aligned_however_large);
	RUN(rare_numbers_cost_no_candidate);
	DONE();
}
