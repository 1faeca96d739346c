/*
 * online_evidence.c - what a fetch says of the rules that made two URLs one: which of
 * them it proves, and which it contradicts.
 */
#include "online/online_internal.h"

void online_retract(struct dust_online *o, uint32_t nr)
{
	struct rule_record *r = &o->rules.records[nr];
	struct online_site *s = o->sites.v[r->site];
	uint32_t general = r->general;

	rule_table_event(&o->rules, nr, EVENT_CONTRADICTED);
	r->site_evidence = s->evidence;
	online_return(o, &(struct returning){ .rule = nr });
	if (general != RULE_NONE)
		online_consider_exception(o, general);
	online_rebuild(o, s);
}

/* A page may differ from itself; a rule that is wrong makes pages differ always. */
static bool is_doubtful(const struct rule_evidence *e, uint32_t doubts)
{
	return doubts > 3 && 2 * (uint64_t)doubts > e->probes;
}

/* Then a rule is only trusted: a calendar has no end. */
#define SILENT_MAX 8

static void issue_another(struct rule_life *l)
{
	l->issued -= l->issued > 0 && l->silent++ < SILENT_MAX;
}

static void count_probe(struct rule_life *l, struct rule_evidence *e,
			enum comparison result)
{
	e->probes++;
	e->contradictions += result == COMPARE_OTHER;
	if (result == COMPARE_DOUBT) { /* it said nothing: another probe instead */
		l->doubts++;
		l->issued -= l->issued > 0;
	}
}

static void probe_rule(struct dust_online *o, uint32_t nr, enum comparison result)
{
	struct rule_life *l = &o->rules.records[nr].life;
	struct rule_evidence *e = &o->rules.all.v[nr].evidence;

	if (!life_is_active(l->state))
		return;
	if (result == COMPARE_NOTHING) {
		issue_another(l);
		return;
	}
	count_probe(l, e, result);
	o->rules.dirty = true;
	if ((double)e->contradictions > o->o.fpr_max * (double)e->probes ||
	    is_doubtful(e, l->doubts)) {
		online_retract(o, nr);
	} else if (l->state != LIFE_PROVED && rule_has_proofs(l, e, o->o.probes)) {
		rule_table_event(&o->rules, nr, EVENT_PROVED);
		online_consider_universal(o, nr);
	}
}

void rule_table_doubt(struct rule_table *t, uint32_t nr)
{
	if (!t->records[nr].foreign)
		rule_table_event(t, nr, EVENT_DOUBTED);
}

/* A rewrite has the shape of a few URLs of this site; an operation says what any reader
 * would; and one that is known from elsewhere was not made up for the occasion. */
static uint64_t standing(const struct rule_table *t, uint32_t nr)
{
	if (t->records[nr].general != RULE_NONE || t->records[nr].foreign)
		return 2;
	return t->all.v[nr].is_operation;
}

static uint64_t credit(const struct rule_table *t, uint32_t nr)
{
	const struct rule_life *l = &t->records[nr].life;
	uint64_t shown =
		l->state == LIFE_PROBATION ? 0 : rule_proofs(l, &t->all.v[nr].evidence);

	return standing(t, nr) << 32 | MIN(shown, UINT32_MAX);
}

/*
 * Of several rules, all on probation or all once proved, those of the lowest standing are
 * to blame, of proved ones those that have proved the least.  The others are not believed
 * for it either: they have to prove themselves, or to do it again.
 */
static void blame(struct dust_online *o, const struct online_key *k)
{
	uint64_t credits[ONLINE_RULES_MAX], least = UINT64_MAX;

	for (size_t i = 0; i < k->n_rules; i++) {
		credits[i] = credit(&o->rules, k->rule[i]);
		least = MIN(least, credits[i]);
	}
	for (size_t i = 0; i < k->n_rules; i++)
		if (credits[i] == least)
			probe_rule(o, k->rule[i], COMPARE_OTHER);
		else if (life_is_on_trial(rule_table_state(&o->rules, k->rule[i])))
			issue_another(&o->rules.records[k->rule[i]].life);
		else
			rule_table_doubt(&o->rules, k->rule[i]);
}

/* Of the rules of `k` those that a fetch may contradict: when some of them are on
 * probation only these. */
static void find_suspects(const struct rule_table *t, const struct online_key *k,
			  struct online_key *ret)
{
	bool probation = false;

	ret->n_rules = 0;
	for (size_t i = 0; i < k->n_rules; i++)
		probation |= rule_table_state(t, k->rule[i]) == LIFE_PROBATION;
	for (size_t i = 0; i < k->n_rules; i++) {
		enum rule_life_state state = rule_table_state(t, k->rule[i]);

		if (probation ? state == LIFE_PROBATION : life_is_active(state))
			ret->rule[ret->n_rules++] = k->rule[i];
	}
}

void online_probe(struct dust_online *o, const struct online_key *k,
		  enum comparison result)
{
	struct online_key suspects;

	if (result == COMPARE_SAME) {
		for (size_t i = 0; i < k->n_rules; i++)
			probe_rule(o, k->rule[i], result);
		return;
	}
	find_suspects(&o->rules, k, &suspects);
	if (result == COMPARE_OTHER) {
		blame(o, &suspects);
		return;
	}
	for (size_t i = 0; i < suspects.n_rules; i++)
		probe_rule(o, suspects.rule[i], result);
}
