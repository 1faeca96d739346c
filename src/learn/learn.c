#include "learn/learn.h"

#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "baseline/baseline.h"
#include "dust/index.h"
#include "learn/prune.h"
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
	for (size_t i = from; n <= SAMPLE_MAX && i < from + n; i++)
		if (s->v[i].url.p == url.p)
			return s->v[i].host;
	return intern_find(&s->hosts, dust_host(url));
}

/* The hosts of the sample; mostly the cluster has but one. */
static size_t sample_hosts(const struct offering *w, size_t from, size_t n,
			   uint32_t hosts[SAMPLE_MAX])
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
	uint32_t hosts[SAMPLE_MAX];

	offer_end(&w->work, &w->o->offer, &w->offers);
	uint64_t known = w->offers.known;
	if (known == OFFER_NOTHING || (w->offers.n == 0 && known == 0)) {
		remember(w, OFFER_NOTHING);
		return;
	}
	size_t n_hosts = sample_hosts(w, from, n, hosts);
	if (known)
		candidates_repeat(&w->found, (uint32_t)known - 1, hosts, n_hosts);
	for (size_t i = 0; i < w->offers.n; i++)
		remember(w, 1 + candidates_add(&w->found, w->offers.text[i], hosts,
					       n_hosts));
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
	struct baseline_options baseline = { o->role, o->offer.sample, o->offer.seed };

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

/* What a rule did on one host. */
struct site_count {
	uint32_t host;
	uint64_t pairs, wrong;
};

struct selecting {
	const struct rule_set *candidates;
	const struct groups *groups;
	const struct intern *hosts;
	const struct learn_options *o;
	struct site_count *sites; /* of the rule at hand */
	size_t n_sites, sites_cap;
	uint32_t *site_of; /* host -> place in `sites` + 1, or 0 */
	struct str *names; /* of hosts, while a list is made */
	size_t names_cap;
};

static void count_sites(struct selecting *s, size_t from, size_t to)
{
	for (size_t i = 0; i < s->n_sites; i++)
		s->site_of[s->sites[i].host] = 0;
	s->n_sites = 0;
	for (size_t i = from; i < to; i++) {
		const struct rule_group *g = &s->groups->v[i];
		uint32_t *at = &s->site_of[g->host];

		if (*at == 0) {
			VEC_ADD(s->sites, s->n_sites, s->sites_cap,
				(struct site_count){ .host = g->host });
			*at = (uint32_t)s->n_sites;
		}
		s->sites[*at - 1].pairs += g->pairs;
		s->sites[*at - 1].wrong += g->wrong;
	}
}

static bool is_against(const struct selecting *s, const struct site_count *c)
{
	return (double)c->wrong > s->o->fpr_max * (double)c->pairs;
}

static bool names_its_hosts(const struct rule *r)
{
	return r->is_operation && (r->operation.kind == OPERATION_HOST ||
				   r->operation.kind == OPERATION_SUBDOMAIN);
}

static size_t count_against(const struct selecting *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_sites; i++)
		n += is_against(s, &s->sites[i]);
	return n;
}

/*
 * Enough sites confirm it, and those against it are within the allowed rate, or so few
 * that the next site is as likely to agree as after `least` sites with none against:
 * Laplace's rule of succession gives (against + 1) / (for_it + against + 2) for a
 * failure there, which must not pass 1 / (least + 2).  Labels are noisy; one doubtful
 * page among a hundred sites says less than the three that are believed otherwise.
 */
static bool is_universal(const struct selecting *s, const struct rule *r)
{
	size_t against = count_against(s), for_it = s->n_sites - against;
	size_t least = s->o->universal_sites;

	if (names_its_hosts(r) || r->universal) /* the second: known before */
		return true;
	if (!r->is_operation || least == 0 || for_it < least)
		return false;
	return (double)against <= s->o->fpr_max * (double)s->n_sites ||
	       for_it >= least + (least + 1) * against;
}

static struct str host_name(const struct selecting *s, const struct site_count *c)
{
	return intern_str(s->hosts, c->host);
}

/* The hosts where the rule failed, by name. */
static size_t names_against(struct selecting *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_sites; i++)
		if (is_against(s, &s->sites[i])) {
			VEC_RESERVE(s->names, s->names_cap, n + 1);
			s->names[n++] = host_name(s, &s->sites[i]);
		}
	return n;
}

static void drop_sites_against(struct selecting *s, struct rule_set *in, struct rule *r)
{
	struct rule against = { .is_operation = r->is_operation };
	size_t n = names_against(s), kept = 0;

	if (n == 0)
		return;
	rule_set_sites(in, &against, s->names, n);
	VEC_RESERVE(s->names, s->names_cap, (size_t)r->n_sites + 1);
	for (size_t i = 0; i < r->n_sites; i++)
		if (!rule_covers(&against, r->sites[i]))
			s->names[kept++] = r->sites[i];
	rule_set_sites(in, r, s->names, kept);
}

/* Decide the reach of the rule and count its evidence within it. */
static bool holds(struct selecting *s, struct rule_set *in, struct rule *r)
{
	struct rule_evidence *e = &r->evidence;
	size_t against = count_against(s);
	bool known = r->universal;

	if (s->o->families) {
		if (is_universal(s, r)) {
			r->universal = true;
			rule_set_except(in, r, s->names, names_against(s));
		} else {
			drop_sites_against(s, in, r);
		}
	}
	for (size_t i = 0; i < s->n_sites; i++) {
		if (s->o->families && !rule_covers(r, host_name(s, &s->sites[i])))
			continue;
		e->support += s->sites[i].pairs;
		e->wrong += s->sites[i].wrong;
	}
	if (known)
		return against <= s->n_sites - against;
	return e->support >= s->o->min_support && e->support > e->wrong &&
	       (double)e->wrong <= s->o->fpr_max * (double)e->support;
}

/* A candidate that holds, and its groups. */
struct holding {
	struct rule rule;
	size_t from, to;
};

struct holdings {
	struct holding *v;
	size_t n, cap;
};

static int cmp_holdings(const void *a, const void *b)
{
	return rule_cmp(&((const struct holding *)a)->rule,
			&((const struct holding *)b)->rule);
}

/* The groups of a rule as far as it reaches; all of them, but for families. */
static struct group_span add_reached(const struct selecting *s, const struct holding *h,
				     struct groups *to)
{
	struct group_span span = { to->n, 0 };

	for (size_t i = h->from; i < h->to; i++)
		if (rule_covers(&h->rule, intern_str(s->hosts, s->groups->v[i].host)))
			VEC_ADD(to->v, to->n, to->cap, s->groups->v[i]);
	span.to = to->n;
	return span;
}

static void keep_needed(const struct selecting *s, struct holdings *h, size_t n_urls,
			struct rule_set *ret)
{
	bool *redundant = xcalloc(h->n + 1, sizeof(*redundant));
	struct group_span *spans = xrealloc(NULL, h->n + 1, sizeof(*spans));
	struct groups reached = { .members = s->groups->members };

	if (h->n > 1)
		qsort(h->v, h->n, sizeof(*h->v), cmp_holdings);
	for (size_t i = 0; i < h->n; i++)
		spans[i] = s->o->families
				   ? add_reached(s, &h->v[i], &reached)
				   : (struct group_span){ h->v[i].from, h->v[i].to };
	prune(s->o->families ? &reached : s->groups, spans, h->n, n_urls, redundant);
	for (size_t i = 0; i < h->n; i++)
		if (!redundant[i])
			rule_set_copy(ret, &h->v[i].rule);
	free(reached.v);
	free(spans);
	free(redundant);
}

/* What is known and met no URL of the validation set is believed as before. */
static void add_untried(const struct rule_set *candidates, const bool *tried,
			struct holdings *h)
{
	for (size_t i = 0; i < candidates->n; i++)
		if (candidates->v[i].universal && !tried[i])
			VEC_ADD(h->v, h->n, h->cap,
				(struct holding){ candidates->v[i], 0, 0 });
}

void learn_select(const struct rule_set *candidates, const struct groups *groups,
		  const struct intern *hosts, size_t n_urls,
		  const struct learn_options *options, struct rule_set *ret,
		  struct learn_report *report)
{
	struct selecting s = { candidates, groups, hosts, options };
	struct rule_set in = { 0 }; /* memory for the lists of sites */
	struct holdings h = { 0 };
	bool *tried = xcalloc(candidates->n + 1, sizeof(*tried));

	s.site_of = xcalloc(hosts->n + 1, sizeof(*s.site_of));
	for (size_t i = 0; i < groups->n;) {
		size_t from = i;

		while (i < groups->n && groups->v[i].rule == groups->v[from].rule)
			i++;
		struct rule r = candidates->v[groups->v[from].rule];
		tried[groups->v[from].rule] = true;
		count_sites(&s, from, i);
		if (holds(&s, &in, &r))
			VEC_ADD(h.v, h.n, h.cap, (struct holding){ r, from, i });
	}
	add_untried(candidates, tried, &h);
	free(tried);
	report->valid += h.n;
	keep_needed(&s, &h, n_urls, ret);
	report->kept = ret->n;
	free(h.v);
	free(s.sites);
	free(s.names);
	free(s.site_of);
	rule_set_release(&in);
}

static double seconds_since(int64_t *since)
{
	int64_t now = clock_mono_ns(&real_clock), before = *since;

	*since = now;
	return (double)(now - before) / 1e9;
}

/* What is believed already joins the candidates; one of them may have been offered, too.
 */
static void add_known(const struct rule_set *known, struct rule_set *candidates)
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
		add_known(o->known, &candidates);
	report->candidates += candidates.n;
	report->offer_s += seconds_since(&since);
	report->offer_cpu_s += (double)(clock() - cpu) / CLOCKS_PER_SEC;
	validate(&candidates, urls, &v, &groups);
	report->validate_s += seconds_since(&since);
	learn_select(&candidates, &groups, &urls->hosts, urls->n, o, ret, report);
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
	if (!o->families)
		o->universal_sites = 0;
}

void learn(const struct url_set *urls, const struct learn_options *o,
	   struct rule_set *ret, struct learn_report *report)
{
	cleanup(rule_index_release) struct rule_index operations = { 0 };
	cleanup(url_set_release) struct url_set left = { 0 };
	struct learn_options how = *o;

	*report = (struct learn_report){ 0 };
	if (!o->families) {
		learn_round(urls, o, ret, report);
		return;
	}
	how.offer.what = OFFER_OPERATIONS;
	learn_round(urls, &how, ret, report);
	rule_index_build(&operations, ret);
	url_set_rewrite(urls, &operations, o->threads, &left);
	how.offer.what = OFFER_SEED | OFFER_GENERAL;
	learn_round(&left, &how, ret, report);
}
