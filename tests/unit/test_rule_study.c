#include "learn/study.h"

#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "test.h"

static void add(struct url_set *s, const char *cluster, const char *url)
{
	url_set_add(s, str_from(cluster), str_from(url));
}

/* Sites that are named twice, and sessions; "-" is alone. */
static void fill(struct url_set *s, struct arena *in, unsigned pages)
{
	for (unsigned i = 0; i < pages; i++)
		for (unsigned k = 0; k < 3; k++) {
			cleanup(buf_release) struct buf name = { 0 }, url = { 0 };

			buf_addf(&name, "c%u", i);
			buf_addf(&url, "http://%sa%u.org/page%u.html?sid=%u",
				 k == 0 ? "www." : "", i % 5, i, 100 * i + k);
			url_set_add(s, arena_copy(in, buf_str(&name)),
				    arena_copy(in, buf_str(&url)));
		}
	url_set_seal(s);
}

static void a_set_is_described_as_in_tables_6_1_and_6_2(void)
{
	cleanup(url_set_release) struct url_set s = { 0 };
	struct set_statistics t;

	add(&s, "a", "http://x.org/1");
	add(&s, "a", "http://www.x.org/1");
	add(&s, "b", "http://x.org/2");
	add(&s, "b", "http://x.org/3");
	add(&s, "b", "http://x.org/4");
	add(&s, "-", "http://y.org/5");
	url_set_seal(&s);
	set_statistics_make(&s, &t);
	CHECK(t.clusters == 2 && t.urls == 5 && t.alone == 1);
	CHECK(t.small == 2 && t.large == 0 && t.largest == 3);
	CHECK(t.sites == 2 && t.site_least == 1 && t.site_most == 4);
	CHECK(t.cluster_sites == 3);
	/* http : / / x . org / 1 */
	CHECK(t.tokens == 5 * 9 + 2);
}

static void the_most_alike_first_is_no_worse_than_any_order(void)
{
	cleanup(url_set_release) struct url_set s = { 0 };
	cleanup(arena_release) struct arena in = { 0 };
	struct alignment_scores progressive, linear, some;

	fill(&s, &in, 60);
	alignment_scores_make(&s, MULTI_PROGRESSIVE, 10, 1, 1, &progressive);
	alignment_scores_make(&s, MULTI_LINEAR, 10, 1, 1, &linear);
	CHECK(progressive.clusters == 60 && linear.clusters == 60);
	CHECK(progressive.mean >= linear.mean && progressive.mean < 1);
	CHECK(linear.mean > 0.5 && linear.error >= 0 && linear.error < 0.1);
	alignment_scores_make(&s, MULTI_LINEAR, 10, 1.0 / 3, 1, &some);
	CHECK(some.clusters > 8 && some.clusters < 35);
}

/* By hand: 13 tokens in common of 14, and the differing number scores nothing. */
static void a_score_is_a_share_of_the_longer_side(void)
{
	cleanup(url_set_release) struct url_set s = { 0 };
	struct alignment_scores one;

	add(&s, "a", "http://x.org/a?b=1");
	add(&s, "a", "http://x.org/a?b=2");
	url_set_seal(&s);
	alignment_scores_make(&s, MULTI_LINEAR, 10, 1, 1, &one);
	CHECK(one.clusters == 1 && fabs(one.mean - 12.0 / 13) < 1e-6);
}

static void more_frequency_means_fewer_rules_and_the_best_is_marked(void)
{
	cleanup(url_set_release) struct url_set s = { 0 };
	cleanup(arena_release) struct arena in = { 0 };
	struct comparison c = { .urls = &s,
				.learn = { .offer = { .sample = 10, .card = 5 },
					   .min_freq = 1,
					   .min_support = 1,
					   .threads = 1 },
				.n_folds = 3,
				.repeat = 1,
				.seed = 1 };
	const struct compared_method *duster = compared_method_find(STR("duster"));
	struct study t;
	struct diag why;

	fill(&s, &in, 120);
	CHECK(study_make(&c, duster, STUDY_FREQ, 0.99, &t, &why) == ST_OK);
	CHECK(t.n == 10 && t.v[0].value == 1 && t.v[9].value == 10);
	for (size_t i = 1; i < t.n; i++)
		CHECK(t.v[i].m.candidates <= t.v[i - 1].m.candidates);
	CHECK(t.v[0].m.candidates > t.v[9].m.candidates);
	for (size_t i = 0; i < t.n; i++)
		CHECK(metrics_precision(&t.v[i].m) < 0.99 ||
		      metrics_coverage(&t.v[i].m) <= metrics_coverage(&t.v[t.best].m));
	uint64_t all = t.v[0].m.urls;
	c.part = (struct range){ 0, 0.5 };
	CHECK(study_make(&c, duster, STUDY_CARD, 0.99, &t, &why) == ST_OK);
	CHECK(t.n == 9 && t.v[0].value == 2 && t.v[8].value == 10);
	CHECK(t.v[0].m.urls > all / 3 && t.v[0].m.urls < all * 2 / 3);
	uint64_t half = t.v[0].m.urls;
	c.part = (struct range){ 0.5, 1.01 };
	CHECK(study_make(&c, duster, STUDY_SAMPLE, 0.99, &t, &why) == ST_OK);
	CHECK(t.v[0].m.urls == all - half); /* the other clusters, each once */
	CHECK(t.v[0].value == 10 && t.v[1].value == 0);
}

int main(void)
{
	RUN(a_set_is_described_as_in_tables_6_1_and_6_2);
	RUN(the_most_alike_first_is_no_worse_than_any_order);
	RUN(a_score_is_a_share_of_the_longer_side);
	RUN(more_frequency_means_fewer_rules_and_the_best_is_marked);
	DONE();
}
