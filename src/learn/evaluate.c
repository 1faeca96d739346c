#include "learn/evaluate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "os/clock.h"
#include "url/suffix.h"

double metrics_compression(const struct metrics *m)
{
	return m->urls ? (double)(m->urls - m->keys) / (double)m->urls : 0;
}

double metrics_coverage(const struct metrics *m)
{
	double before = (double)(m->urls - m->clusters);

	return before > 0 ? 1 - (double)(m->keys - m->clusters_left) / before : 0;
}

double metrics_precision(const struct metrics *m)
{
	return m->instances ? (double)m->right / (double)m->instances : 1;
}

void metrics_add(struct metrics *to, const struct metrics *m)
{
	to->urls += m->urls;
	to->clusters += m->clusters;
	to->keys += m->keys;
	to->clusters_left += m->clusters_left;
	to->instances += m->instances;
	to->right += m->right;
	to->collapsed_wrong += m->collapsed_wrong;
	to->applied += m->applied;
	to->apply_s += m->apply_s;
}

double metrics_per_rule(const struct metrics *m)
{
	return m->applied ? (double)(m->urls - m->keys) / (double)m->applied : 0;
}

struct measuring {
	const struct url_set *urls;
	const struct rule_index *rules;
	struct metrics *m;
	struct sort_pair *keys; /* key: hash of the key; value: URL */
	size_t n;
	uint32_t *parent; /* clusters that share a key, as a union-find */
	bool *applied;    /* by rule */
	struct rule_scratch scratch;
};

static uint32_t find_root(uint32_t *parent, uint32_t c)
{
	while (parent[c] != c)
		c = parent[c] = parent[parent[c]];
	return c;
}

static void mark_applied(struct measuring *w, uint32_t url)
{
	struct rule_applied a;

	rule_index_apply(w->rules, w->urls->v[url].url, &w->scratch, &a);
	for (size_t i = 0; i < a.used.n; i++)
		w->applied[a.used.rule[i]] = true;
	if (a.rewrite != RULE_NONE)
		w->applied[a.rewrite] = true;
}

/* URLs v[0..n) have one key; they are in order of place, so clusters are together. */
static void measure_group(struct measuring *w, const struct sort_pair *v, size_t n)
{
	uint64_t right = 0, distinct = 0;

	for (size_t i = 0; i < n; distinct++) {
		uint32_t c = w->urls->v[v[i].value].cluster;
		size_t from = i;

		while (i < n && w->urls->v[v[i].value].cluster == c)
			i++;
		right += (uint64_t)(i - from) * (i - from - 1) / 2;
		uint32_t a = find_root(w->parent, w->urls->v[v[0].value].cluster);
		uint32_t b = find_root(w->parent, c);
		if (a != b) {
			w->parent[b] = a;
			w->m->clusters_left--;
		}
	}
	w->m->keys++;
	w->m->instances += (uint64_t)n * (n - 1) / 2;
	w->m->right += right;
	w->m->collapsed_wrong += distinct - 1;
	for (size_t i = 0; n > 1 && i < n; i++)
		mark_applied(w, (uint32_t)v[i].value);
}

static void report_wrong(struct measuring *w, const struct sort_pair *v, size_t n,
			 wrong_merge_fn wrong, void *arg)
{
	for (size_t i = 1; i < n; i++) {
		const struct url_entry *a = &w->urls->v[v[i - 1].value];
		const struct url_entry *b = &w->urls->v[v[i].value];
		struct rule_applied applied;

		if (a->cluster == b->cluster)
			continue;
		rule_index_apply(w->rules, a->url, &w->scratch, &applied);
		wrong(arg, &(struct wrong_merge){ a->url, b->url, applied.key,
						  applied.rewrite });
	}
}

static void collect_keys(struct measuring *w, const uint8_t *role, uint8_t use)
{
	struct rule_applied a;

	for (size_t c = 0; c < w->urls->n_clusters; c++) {
		if (role && !(role[c] & use))
			continue;
		w->m->clusters++;
		w->m->clusters_left++;
		for (size_t i = w->urls->first[c]; i < w->urls->first[c + 1]; i++) {
			rule_index_apply(w->rules, w->urls->v[i].url, &w->scratch, &a);
			w->keys[w->n++] = (struct sort_pair){ hash64(a.key), i };
		}
	}
	w->m->urls += w->n;
}

void measure(const struct url_set *urls, const uint8_t *role, uint8_t use,
	     const struct rule_index *rules, struct metrics *add_to, wrong_merge_fn wrong,
	     void *arg)
{
	struct measuring w = { .urls = urls, .rules = rules, .m = add_to };
	struct sort_pair *scratch = xrealloc(NULL, urls->n + 1, sizeof(*scratch));
	int64_t start = clock_mono_ns(&real_clock);

	w.keys = xrealloc(NULL, urls->n + 1, sizeof(*w.keys));
	w.parent = xrealloc(NULL, urls->n_clusters + 1, sizeof(*w.parent));
	w.applied = xcalloc(rules->set->n + 1, sizeof(*w.applied));
	for (uint32_t c = 0; c < urls->n_clusters; c++)
		w.parent[c] = c;
	collect_keys(&w, role, use);
	add_to->apply_s += (double)(clock_mono_ns(&real_clock) - start) / 1e9;
	sort_pairs(w.keys, scratch, w.n);
	for (size_t i = 0; i < w.n;) {
		size_t from = i;

		while (i < w.n && w.keys[i].key == w.keys[from].key)
			i++;
		measure_group(&w, w.keys + from, i - from);
		if (wrong)
			report_wrong(&w, w.keys + from, i - from, wrong, arg);
	}
	for (size_t r = 0; r < rules->set->n; r++)
		add_to->applied += w.applied[r];
	free(scratch);
	free(w.keys);
	free(w.parent);
	free(w.applied);
	rule_scratch_release(&w.scratch);
}

void folds_release(struct folds *f)
{
	free(f->fold);
	*f = (struct folds){ 0 };
}

/* The host that has most URLs of the cluster; of several the first. */
static uint32_t main_host(const struct url_set *urls, size_t c)
{
	size_t from = urls->first[c], to = urls->first[c + 1], most = 0;
	uint32_t best = urls->v[from].host;

	to = MIN(to, from + 64);
	for (size_t i = from; i < to; i++) {
		size_t n = 0;

		for (size_t k = from; k < to; k++)
			n += urls->v[k].host == urls->v[i].host;
		if (n > most) {
			most = n;
			best = urls->v[i].host;
		}
	}
	return best;
}

/* A cluster's number in the shuffled order; by its first URL in byte order. */
static uint64_t cluster_rank(const struct url_set *urls, size_t c, uint64_t seed)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = urls->first[c]; i < urls->first[c + 1]; i++)
		least = MIN(least, hash64_seeded(urls->v[i].url, seed));
	return least;
}

double cluster_share(const struct url_set *urls, size_t cluster, uint64_t seed)
{
	uint64_t rank = cluster_rank(urls, cluster, seed);

	/* Hashed again: the rank is the least of its URLs, and small in large clusters.
	 */
	rank = hash64_seeded((struct str){ (const char *)&rank, sizeof(rank) }, seed);
	return (double)(rank >> 11) / 0x1p53;
}

/* Each host deals the clusters that have duplicates, then those alone, in turn. */
static void deal_within_hosts(const struct url_set *urls, const struct sort_pair *order,
			      struct folds *ret)
{
	uint32_t *several = xcalloc(urls->hosts.n + 1, sizeof(*several));
	uint32_t *dealt = xcalloc(urls->hosts.n + 1, sizeof(*dealt));

	for (size_t c = 0; c < urls->n_clusters; c++)
		if (urls->first[c + 1] - urls->first[c] > 1)
			several[main_host(urls, c)]++;
	for (int alone = 0; alone <= 1; alone++)
		for (size_t i = 0; i < urls->n_clusters; i++) {
			size_t c = order[i].value;
			uint32_t h = main_host(urls, c);

			if ((urls->first[c + 1] - urls->first[c] == 1) != alone ||
			    several[h] < 2)
				continue;
			ret->fold[c] = (uint8_t)((h + dealt[h]++) % ret->n);
		}
	free(several);
	free(dealt);
}

void folds_make(const struct url_set *urls, unsigned n, uint64_t seed, bool within_hosts,
		struct folds *ret)
{
	struct sort_pair *order = xrealloc(NULL, urls->n_clusters + 1, sizeof(*order));
	struct sort_pair *scratch =
		xrealloc(NULL, urls->n_clusters + 1, sizeof(*scratch));

	*ret = (struct folds){ .fold = xcalloc(urls->n_clusters + 1, 1), .n = n };
	for (size_t c = 0; c < urls->n_clusters; c++) {
		order[c] = (struct sort_pair){ cluster_rank(urls, c, seed), c };
		ret->fold[c] = (uint8_t)(within_hosts ? FOLD_NONE : order[c].key % n);
	}
	if (within_hosts) {
		sort_pairs(order, scratch, urls->n_clusters);
		deal_within_hosts(urls, order, ret);
	}
	free(order);
	free(scratch);
}

void folds_make_of_domains(const struct url_set *urls, unsigned n, uint64_t seed,
			   struct folds *ret)
{
	*ret = (struct folds){ .fold = xcalloc(urls->n_clusters + 1, 1), .n = n };
	for (size_t c = 0; c < urls->n_clusters; c++) {
		struct str host = intern_str(&urls->hosts, main_host(urls, c));

		ret->fold[c] = (uint8_t)(hash64_seeded(suffix_site(host), seed) % n);
	}
}

void folds_roles(const struct folds *f, size_t n_clusters, unsigned nr, uint8_t *ret)
{
	for (size_t c = 0; c < n_clusters; c++) {
		unsigned after = (f->fold[c] + f->n - nr) % f->n; /* 0 is the test fold */

		if (f->fold[c] == FOLD_NONE)
			ret[c] = 0;
		else if (after == 0)
			ret[c] = ROLE_TEST;
		else if (f->n == 2 || f->pooled)
			ret[c] = ROLE_TRAIN | ROLE_VALIDATE;
		else
			ret[c] = after <= f->n / 2 ? ROLE_TRAIN : ROLE_VALIDATE;
	}
}
