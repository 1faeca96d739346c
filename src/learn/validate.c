#include "learn/validate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "learn/match_cache.h"
#include "learn/trial.h"
#include "os/thread.h"

#define THREADS_MAX 64

struct shared {
	const struct rule_set *rules;
	const struct url_set *urls;
	const struct validate_options *o;
	struct host_rules hosts;
	struct trial trial;
	unsigned threads;
	struct gathering *gatherings;
};

struct worker {
	const struct shared *all;
	struct thread thread;
	unsigned nr;
	struct match_cache cache;
	struct gathering *gathering;
	uint32_t url, cluster; /* at hand */
};

static bool takes_part(const struct shared *all, uint32_t url)
{
	const struct validate_options *o = all->o;

	return !o->role || o->role[all->urls->v[url].cluster] & o->use;
}

/* The URL that is the key itself is an instance too, even if the rule leaves it alone. */
static void emit_with_plain(struct worker *w, uint32_t rule, uint32_t url, uint64_t key)
{
	gather_add(w->gathering, rule, url, key);
	uint64_t *plain = map_find(&w->all->urls->by_hash, key);
	if (plain && *plain != url && takes_part(w->all, (uint32_t)*plain))
		gather_add(w->gathering, rule, (uint32_t)*plain, key);
}

static void emit_operation(void *to, uint32_t rule, struct str key)
{
	struct worker *w = to;

	emit_with_plain(w, rule, w->url, hash64(key));
}

/* Glance `nr` is of this URL. */
static void try_rewrites(struct worker *w, size_t nr, uint32_t url)
{
	struct match_cache *s = &w->cache;

	match_cache_apply(s, &w->all->hosts, nr);
	for (size_t i = 0; i < s->n_found; i++)
		if (w->all->o->with_plain)
			emit_with_plain(w, s->found[i].rule, url, s->found[i].key);
		else
			gather_add(w->gathering, s->found[i].rule, url, s->found[i].key);
}

static void try_urls(struct worker *w, const uint32_t *urls, size_t n)
{
	const struct shared *all = w->all;

	for (size_t i = 0; i < n; i++)
		match_cache_prepare(&w->cache, &all->hosts, i, all->urls->v[urls[i]].url,
				    all->urls->v[urls[i]].host);
	match_cache_lookup(&w->cache, &all->hosts, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t cluster = all->urls->v[urls[i]].cluster;

		if (cluster != w->cluster)
			gather_flush(w->gathering);
		w->cluster = cluster;
		try_rewrites(w, i, urls[i]);
		w->url = urls[i];
		if (all->trial.any)
			trial_run(&all->trial, all->urls->v[urls[i]].url, emit_operation,
				  w);
	}
}

#define BLOCK 4096

static void run_try(void *arg)
{
	struct worker *w = arg;
	const struct shared *all = w->all;
	uint32_t urls[MATCH_BATCH_MAX];
	size_t n = 0;

	for (size_t from = w->nr * BLOCK; from < all->urls->n;
	     from += (size_t)all->threads * BLOCK)
		for (size_t i = from; i < MIN(from + BLOCK, all->urls->n); i++) {
			if (!takes_part(all, (uint32_t)i))
				continue;
			urls[n++] = (uint32_t)i;
			if (n == MATCH_BATCH_MAX)
				try_urls(w, urls, n), n = 0;
		}
	try_urls(w, urls, n);
	gather_flush(w->gathering);
}

/* Every so many-th part, from all threads. */
static void run_join(void *arg)
{
	struct worker *w = arg;

	for (size_t p = w->nr; p < GATHER_PARTS; p += w->all->threads)
		gather_join(w->all->gatherings, w->all->threads, w->nr, p, w->all->urls);
}

static void run_all(struct worker *w, unsigned n, void (*fn)(void *))
{
	for (unsigned i = 1; i < n; i++)
		if (thread_start(&w[i].thread, "validate", fn, &w[i], NULL) != ST_OK)
			fn(&w[i]); /* no thread to be had: do its work here */
	fn(&w[0]);
	for (unsigned i = 1; i < n; i++)
		thread_join(&w[i].thread);
}

void validate(const struct rule_set *rules, const struct url_set *urls,
	      const struct validate_options *options, struct groups *ret)
{
	unsigned n = MIN(MAX(options->threads, 1u), THREADS_MAX);
	struct shared all = { rules, urls, options, .threads = n };
	struct worker *w = xcalloc(n, sizeof(*w));

	all.gatherings = xcalloc(n, sizeof(*all.gatherings));
	host_rules_init(&all.hosts, rules, &urls->hosts);
	trial_init(&all.trial, rules);
	for (unsigned i = 0; i < n; i++)
		w[i] = (struct worker){ .all = &all,
					.nr = i,
					.gathering = &all.gatherings[i] };
	run_all(w, n, run_try);
	for (unsigned i = 0; i < n; i++)
		match_cache_release(&w[i].cache);
	run_all(w, n, run_join);
	groups_take(all.gatherings, n, rules->n, urls, ret);
	free(all.gatherings);
	free(w);
	host_rules_release(&all.hosts);
	trial_release(&all.trial);
}
