#include "learn/doubt.h"

#include <math.h>

#include "align/clusters.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/rng.h"
#include "learn/learn.h"
#include "test.h"

static const struct doubt clean = { .noise = 0.02 }, noisy = { .noise = 0.4 };

static double share(const struct doubt *d, double prior, struct joins j)
{
	return odds_to_share(prior * doubt_ratio(d, &j));
}

static void right_joins_speak_for_a_rule_and_wrong_ones_against_it(void)
{
	CHECK(doubt_ratio(&clean, &(struct joins){ 0 }) == 1);
	CHECK(share(&clean, 1, (struct joins){ 3, 0, 3 }) > 0.95);
	CHECK(share(&clean, 1, (struct joins){ 0, 2, 0 }) < 0.01);
	for (uint64_t n = 1; n < 20; n++) {
		struct joins less = { n, 0, n }, more = { n + 1, 0, n + 1 };
		struct joins worse = { n, 1, n };

		CHECK(doubt_ratio(&clean, &more) > doubt_ratio(&clean, &less));
		CHECK(doubt_ratio(&clean, &worse) < doubt_ratio(&clean, &less));
	}
}

static void a_contradiction_says_less_where_labels_are_wrong(void)
{
	struct joins one = { 0, 1, 0 }, most = { 12, 8, 12 };

	CHECK(share(&clean, 20, one) < 0.5 && share(&noisy, 20, one) > 0.8);
	CHECK(share(&clean, 1, most) < 0.01 && share(&noisy, 1, most) > 0.9);
	/* But all of them wrong is more than any noise. */
	CHECK(share(&noisy, 1, (struct joins){ 0, 20, 0 }) < 0.01);
}

static void joins_of_one_cluster_are_hardly_more_than_one(void)
{
	struct joins listing = { 500, 0, 1 }, pages = { 3, 0, 3 };

	CHECK(doubt_ratio(&clean, &listing) < doubt_ratio(&clean, &pages));
}

static void the_allowed_rate_is_beside_the_noise(void)
{
	struct doubt lenient = { .noise = 0.02, .fpr = 0.2 };
	struct joins fifth = { 80, 20, 80 };

	CHECK(share(&clean, 1, fifth) < 0.01 && share(&lenient, 1, fifth) > 0.99);
	CHECK(share(&lenient, 1, (struct joins){ 20, 80, 20 }) < 0.01);
}

static void the_noise_of_labels_comes_out_of_the_joins(void)
{
	struct rng r = { 7 };

	for (double noise = 0.02; noise < 0.6; noise += 0.08) {
		struct noise_sample s = { 0 };

		for (int i = 0; i < 2000; i++) {
			/* At every twentieth site the rule is wrong. */
			double rate = i % 20 == 0 ? 0.95 : noise;
			struct joins j = { 0 };

			for (uint64_t k = 1 + rng_below(&r, 4); k > 0; k--) {
				bool wrong = rng_chance(&r, rate);

				j.wrong += wrong;
				j.right += !wrong;
				j.sources += !wrong;
			}
			VEC_ADD(s.v, s.n, s.cap, j);
		}
		CHECK(fabs(noise_estimate(&s) - noise) < 0.05);
		noise_sample_release(&s);
	}
	/* Nothing to go by: labels are believed. */
	CHECK(noise_estimate(&(struct noise_sample){ 0 }) == DOUBT_NOISE_LEAST);
	/* URLs that stand in two clusters are evidence without any rule. */
	CHECK(noise_estimate(&(struct noise_sample){ .agreed = 700, .disagreed = 300 }) >
	      0.25);
}

/* Sites of ten pages under two names each, of which some have the wrong label. */
static void make_pages(struct buf *to, unsigned wrong_in_ten)
{
	for (unsigned site = 0; site < 30; site++)
		for (unsigned p = 0; p < 10; p++) {
			unsigned page = site * 10 + p;
			bool wrong = hash_mix(page) % 10 < wrong_in_ten;

			buf_addf(to, "c%u\thttp://s%u.org/p%u\n", page, site, p);
			buf_addf(to, "%s%u\thttp://s%u.org/p%u?ref=%u\n",
				 wrong ? "x" : "c", page, site, p, page);
			buf_addf(to, "d%u\thttp://s%u.org/p%u?page=2\n", page, site, p);
		}
}

static bool learns(unsigned wrong_in_ten, bool doubt, const char *text)
{
	cleanup(buf_release) struct buf tsv = { 0 };
	cleanup(url_set_release) struct url_set urls = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	struct learn_options o = { .offer = { .sample = 10, .card = 5, .seed = 1 },
				   .families = true,
				   .universal_sites = 3,
				   .doubt = doubt,
				   .noise = doubt ? wrong_in_ten / 10.0 : 0,
				   .threads = 1 };
	struct learn_report report;

	make_pages(&tsv, wrong_in_ten);
	if (clusters_parse(buf_str(&tsv), &urls, NULL) != ST_OK)
		return false;
	url_set_seal(&urls);
	learn(&urls, &o, &rules, &report);
	for (size_t i = 0; i < rules.n; i++)
		if (str_eq(rules.v[i].text, str_from(text)) && rules.v[i].universal)
			return true;
	return false;
}

static void a_rule_survives_wrong_labels_and_a_wrong_rule_does_not(void)
{
	CHECK(learns(0, true, "drop ref") && learns(0, false, "drop ref"));
	CHECK(learns(1, true, "drop ref") && learns(3, true, "drop ref"));
	CHECK(!learns(3, false, "drop ref"));
	CHECK(!learns(0, true, "drop page") && !learns(3, true, "drop page"));
}

static double prior_of(const char *context)
{
	char text[128];

	snprintf(text, sizeof(text), "%s $1", context);
	return doubt_prior(&(struct rule){ .text = str_from(text) }, false);
}

static double prior_of_drop(const char *name)
{
	struct rule r = { .is_operation = true,
			  .operation = { OPERATION_DROP, str_from(name), STR("") } };

	return doubt_prior(&r, false);
}

static void what_mostly_names_content_needs_more_evidence(void)
{
	double plain = prior_of("^*://*/*/(print|view)/*$");

	CHECK(plain == 1);
	CHECK(prior_of("^*://*/(da|el)/*$") < 0.1 &&
	      prior_of("^*://*/(pt-BR|zh_Hans|en)/*$") < 0.1);
	CHECK(prior_of("^*://*/(da|print)/*$") == plain &&
	      prior_of("^*://*/(en)?/*$") == plain);
	CHECK(prior_of("^*://*/*(/comment-page-2)?$") < plain &&
	      prior_of("^*://*/*\\?start=(20|40)$") < plain &&
	      prior_of("^*://*/*/page/(2|3)/x$") < plain);
	CHECK(prior_of("^*://*/*\\?a=*;h=(*)$") < plain &&
	      prior_of("^*://*/*/(*)$") < plain);
	CHECK(prior_of_drop("lang") < prior_of_drop("sid") &&
	      prior_of_drop("page") < prior_of_drop("sid"));
}

static void the_less_a_kind_is_believed_the_more_proofs_it_needs(void)
{
	CHECK(doubt_proofs(20) <= 1 && doubt_proofs(1) == 3 && doubt_proofs(0.4) == 4);
	CHECK(doubt_proofs(0.1) == 6 && doubt_proofs(0.02) > 9);
	CHECK(doubt_proofs(0) == DOUBT_PROOFS_MAX);
}

int main(void)
{
	RUN(right_joins_speak_for_a_rule_and_wrong_ones_against_it);
	RUN(a_contradiction_says_less_where_labels_are_wrong);
	RUN(joins_of_one_cluster_are_hardly_more_than_one);
	RUN(the_allowed_rate_is_beside_the_noise);
	RUN(the_noise_of_labels_comes_out_of_the_joins);
	RUN(a_rule_survives_wrong_labels_and_a_wrong_rule_does_not);
	RUN(what_mostly_names_content_needs_more_evidence);
	RUN(the_less_a_kind_is_believed_the_more_proofs_it_needs);
	DONE();
}
