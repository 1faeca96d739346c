#include "learn/learn.h"

#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "baseline/baseline.h"
#include "dust/index.h"
#include "learn/select.h"
#include "os/clock.h"
#include "os/thread.h"

#define THREADS_MAX 64
#define BLOCK       1024 /* clusters a turn */
#define MEMORY_MAX  ((size_t)1 << 18)

struct offering {
	const struct url_set *urls;
	const struct learn_options *o;
	struct thread thread;
	unsigned nr, threads;
	struct offer_work work;
	struct offers offers;
	struct candidates found;
	struct str *list; /* the URLs of the cluster at hand */
	size_t list_cap;
	struct numbers numbers;
	struct deferred *later;
	size_t n_later, later_cap;
	const struct numbers *all_numbers; /* of all threads, in the second turn */
	struct map memory; /* of what a cluster offers -> number of the text, + 1 */
};

/* A cluster that offers nothing when its number is rare. */
struct deferred {
	uint32_t cluster, place;
};

static bool trains(const struct learn_options *o, size_t cluster)
{
	return !o->role || o->role[cluster] & ROLE_TRAIN;
}

/* The host of a URL of the cluster.  In a small one the URL is found faster. */
static uint32_t host_of(const struct url_set *s, size_t from, size_t n, struct str url)
{
	for (size_t i = from; n <= SAMPLE_PAIRED_MAX && i < from + n; i++)
		if (s->v[i].url.p == url.p)
			return s->v[i].host;
	return intern_find(&s->hosts, dust_host(url));
}

/* The hosts of the sample; mostly the cluster has but one. */
static size_t sample_hosts(const struct offering *w, size_t from, size_t n,
			   uint32_t *hosts)
{
	const struct url_set *s = w->urls;
	size_t n_hosts = 1, same = 1;

	hosts[0] = s->v[from].host;
	while (same < n && s->v[from + same].host == hosts[0])
		same++;
	if (same == n)
		return 1;
	n_hosts = 0;
	for (size_t i = 0; i < w->offers.n_sample; i++) {
		uint32_t h = host_of(s, from, n, w->offers.sample[i]);
		size_t k = 0;

		while (k < n_hosts && hosts[k] != h)
			k++;
		if (k == n_hosts)
			hosts[n_hosts++] = h;
	}
	return n_hosts;
}

/* The cluster's sample is chosen; false when it has not two URLs. */
static bool begin_cluster(struct offering *w, size_t cluster)
{
	const struct url_set *s = w->urls;
	size_t from = s->first[cluster], n = s->first[cluster + 1] - from;

	if (n < 2)
		return false;
	VEC_RESERVE(w->list, w->list_cap, n);
	for (size_t i = 0; i < n; i++)
		w->list[i] = s->v[from + i].url;
	offer_begin(&w->work, &w->o->offer, w->list, n, &w->offers);
	return true;
}

/* What clusters like this one offer; one that has such is of one text at most. */
static void remember(struct offering *w, uint64_t what)
{
	if (w->offers.same && !w->offers.known && w->memory.n < MEMORY_MAX)
		*map_add(&w->memory, w->offers.same, NULL) = what;
}

static void end_cluster(struct offering *w, size_t cluster)
{
	size_t from = w->urls->first[cluster], n = w->urls->first[cluster + 1] - from;
	uint32_t few[SAMPLE_PAIRED_MAX], *hosts = few;

	offer_end(&w->work, &w->o->offer, &w->offers);
	uint64_t known = w->offers.known;
	if (known == OFFER_NOTHING || (w->offers.n == 0 && known == 0)) {
		remember(w, OFFER_NOTHING);
		return;
	}
	if (w->offers.n_sample > SAMPLE_PAIRED_MAX)
		hosts = xrealloc(NULL, w->offers.n_sample, sizeof(*hosts));
	size_t n_hosts = sample_hosts(w, from, n, hosts);
	if (known)
		candidates_repeat(&w->found, (uint32_t)known - 1, hosts, n_hosts);
	for (size_t i = 0; i < w->offers.n; i++)
		remember(w, 1 + candidates_add(&w->found, w->offers.text[i], hosts,
					       n_hosts));
	if (hosts != few)
		free(hosts);
}

static bool defer_cluster(struct offering *w, size_t cluster)
{
	uint64_t number;

	if (!offer_defer(&w->work, &w->o->offer, &w->offers, &number))
		return false;
	VEC_ADD(w->later, w->n_later, w->later_cap,
		(struct deferred){ (uint32_t)cluster,
				   (uint32_t)numbers_place(&w->numbers, number) });
	return true;
}

static void run_offers(void *arg)
{
	struct offering *w = arg;

	w->work.memory = &w->memory;
	if (w->o->min_freq > 1 && offer_uses_cache(&w->o->offer)) {
		numbers_init(&w->numbers, w->urls->n_clusters);
		w->work.numbers = &w->numbers;
	}
	for (size_t from = w->nr * BLOCK; from < w->urls->n_clusters;
	     from += (size_t)w->threads * BLOCK)
		for (size_t c = from; c < MIN(from + BLOCK, w->urls->n_clusters); c++)
			if (trains(w->o, c) && begin_cluster(w, c) &&
			    !defer_cluster(w, c))
				end_cluster(w, c);
	numbers_flush(&w->numbers);
}

/* Of the clusters left alone, those whose number was seen often enough. */
static void run_deferred(void *arg)
{
	struct offering *w = arg;
	uint64_t least = MIN(w->o->min_freq, NUMBERS_MANY);

	w->work.numbers = NULL;
	for (size_t i = 0; i < w->n_later; i++)
		if (w->all_numbers->count[w->later[i].place] >= least &&
		    begin_cluster(w, w->later[i].cluster))
			end_cluster(w, w->later[i].cluster);
}

static void run_all(struct offering *w, unsigned n, void (*fn)(void *))
{
	for (unsigned i = 1; i < n; i++)
		if (thread_start(&w[i].thread, "offer", fn, &w[i], NULL) != ST_OK)
			fn(&w[i]); /* no thread to be had: do its work here */
	fn(&w[0]);
	for (unsigned i = 1; i < n; i++)
		thread_join(&w[i].thread);
}

static void offer_all(const struct url_set *urls, const struct learn_options *o,
		      struct candidates *ret)
{
	unsigned n = MIN(MAX(o->threads, 1u), THREADS_MAX);
	struct offering *w = xcalloc(n, sizeof(*w));

	for (unsigned i = 0; i < n; i++) {
		w[i].urls = urls;
		w[i].o = o;
		w[i].nr = i;
		w[i].threads = n;
		w[i].all_numbers = &w[0].numbers;
	}
	run_all(w, n, run_offers);
	for (unsigned i = 1; i < n; i++)
		numbers_merge(&w[0].numbers, &w[i].numbers);
	if (w[0].numbers.count)
		run_all(w, n, run_deferred);
	*ret = TAKE(w[0].found);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			candidates_merge(ret, &w[i].found);
		candidates_release(&w[i].found);
		offer_work_release(&w[i].work);
		offers_release(&w[i].offers);
		numbers_release(&w[i].numbers);
		map_release(&w[i].memory);
		free(w[i].list);
		free(w[i].later);
	}
	free(w);
}

void learn_candidates(const struct url_set *urls, const struct learn_options *o,
		      struct candidates *ret)
{
	struct baseline_options baseline = { o->role,
					     o->offer.sample ? o->offer.sample
							     : SAMPLE_PAIRED_MAX,
					     o->offer.seed };

	switch (o->method) {
	case LEARN_DUSTLIN:
	case LEARN_DUSTER:
		offer_all(urls, o, ret);
		return;
	case LEARN_FANOUT:
		fanout_candidates(urls, &baseline, ret);
		return;
	case LEARN_TREE:
		tree_candidates(urls, &baseline, ret);
		return;
	}
}

static double seconds_since(int64_t *since)
{
	int64_t now = clock_mono_ns(&real_clock), before = *since;

	*since = now;
	return (double)(now - before) / 1e9;
}

/* What is believed already joins the candidates; one of them may have been offered, too.
 */
void learn_add_known(const struct rule_set *known, struct rule_set *candidates)
{
	struct map by_text = { 0 };

	for (size_t i = 0; i < candidates->n; i++)
		*map_add(&by_text, hash64(candidates->v[i].text), NULL) = i + 1;
	for (size_t i = 0; i < known->n; i++) {
		const struct rule *r = &known->v[i];
		uint64_t *at = map_find(&by_text, hash64(r->text));

		if (!r->is_operation || !rule_is_active(r))
			continue;
		struct rule *c =
			at ? &candidates->v[*at - 1] : rule_set_copy(candidates, r);
		c->universal = true;
	}
	map_release(&by_text);
}

/* Candidates, validation and selection; adds to `ret` and to the report. */
static void learn_round(const struct url_set *urls, const struct learn_options *o,
			struct rule_set *ret, struct learn_report *report)
{
	cleanup(candidates_release) struct candidates found = { 0 };
	cleanup(rule_set_release) struct rule_set candidates = { 0 };
	cleanup(groups_release) struct groups groups = { 0 };
	struct validate_options v = { .role = o->role,
				      .use = ROLE_VALIDATE,
				      .threads = o->threads,
				      .with_plain = o->method >= LEARN_FANOUT };
	int64_t since = clock_mono_ns(&real_clock);
	clock_t cpu = clock();

	learn_candidates(urls, o, &found);
	candidates_take(&found, o->min_freq, &urls->hosts, &candidates);
	if (o->known && o->offer.what == OFFER_OPERATIONS)
		learn_add_known(o->known, &candidates);
	report->candidates += candidates.n;
	report->offer_s += seconds_since(&since);
	report->offer_cpu_s += (double)(clock() - cpu) / CLOCKS_PER_SEC;
	validate(&candidates, urls, &v, &groups);
	report->validate_s += seconds_since(&since);
	learn_select(&candidates, &groups, urls, o, ret, report);
	report->prune_s += seconds_since(&since);
}

void learn_set_method(struct learn_options *o, enum learn_method method, bool families)
{
	bool is_baseline = method == LEARN_FANOUT || method == LEARN_TREE;

	o->method = method;
	o->families = families && !is_baseline;
	if (method == LEARN_DUSTER)
		o->offer.method = MULTI_PROGRESSIVE;
	if (is_baseline)
		o->min_freq = 1;
	if (!o->families) {
		o->universal_sites = 0;
		o->doubt = false;
	}
}

void learn_set_least(struct learn_options *o, size_t clusters)
{
	if (o->min_freq == 0)
		for (o->min_freq = 2; clusters >= 10000; clusters /= 10)
			o->min_freq++;
	if (o->min_support == 0)
		o->min_support = o->doubt ? 1 : MAX(o->min_freq, 2u);
}

/* Those of several URLs that rules are learnt from. */
static size_t count_clusters(const struct url_set *urls, const struct learn_options *o)
{
	size_t n = 0;

	for (size_t c = 0; c < urls->n_clusters; c++)
		n += trains(o, c) && urls->first[c + 1] - urls->first[c] > 1;
	return n;
}

void learn(const struct url_set *urls, const struct learn_options *o,
	   struct rule_set *ret, struct learn_report *report)
{
	cleanup(rule_index_release) struct rule_index operations = { 0 };
	cleanup(url_set_release) struct url_set left = { 0 };
	struct learn_options how = *o;

	*report = (struct learn_report){ 0 };
	learn_set_least(&how, count_clusters(urls, o));
	if (!o->families) {
		learn_round(urls, &how, ret, report);
		return;
	}
	how.offer.what = OFFER_OPERATIONS;
	learn_round(urls, &how, ret, report);
	rule_index_build(&operations, ret);
	url_set_rewrite(urls, &operations, o->threads, &left);
	how.offer.what = OFFER_SEED | OFFER_GENERAL;
	how.noise = o->noise > 0 ? o->noise : learn_noise_of(ret);
	learn_round(&left, &how, ret, report);
}
