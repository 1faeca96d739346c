/* online_narrow.c - which of the rules that changed two URLs make them one. */
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"

/* A few rules, compiled for two URLs. */
struct few {
	struct rule_set set;
	struct rule_index index;
};

static void few_release(struct few *f)
{
	rule_index_release(&f->index);
	free(f->set.v); /* its rules belong to the set of all */
}

/* The rules of `k` but one, those of all sites or those of this one. */
static void few_build(struct few *f, const struct rule_table *t,
		      const struct online_key *k, size_t but, bool general)
{
	VEC_RESERVE(f->set.v, f->set.cap, k->n_rules);
	for (size_t i = 0; i < k->n_rules; i++)
		if (i != but && (t->records[k->rule[i]].site == SITE_GENERAL) == general)
			f->set.v[f->set.n++] = t->all.v[k->rule[i]];
	rule_index_build(&f->index, &f->set);
}

static bool joins(struct dust_online *o, const struct online_key *k, size_t but,
		  struct str url, struct str other)
{
	cleanup(few_release) struct few general = { 0 }, own = { 0 };
	cleanup(buf_release) struct buf first = { 0 };
	struct rule_applied a;

	few_build(&general, &o->rules, k, but, true);
	few_build(&own, &o->rules, k, but, false);
	rule_index_apply(&general.index, url, &o->keys.scratch, &a);
	rule_index_apply(&own.index, a.key, &o->keys.second, &a);
	buf_add(&first, a.key);
	rule_index_apply(&general.index, other, &o->keys.scratch, &a);
	rule_index_apply(&own.index, a.key, &o->keys.second, &a);
	return str_eq(buf_str(&first), a.key);
}

/*
 * A rule without which the two would still be one has nothing to do with it: it
 * changed both in the same way.  Where each could stand in for another all stay.
 */
void online_narrow(struct dust_online *o, struct str url, struct str other,
		   struct online_key *k)
{
	struct online_key kept = *k;

	kept.n_rules = 0;
	for (size_t i = 0; k->n_rules > 1 && i < k->n_rules; i++)
		if (!joins(o, k, i, url, other))
			kept.rule[kept.n_rules++] = k->rule[i];
	if (kept.n_rules > 0)
		*k = kept;
}

/* Ways to write one and the same name; what is dropped from one may have been its point:
 * a request for page 99 of a list of 3 may be redirected to page 1. */
static bool is_spelling(const struct rule *r)
{
	return r->is_operation && r->operation.kind != OPERATION_DROP &&
	       r->operation.kind != OPERATION_PATH_DROP;
}

void online_keep_spellings(const struct rule_table *t, struct online_key *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n_rules; i++)
		if (is_spelling(&t->all.v[k->rule[i]]))
			k->rule[n++] = k->rule[i];
	k->n_rules = n;
}
