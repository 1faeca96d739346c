#include "base/buf.h"
#include "base/rng.h"
#include "learn/group.h"
#include "test.h"

#define URLS  600
#define RULES 4

static void make_set(struct url_set *s, struct rng *r, struct buf text[URLS])
{
	for (size_t i = 0; i < URLS; i++) {
		char cluster[16];

		snprintf(cluster, sizeof(cluster), "c%u", (unsigned)(i / 3));
		buf_addf(&text[i], "http://h%u.org/%zu", (unsigned)rng_below(r, 5), i);
		url_set_add(s, str_from(cluster), buf_str(&text[i]));
	}
	url_set_seal(s);
}

/* Few keys, so that many meet in and across clusters. */
static uint64_t key_of(uint32_t rule, uint32_t url)
{
	return hash_mix(url / 3 % 80 * 7 + url % (rule + 1)) % 150;
}

static void add_all(struct gathering *v, unsigned n, const struct url_set *urls)
{
	for (uint32_t u = 0; u < urls->n; u++) {
		struct gathering *g = &v[u / 50 % n];

		if (u > 0 && urls->v[u].cluster != urls->v[u - 1].cluster)
			gather_flush(g);
		for (uint32_t rule = 0; rule < RULES; rule++) {
			gather_add(g, rule, u, key_of(rule, u));
			if (u % 7 == 0) /* and once more, out of order */
				gather_add(g, rule, u, key_of(rule, u));
		}
	}
	for (unsigned t = 0; t < n; t++)
		gather_flush(&v[t]);
}

static uint64_t count_pairs(const struct url_set *urls, uint32_t rule, bool wrong_only)
{
	uint64_t n = 0;

	for (uint32_t a = 0; a < urls->n; a++)
		for (uint32_t b = a + 1; b < urls->n; b++)
			n += key_of(rule, a) == key_of(rule, b) &&
			     (!wrong_only || urls->v[a].cluster != urls->v[b].cluster);
	return n;
}

static void check_groups(const struct url_set *urls, const struct groups *g)
{
	uint64_t pairs[RULES] = { 0 }, wrong[RULES] = { 0 };

	for (size_t i = 0; i < g->n; i++) {
		const struct rule_group *x = &g->v[i];
		const uint32_t *m = g->members + x->first;

		CHECK(i == 0 || g->v[i - 1].rule <= x->rule);
		pairs[x->rule] += x->pairs;
		wrong[x->rule] += x->wrong;
		for (uint32_t k = 0; k < x->n; k++) {
			struct str host = intern_str(&urls->hosts, urls->v[m[k]].host);

			CHECK(key_of(x->rule, m[k]) == key_of(x->rule, m[0]));
			CHECK(k == 0 || m[k - 1] < m[k]);
			CHECK(str_cmp(intern_str(&urls->hosts, x->host), host) <= 0);
		}
	}
	for (uint32_t rule = 0; rule < RULES; rule++) {
		CHECK(pairs[rule] == count_pairs(urls, rule, false));
		CHECK(wrong[rule] == count_pairs(urls, rule, true));
	}
}

static void pairs_are_counted_within_and_across_clusters(void)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	struct buf text[URLS] = { 0 };
	struct rng r = { 2 };

	make_set(&urls, &r, text);
	for (unsigned n = 1; n <= 3; n++) {
		cleanup(groups_release) struct groups groups = { 0 };
		struct gathering v[3] = { 0 };

		add_all(v, n, &urls);
		for (size_t part = 0; part < GATHER_PARTS; part++)
			gather_join(v, n, (unsigned)(part % n), part, &urls);
		groups_take(v, n, RULES, &urls, &groups);
		check_groups(&urls, &groups);
	}
	for (size_t i = 0; i < URLS; i++)
		buf_release(&text[i]);
}

int main(void)
{
	RUN(pairs_are_counted_within_and_across_clusters);
	DONE();
}
