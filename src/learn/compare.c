#include "learn/compare.h"

#include <stdlib.h>

#include "base/alloc.h"
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
	const struct rule_set *rules;
	const uint8_t *role;
};

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

static enum status run_fold(struct comparing *r, const struct compared_method *how,
			    double fpr, struct metrics *add_to, struct diag *why)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(rule_index_release) struct rule_index index = { 0 };

	TRY(get_rules(r, how, fpr, &rules, add_to, why));
	add_to->rules += rules.n;
	rule_index_build(&index, &rules);
	r->rules = &rules;
	measure(r->c->urls, r->role, ROLE_TEST, &index, add_to,
		r->c->wrong ? report_wrong : NULL, r);
	return ST_OK;
}

static void make_folds(const struct comparison *c, uint64_t repetition, struct folds *ret)
{
	folds_make(c->urls, c->n_folds, c->seed + repetition, c->within_hosts, ret);
	ret->pooled = c->pooled;
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
