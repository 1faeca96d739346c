#include <stdlib.h>

#include "base/rng.h"
#include "learn/match_cache.h"
#include "test.h"

static const char *any_of(struct rng *r, const char *const *v, size_t n)
{
	return v[rng_below(r, n)];
}

/* Out of few words, so that contexts and URLs often fit, and URLs look alike. */
static void add_rule(struct rule_set *set, struct rng *r)
{
	static const char *const items[] = { "*",      "(en|fr)",   "{a}",    "en",
					     "*(/b)?", "(en|a/en)", "(7|8)?", "(en-)?*" };
	cleanup(buf_release) struct buf text = { 0 };
	struct str sites[] = { STR("a.org"), STR("b.org") };
	struct rule *rule;

	buf_add(&text, STR("^*://*.*"));
	for (uint64_t i = 1 + rng_below(r, 4); i > 0; i--)
		buf_addf(&text, "/%s", any_of(r, items, COUNT(items)));
	buf_add(&text, rng_chance(r, 0.5) ? STR("$ $1:key/$2") : STR("$ $1://$2.$3/en"));
	CHECK(rule_set_add(set, buf_str(&text), (struct text_place){ 1, 1 }, &rule,
			   NULL) == ST_OK);
	size_t from = rng_below(r, 2);
	rule_set_sites(set, rule, sites + from, 1 + rng_below(r, 2 - from));
}

static void make_url(struct rng *r, struct buf *to)
{
	static const char *const words[] = { "en", "b", "7", "longer-words", "en-b" };

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
		sum += hash_mix(hash64(buf_str(&s.out)) ^ i);
	}
	return sum;
}

static uint64_t sum_seen(struct match_cache *s, const struct host_rules *v, size_t nr)
{
	uint64_t sum = 0;

	match_cache_apply(s, v, nr);
	for (size_t i = 0; i < s->n_found; i++)
		sum += hash_mix(s->found[i].key ^ s->found[i].rule);
	return sum;
}

static void compare(struct match_cache *s, const struct host_rules *v,
		    const struct rule_set *set, struct rng *r)
{
	struct buf urls[MATCH_BATCH_MAX] = { 0 };
	size_t n = 1 + rng_below(r, MATCH_BATCH_MAX);

	for (size_t i = 0; i < n; i++) {
		make_url(r, &urls[i]);
		match_cache_prepare(s, v, i, buf_str(&urls[i]),
				    intern_find(v->hosts, dust_host(buf_str(&urls[i]))));
	}
	match_cache_lookup(s, v, n);
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
	size_t doors = 0;

	intern_add(&hosts, STR("a.org"));
	intern_add(&hosts, STR("b.org"));
	for (unsigned round = 0; round < 90; round++) {
		cleanup(rule_set_release) struct rule_set set = { 0 };
		cleanup(host_rules_release) struct host_rules v = { 0 };
		cleanup(match_cache_release) struct match_cache s = { 0 };

		for (unsigned i = 0; i < 1 + round / 2; i++)
			add_rule(&set, &r);
		host_rules_init(&v, &set, &hosts);
		for (unsigned i = 0; i < 100; i++)
			compare(&s, &v, &set, &r);
		doors += s.n_dispatch;
		CHECK(s.n_shapes <= 3 + 9 + 27 + 81);
	}
	CHECK(doors > 0); /* some lists were long enough */
}

static void a_rule_for_all_hosts_but_one_is_seen_on_the_others(void)
{
	cleanup(intern_release) struct intern hosts = { 0 };
	cleanup(rule_set_release) struct rule_set set = { 0 };
	cleanup(host_rules_release) struct host_rules v = { 0 };
	cleanup(match_cache_release) struct match_cache s = { 0 };
	struct str except[] = { STR("b.org") };
	struct rule *rule;

	CHECK(rule_set_add(&set, STR("^*://*.org/en$ $1://$2.org/"),
			   (struct text_place){ 1, 1 }, &rule, NULL) == ST_OK);
	rule->universal = true;
	rule_set_except(&set, rule, except, 1);
	host_rules_init(&v, &set, &hosts);
	for (size_t i = 0; i < 2; i++) {
		struct str url = i ? STR("http://b.org/en") : STR("http://a.org/en");

		host_rules_release(&v);
		intern_add(&hosts, dust_host(url));
		host_rules_init(&v, &set, &hosts);
		match_cache_prepare(&s, &v, 0, url, (uint32_t)i);
		match_cache_lookup(&s, &v, 1);
		match_cache_apply(&s, &v, 0);
		CHECK(s.n_found == 1 - i);
	}
}

/* As tokens_split() cuts it. */
static bool is_cut_rightly(const struct fast_tokens *c, const struct tokens *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].p != c->url.p + c->at[i])
			return false;
	return c->n == t->n && c->at[c->n] == c->url.n;
}

static void a_url_is_cut_where_its_tokens_begin(void)
{
	cleanup(tokens_release) struct tokens t = { 0 };
	struct rng r = { 5 };
	static struct fast_tokens c;

	for (size_t round = 0; round < 20000; round++) {
		size_t n = rng_below(&r, round % 50 == 0 ? 700 : 150);
		char *bytes = malloc(n + 1); /* so that reading past the end is noticed */
		struct str url = { bytes, n };

		for (size_t i = 0; i < n; i++)
			bytes[i] = "abzAZ@[`{/09:?\x01\xe1\xc1"[rng_below(&r, 17)];
		bytes = realloc(bytes, n ? n : 1);
		url.p = bytes;
		bool fits = tokens_split(&t, url) == ST_OK;
		CHECK(tokenize_fast(&c, url) == fits);
		CHECK(!fits || is_cut_rightly(&c, &t));
		free(bytes);
	}
}

static void the_look_is_marks_and_types(void)
{
	struct fast_tokens a, b;

	CHECK(tokenize_fast(&a, STR("http://a.org/b7")) &&
	      tokenize_fast(&b, STR("x://yy.z/q123")));
	CHECK(a.shape == b.shape);
	CHECK(tokenize_fast(&b, STR("http://a.org/7b")) && a.shape != b.shape);
	CHECK(tokenize_fast(&b, STR("http://a.org?b7")) && a.shape != b.shape);
}

static void a_url_past_the_bounds_has_no_key(void)
{
	cleanup(intern_release) struct intern hosts = { 0 };
	cleanup(rule_set_release) struct rule_set set = { 0 };
	cleanup(host_rules_release) struct host_rules v = { 0 };
	cleanup(match_cache_release) struct match_cache s = { 0 };
	cleanup(buf_release) struct buf url = { 0 };
	struct rng r = { 3 };

	intern_add(&hosts, STR("a.org"));
	for (unsigned i = 0; i < 30; i++)
		add_rule(&set, &r);
	host_rules_init(&v, &set, &hosts);
	buf_add(&url, STR("http://a.org"));
	for (unsigned i = 0; i < TOKENS_MAX; i++)
		buf_add(&url, STR("/a"));
	match_cache_prepare(&s, &v, 0, buf_str(&url), 0);
	match_cache_lookup(&s, &v, 1);
	match_cache_apply(&s, &v, 0);
	CHECK(s.n_found == 0);
}

int main(void)
{
	RUN(urls_that_look_alike_get_the_keys_they_would_get_alone);
	RUN(a_rule_for_all_hosts_but_one_is_seen_on_the_others);
	RUN(a_url_is_cut_where_its_tokens_begin);
	RUN(the_look_is_marks_and_types);
	RUN(a_url_past_the_bounds_has_no_key);
	DONE();
}
