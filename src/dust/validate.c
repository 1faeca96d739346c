#include "dust/validate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "dust/sight.h"
#include "dust/trial.h"
#include "os/thread.h"

#define THREADS_MAX 64
/* Tuples are kept apart by some bits of their hash: what is grouped at a time is then
 * small enough to stay in the cache.  Not the bits that sorting begins with. */
#define PARTS 64

/* key: hash of rule and canonical form; value: rule << 32 | URL. */
struct tuples {
	struct sort_pair *v;
	size_t n, cap;
};

struct shared {
	const struct rule_set *rules;
	const struct url_set *urls;
	const struct validate_options *o;
	struct rule_index index;
	struct view view;
	struct trial trial;
	unsigned threads;
};

struct worker {
	const struct shared *all;
	struct thread thread;
	unsigned nr;
	struct tuples parts[PARTS];
	struct sights sights;
	uint32_t url; /* on which operations are tried */
	struct groups groups;
	struct worker *others;
};

/* `key` is the hash of one. */
static void emit(struct worker *w, uint32_t rule, uint32_t url, uint64_t key)
{
	uint64_t hash = hash_mix(key ^ hash_mix(rule + 1));
	struct tuples *t = &w->parts[hash >> 32 & (PARTS - 1)];

	VEC_ADD(t->v, t->n, t->cap,
		(struct sort_pair){ hash, (uint64_t)rule << 32 | url });
}

static bool takes_part(const struct shared *all, uint32_t url)
{
	const struct validate_options *o = all->o;

	return !o->role || o->role[all->urls->v[url].cluster] & o->use;
}

/* The URL that is the key itself is an instance too, even if the rule leaves it alone. */
static void emit_with_plain(struct worker *w, uint32_t rule, uint32_t url, uint64_t key)
{
	emit(w, rule, url, key);
	uint64_t *plain = map_find(&w->all->urls->by_hash, key);
	if (plain && *plain != url && takes_part(w->all, (uint32_t)*plain))
		emit(w, rule, (uint32_t)*plain, key);
}

static void emit_operation(void *to, uint32_t rule, struct str key)
{
	struct worker *w = to;

	emit_with_plain(w, rule, w->url, hash64(key));
}

/* Glance `nr` is of this URL. */
static void try_rewrites(struct worker *w, size_t nr, uint32_t url)
{
	struct sights *s = &w->sights;
	struct sight seen = sights_take(s, &w->all->view, nr);

	for (uint32_t i = 0; i < seen.n_forms; i++) {
		const struct key_form *f = &s->forms[seen.form + i];
		uint64_t key = hash64(sights_key(s, nr, f));

		for (uint32_t k = 0; k < f->n_rules; k++)
			if (w->all->o->with_plain)
				emit_with_plain(w, s->rules[f->rule + k], url, key);
			else
				emit(w, s->rules[f->rule + k], url, key);
	}
}

static void try_urls(struct worker *w, const uint32_t *urls, size_t n)
{
	const struct shared *all = w->all;

	for (size_t i = 0; i < n; i++) {
		w->sights.glances[i].url = all->urls->v[urls[i]].url;
		w->sights.glances[i].host = all->urls->v[urls[i]].host;
	}
	sights_look(&w->sights, &all->view, n);
	for (size_t i = 0; i < n; i++) {
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
	uint32_t urls[GLANCES_MAX];
	size_t n = 0;

	for (size_t from = w->nr * BLOCK; from < all->urls->n;
	     from += (size_t)all->threads * BLOCK)
		for (size_t i = from; i < MIN(from + BLOCK, all->urls->n); i++) {
			if (!takes_part(all, (uint32_t)i))
				continue;
			urls[n++] = (uint32_t)i;
			if (n == GLANCES_MAX)
				try_urls(w, urls, n), n = 0;
		}
	try_urls(w, urls, n);
}

static int cmp_values(const void *a, const void *b)
{
	const struct sort_pair *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

/* Small groups, nearly in order already: those of one thread are. */
static void sort_values(struct sort_pair *v, size_t n)
{
	if (n > 64) {
		qsort(v, n, sizeof(*v), cmp_values);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct sort_pair x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1].value > x.value; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Pairs of equal cluster.  Places in a set are grouped by cluster, and `v` is sorted. */
static uint64_t right_pairs(const struct url_set *urls, const uint32_t *v, size_t n)
{
	uint64_t right = 0;

	for (size_t i = 0; i < n;) {
		size_t from = i;

		while (i < n && urls->v[v[i]].cluster == urls->v[v[from]].cluster)
			i++;
		right += (uint64_t)(i - from) * (i - from - 1) / 2;
	}
	return right;
}

/* The host of the smallest name answers for a group that spans several. */
static uint32_t group_host(const struct url_set *urls, const uint32_t *v, size_t n)
{
	uint32_t best = urls->v[v[0]].host;

	for (size_t i = 1; i < n; i++) {
		uint32_t h = urls->v[v[i]].host;

		if (h != best && str_cmp(intern_str(&urls->hosts, h),
					 intern_str(&urls->hosts, best)) < 0)
			best = h;
	}
	return best;
}

static void add_group(const struct url_set *urls, struct groups *g, struct sort_pair *v,
		      size_t n)
{
	size_t first = g->n_members;

	sort_values(v, n);
	VEC_RESERVE(g->members, g->members_cap, first + n);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || v[i].value != v[i - 1].value)
			g->members[g->n_members++] = (uint32_t)v[i].value;
	n = g->n_members - first;
	if (n < 2) {
		g->n_members = first;
		return;
	}
	uint64_t pairs = (uint64_t)n * (n - 1) / 2;
	VEC_ADD(g->v, g->n, g->cap,
		(struct rule_group){ .rule = (uint32_t)(v[0].value >> 32),
				     .host = group_host(urls, g->members + first, n),
				     .first = (uint32_t)first,
				     .n = (uint32_t)n,
				     .pairs = pairs,
				     .wrong = pairs -
					      right_pairs(urls, g->members + first, n) });
}

/* Sorts `v`; `scratch` holds as many. */
static void make_groups(const struct url_set *urls, struct sort_pair *v,
			struct sort_pair *scratch, size_t n, struct groups *ret)
{
	sort_hashed_pairs(v, scratch, n);
	for (size_t i = 0; i < n;) {
		size_t from = i;

		while (i < n && v[i].key == v[from].key)
			i++;
		if (i - from > 1)
			add_group(urls, ret, v + from, i - from);
	}
}

/* Every so many-th part, from all threads. */
static void run_group(void *arg)
{
	struct worker *w = arg;
	struct tuples all = { 0 }, scratch = { 0 };

	for (size_t p = w->nr; p < PARTS; p += w->all->threads) {
		all.n = 0;
		for (unsigned t = 0; t < w->all->threads; t++) {
			struct tuples *part = &w->others[t].parts[p];

			VEC_RESERVE(all.v, all.cap, all.n + part->n);
			for (size_t i = 0; i < part->n; i++)
				all.v[all.n++] = part->v[i];
			free(part->v);
			*part = (struct tuples){ 0 };
		}
		VEC_RESERVE(scratch.v, scratch.cap, all.n);
		make_groups(w->all->urls, all.v, scratch.v, all.n, &w->groups);
	}
	free(all.v);
	free(scratch.v);
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

/* By rule, else in the order they have: counted, since rules are few and groups many. */
static void sort_groups(struct groups *g)
{
	struct rule_group *sorted = xrealloc(NULL, g->n + 1, sizeof(*sorted));
	uint32_t *at;
	size_t rules = 0, sum = 0;

	for (size_t i = 0; i < g->n; i++)
		rules = MAX(rules, (size_t)g->v[i].rule + 1);
	at = xcalloc(rules + 1, sizeof(*at));
	for (size_t i = 0; i < g->n; i++)
		at[g->v[i].rule]++;
	for (size_t r = 0; r < rules; r++) {
		uint32_t n = at[r];

		at[r] = (uint32_t)sum;
		sum += n;
	}
	for (size_t i = 0; i < g->n; i++)
		sorted[at[g->v[i].rule]++] = g->v[i];
	free(at);
	free(g->v);
	g->v = sorted;
	g->cap = g->n + 1;
}

static void join_groups(struct worker *w, unsigned n, struct groups *ret)
{
	*ret = TAKE(w[0].groups);
	for (unsigned t = 1; t < n; t++) {
		struct groups *g = &w[t].groups;
		uint32_t shift = (uint32_t)ret->n_members;

		VEC_RESERVE(ret->members, ret->members_cap,
			    ret->n_members + g->n_members);
		for (size_t i = 0; i < g->n_members; i++)
			ret->members[ret->n_members++] = g->members[i];
		for (size_t i = 0; i < g->n; i++) {
			g->v[i].first += shift;
			VEC_ADD(ret->v, ret->n, ret->cap, g->v[i]);
		}
		groups_release(g);
	}
	sort_groups(ret);
}

void validate(const struct rule_set *rules, const struct url_set *urls,
	      const struct validate_options *options, struct groups *ret)
{
	unsigned n = MIN(MAX(options->threads, 1u), THREADS_MAX);
	struct shared all = { rules, urls, options, .threads = n };
	struct worker *w = xcalloc(n, sizeof(*w));

	rule_index_build(&all.index, rules);
	view_init(&all.view, &all.index, &urls->hosts);
	trial_init(&all.trial, rules);
	for (unsigned i = 0; i < n; i++)
		w[i] = (struct worker){ .all = &all, .nr = i, .others = w };
	run_all(w, n, run_try);
	run_all(w, n, run_group);
	join_groups(w, n, ret);
	for (unsigned i = 0; i < n; i++) {
		sights_release(&w[i].sights);
	}
	free(w);
	view_release(&all.view);
	rule_index_release(&all.index);
	trial_release(&all.trial);
}

void groups_make(const struct url_set *urls, struct sort_pair *tuples, size_t n,
		 struct groups *ret)
{
	struct sort_pair *scratch = xrealloc(NULL, n + 1, sizeof(*scratch));

	make_groups(urls, tuples, scratch, n, ret);
	free(scratch);
	sort_groups(ret);
}

void groups_release(struct groups *g)
{
	free(g->v);
	free(g->members);
	*g = (struct groups){ 0 };
}
