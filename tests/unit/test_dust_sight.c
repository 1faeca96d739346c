#include "base/rng.h"
#include "dust/sight.h"
#include "test.h"

static const char *any_of(struct rng *r, const char *const *v, size_t n)
{
	return v[rng_below(r, n)];
}

/* Out of few words, so that contexts and URLs often fit, and URLs look alike. */
static void add_rule(struct rule_set *set, struct rng *r)
{
	static const char *const items[] = { "*",      "(en|fr)",   "{a}",    "en",
					     "*(/b)?", "(en|a/en)", "(7|8)?", "(en)?" };
	cleanup(buf_release) struct buf text = { 0 };
	struct str sites[] = { STR("a.org"), STR("b.org") };
	struct rule *rule;

	buf_add(&text, STR("^*://*.org"));
	for (uint64_t i = 1 + rng_below(r, 4); i > 0; i--)
		buf_addf(&text, "/%s", any_of(r, items, COUNT(items)));
	buf_add(&text, rng_chance(r, 0.5) ? STR("$ $1:key/$2") : STR("$ $1://$2.org/en"));
	CHECK(rule_set_add(set, buf_str(&text), (struct text_place){ 1, 1 }, &rule,
			   NULL) == ST_OK);
	size_t from = rng_below(r, 2);
	rule_set_sites(set, rule, sites + from, 1 + rng_below(r, 2 - from));
}

static void make_url(struct rng *r, struct buf *to)
{
	static const char *const words[] = { "en", "b", "7", "longer-words" };

	buf_addf(to, "http://%s.org", rng_chance(r, 0.5) ? "a" : "b");
	for (uint64_t i = 1 + rng_below(r, 4); i > 0; i--)
		buf_addf(to, "/%s", any_of(r, words, COUNT(words)));
}

/* What one rule alone makes of a URL, added to a sum that does not depend on order. */
static uint64_t sum_alone(const struct rule_set *set, struct str url, struct str host)
{
	cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
	uint64_t sum = 0;

	if (tokens_split(&s.tokens, url) != ST_OK)
		return 0;
	for (size_t i = 0; i < set->n; i++) {
		const struct rule *r = &set->v[i];

		if (!rule_covers(r, host) ||
		    !pattern_match(&r->pattern, &s.tokens, s.captures))
			continue;
		buf_reset(&s.out);
		transformation_apply(&r->transformation, s.captures, &s.out);
		sum += hash64_seeded(buf_str(&s.out), i);
	}
	return sum;
}

static uint64_t sum_seen(struct sights *s, const struct view *v, size_t nr)
{
	struct sight seen = sights_take(s, v, nr);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < seen.n_forms; i++) {
		const struct key_form *f = &s->forms[seen.form + i];
		struct str key = sights_key(s, nr, f);

		for (uint32_t k = 0; k < f->n_rules; k++)
			sum += hash64_seeded(key, s->rules[f->rule + k]);
	}
	return sum;
}

static void compare(struct sights *s, const struct view *v, const struct rule_set *set,
		    struct rng *r)
{
	struct buf urls[GLANCES_MAX] = { 0 };
	size_t n = 1 + rng_below(r, GLANCES_MAX);

	for (size_t i = 0; i < n; i++) {
		make_url(r, &urls[i]);
		s->glances[i].url = buf_str(&urls[i]);
		s->glances[i].host = intern_find(v->hosts, dust_host(buf_str(&urls[i])));
	}
	sights_look(s, v, n);
	for (size_t i = 0; i < n; i++) {
		CHECK(sum_seen(s, v, i) ==
		      sum_alone(set, buf_str(&urls[i]), dust_host(buf_str(&urls[i]))));
		buf_release(&urls[i]);
	}
}

static void urls_that_look_alike_get_the_keys_they_would_get_alone(void)
{
	cleanup(intern_release) struct intern hosts = { 0 };
	struct rng r = { 3 };

	intern_add(&hosts, STR("a.org"));
	intern_add(&hosts, STR("b.org"));
	for (unsigned round = 0; round < 60; round++) {
		cleanup(rule_set_release) struct rule_set set = { 0 };
		cleanup(rule_index_release) struct rule_index x = { 0 };
		cleanup(view_release) struct view v = { 0 };
		cleanup(sights_release) struct sights s = { 0 };

		for (unsigned i = 0; i < 1 + round / 2; i++)
			add_rule(&set, &r);
		rule_index_build(&x, &set);
		view_init(&v, &x, &hosts);
		for (unsigned i = 0; i < 100; i++)
			compare(&s, &v, &set, &r);
		CHECK(s.n < 100 * GLANCES_MAX / 4);
	}
}

static void a_url_past_the_bounds_has_no_key(void)
{
	cleanup(intern_release) struct intern hosts = { 0 };
	cleanup(rule_set_release) struct rule_set set = { 0 };
	cleanup(rule_index_release) struct rule_index x = { 0 };
	cleanup(view_release) struct view v = { 0 };
	cleanup(sights_release) struct sights s = { 0 };
	cleanup(buf_release) struct buf url = { 0 };
	struct rng r = { 3 };

	intern_add(&hosts, STR("a.org"));
	for (unsigned i = 0; i < 30; i++)
		add_rule(&set, &r);
	rule_index_build(&x, &set);
	view_init(&v, &x, &hosts);
	buf_add(&url, STR("http://a.org"));
	for (unsigned i = 0; i < TOKENS_MAX; i++)
		buf_add(&url, STR("/a"));
	s.glances[0].url = buf_str(&url);
	sights_look(&s, &v, 1);
	CHECK(sights_take(&s, &v, 0).n_forms == 0);
}

int main(void)
{
	RUN(urls_that_look_alike_get_the_keys_they_would_get_alone);
	RUN(a_url_past_the_bounds_has_no_key);
	DONE();
}
