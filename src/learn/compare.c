#include "learn/compare.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "dust/rule_file.h"
#include "dust/shipped.h"

const struct compared_method compared_methods[COMPARED_METHODS] = {
	{ "dustlin+static", SOURCE_LEARNT, LEARN_DUSTLIN, true, true },
	{ "dustlin+", SOURCE_LEARNT, LEARN_DUSTLIN, true, false },
	{ "dustlin", SOURCE_LEARNT, LEARN_DUSTLIN, false, false },
	{ "duster", SOURCE_LEARNT, LEARN_DUSTER, false, false },
	{ "fanout", SOURCE_LEARNT, LEARN_FANOUT, false, false },
	{ "tree", SOURCE_LEARNT, LEARN_TREE, false, false },
	{ "static", SOURCE_STATIC, LEARN_DUSTLIN, false, false },
	{ "sun", SOURCE_SUN, LEARN_DUSTLIN, false, false },
};

const struct compared_method *compared_method_find(struct str name)
{
	for (size_t i = 0; i < COMPARED_METHODS; i++)
		if (str_eq(name, str_from(compared_methods[i].name)))
			return &compared_methods[i];
	return NULL;
}

/* One run: a method on the folds with their roles. */
struct comparing {
	const struct comparison *c;
	uint64_t repetition;
	const struct rule_set *rules;
	const uint8_t *role;
};

/* The name of a cluster, where those alone have one, too. */
static struct str label_of(const struct url_set *urls, uint32_t url, struct arena *in)
{
	cleanup(buf_release) struct buf name = { 0 };
	uint32_t c = urls->v[url].cluster;

	if (urls->first[c + 1] - urls->first[c] < 2)
		return STR("-");
	buf_addf(&name, "%u", c);
	return arena_copy(in, buf_str(&name));
}

/*
 * Labels are wrong at random: a share of the URLs to learn from have the label of
 * another one, which can be that it is alone.  What is tested keeps its labels.
 */
static void learn_noisy(const struct comparing *r, const struct learn_options *options,
			struct rule_set *ret, struct learn_report *report)
{
	const struct url_set *urls = r->c->urls;
	cleanup(url_set_release) struct url_set noisy = { 0 };
	cleanup(arena_release) struct arena in = { 0 };
	struct rng rng = { r->c->seed * 1000003 + r->repetition };
	struct learn_options o = *options;
	uint32_t *train = xrealloc(NULL, urls->n + 1, sizeof(*train));
	size_t n = 0;

	for (uint32_t i = 0; i < urls->n; i++)
		if (r->role[urls->v[i].cluster] & ROLE_TRAIN)
			train[n++] = i;
	for (size_t i = 0; i < n; i++) {
		uint32_t from = train[i];

		if (rng_chance(&rng, r->c->noise))
			from = train[rng_below(&rng, n)];
		url_set_add(&noisy, label_of(urls, from, &in), urls->v[train[i]].url);
	}
	url_set_seal(&noisy);
	o.role = NULL;
	learn(&noisy, &o, ret, report);
	free(train);
}

static enum status get_rules(const struct comparing *r, const struct compared_method *how,
			     double fpr, struct rule_set *ret, struct metrics *m,
			     struct diag *why)
{
	cleanup(rule_set_release) struct rule_set known = { 0 };
	struct learn_options o = r->c->learn;
	struct learn_report report;

	if (how->source == SOURCE_SUN)
		return ST_OK;
	if (how->source == SOURCE_STATIC)
		return rules_parse(shipped_rules, ret, why);
	learn_set_method(&o, how->method, how->families);
	o.fpr_max = fpr;
	o.role = r->role;
	if (how->known) {
		TRY(rules_parse(shipped_rules, &known, why));
		o.known = &known;
	}
	if (r->c->noise > 0)
		learn_noisy(r, &o, ret, &report);
	else
		learn(r->c->urls, &o, ret, &report);
	m->candidates += report.candidates;
	m->valid += report.valid;
	m->learn_s += report.offer_s + report.validate_s + report.prune_s;
	return ST_OK;
}

static void report_wrong(void *arg, const struct wrong_merge *m)
{
	const struct comparing *r = arg;

	r->c->wrong(r->c->arg, r->rules, m);
}

static void widen(struct range *r, double value, bool first)
{
	r->least = first ? value : MIN(r->least, value);
	r->most = first ? value : MAX(r->most, value);
}

static enum status run_fold(struct comparing *r, const struct compared_method *how,
			    double fpr, struct metrics *add_to, struct diag *why)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(rule_index_release) struct rule_index index = { 0 };
	bool first = add_to->urls == 0;
	struct metrics one = { 0 };

	TRY(get_rules(r, how, fpr, &rules, add_to, why));
	add_to->rules += rules.n;
	rule_index_build(&index, &rules);
	r->rules = &rules;
	measure(r->c->urls, r->role, ROLE_TEST, &index, &one,
		r->c->wrong ? report_wrong : NULL, r);
	metrics_add(add_to, &one);
	widen(&add_to->coverage, metrics_coverage(&one), first);
	widen(&add_to->precision, metrics_precision(&one), first);
	return ST_OK;
}

static void make_folds(const struct comparison *c, uint64_t repetition, struct folds *ret)
{
	uint64_t seed = c->seed + repetition;

	if (c->of_domains)
		folds_make_of_domains(c->urls, c->n_folds, seed, ret);
	else
		folds_make(c->urls, c->n_folds, seed, c->within_hosts, ret);
	ret->pooled = c->pooled;
	for (size_t k = 0; c->part.most > 0 && k < c->urls->n_clusters; k++) {
		double place = cluster_share(c->urls, k, c->seed);

		if (place < c->part.least || place >= c->part.most)
			ret->fold[k] = FOLD_NONE;
	}
}

enum status comparison_run(const struct comparison *c, const struct compared_method *how,
			   double fpr, struct metrics *ret, struct diag *why)
{
	uint8_t *role = xcalloc(c->urls->n_clusters + 1, 1);
	struct comparing r = { .c = c, .role = role };
	struct metrics sum = { 0 };
	enum status st = ST_OK;

	for (uint64_t k = 0; st == ST_OK && k < c->repeat; k++) {
		cleanup(folds_release) struct folds folds = { 0 };

		make_folds(c, k, &folds);
		r.repetition = k;
		for (unsigned f = 0; st == ST_OK && f < folds.n; f++) {
			folds_roles(&folds, c->urls->n_clusters, f, role);
			st = run_fold(&r, how, fpr, &sum, why);
		}
	}
	free(role);
	if (st == ST_OK)
		*ret = sum;
	return st;
}

size_t comparison_clusters(const struct comparison *c)
{
	cleanup(folds_release) struct folds folds = { 0 };
	size_t n = 0;

	make_folds(c, 0, &folds);
	for (size_t i = 0; i < c->urls->n_clusters; i++)
		n += folds.fold[i] != FOLD_NONE;
	return n;
}
