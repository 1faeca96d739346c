/*
 * online_rules.c - the table of rules: those of sites, those that hold everywhere, and
 * the sites' instances of these.
 *
 * A general rule is tried site by site.  The instance is the site's: its probes, its
 * skips, its retraction.  What the sites find decides the life of the general rule.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "learn/doubt.h"
#include "online/online_internal.h"

/* --- views --- */

void rule_view_release(struct rule_view *v)
{
	rule_index_release(&v->index);
	free(v->set.v); /* its rules belong to the set of all */
	free(v->numbers);
	*v = (struct rule_view){ 0 };
}

void rule_view_clear(struct rule_view *v, size_t room)
{
	rule_index_release(&v->index);
	v->set.n = 0;
	VEC_RESERVE(v->set.v, v->set.cap, room);
	v->numbers = xrealloc(v->numbers, room + 1, sizeof(*v->numbers));
}

void rule_view_add(const struct rule_table *t, struct rule_view *v, uint32_t nr)
{
	v->numbers[v->set.n] = nr;
	v->set.v[v->set.n++] = t->all.v[nr];
}

bool rule_is_applied(const struct rule_table *t, uint32_t nr)
{
	enum rule_life_state s = rule_table_state(t, nr);

	return t->only_proved ? life_is_believed(s) : life_is_active(s);
}

void rule_table_rebuild_general(struct rule_table *t)
{
	rule_view_clear(&t->general_view, t->n_general);
	for (size_t i = 0; i < t->n_general; i++)
		if (rule_is_applied(t, t->general[i]))
			rule_view_add(t, &t->general_view, t->general[i]);
	rule_index_build(&t->general_view.index, &t->general_view.set);
	t->age++;
}

/* --- the table --- */

void rule_table_release(struct rule_table *t)
{
	for (size_t i = 0; i < t->all.n; i++)
		free(t->records[i].skips);
	free(t->records);
	free(t->general);
	map_release(&t->kinds);
	rule_view_release(&t->general_view);
	rule_set_release(&t->all);
}

uint32_t rule_table_add(struct rule_table *t, struct online_site *s, const struct rule *r,
			bool foreign)
{
	uint32_t nr = (uint32_t)t->all.n;

	rule_set_copy(&t->all, r);
	VEC_RESERVE(t->records, t->records_cap, (size_t)nr + 1);
	t->records[nr] = (struct rule_record){ .site = s ? s->nr : SITE_GENERAL,
					       .general = RULE_NONE,
					       .foreign = foreign };
	if (s)
		VEC_ADD(s->rules, s->n_rules, s->rules_cap, nr);
	if (s && !foreign)
		t->records[nr].life.least =
			(uint8_t)doubt_proofs(doubt_prior(r, r->universal));
	if (!s)
		VEC_ADD(t->general, t->n_general, t->general_cap, nr);
	return nr;
}

void rule_table_event(struct rule_table *t, uint32_t nr, enum rule_event event)
{
	rule_transition(&t->records[nr].life, &t->all.v[nr], event);
	t->dirty = true;
}

uint32_t rule_table_find(const struct rule_table *t, const struct online_site *s,
			 struct str text)
{
	for (size_t i = 0; i < s->n_rules; i++)
		if (str_eq(t->all.v[s->rules[i]].text, text))
			return s->rules[i];
	return RULE_NONE;
}

uint32_t rule_table_find_general(const struct rule_table *t, struct str text)
{
	for (size_t i = 0; i < t->n_general; i++)
		if (str_eq(t->all.v[t->general[i]].text, text))
			return t->general[i];
	return RULE_NONE;
}

bool rule_table_are_believed(const struct rule_table *t, const struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (!life_is_believed(rule_table_state(t, k->rule[i])))
			return false;
	return k->n_rules > 0;
}

/* --- instances: a rule that holds everywhere, on trial at one site --- */

static uint32_t add_instance(struct rule_table *t, struct online_site *s, struct str url,
			     uint32_t general)
{
	struct rule r = t->all.v[general];
	struct str host = dust_host(url);

	r.universal = false;
	r.sites = &host;
	r.n_sites = 1;
	r.n_except = 0;
	r.evidence = (struct rule_evidence){ 0 };
	uint32_t nr = rule_table_add(t, s, &r, t->records[general].foreign);
	t->records[nr].life.least = 0; /* it is known from elsewhere */
	/* A person's rule, and one that many sites have proved, is believed at once. */
	rule_table_event(t, nr,
			 life_is_on_trial(rule_table_state(t, general)) ? EVENT_LEARNT
									: EVENT_VOUCHED);
	return nr;
}

/* What the site learnt by itself may turn out to be an instance, too. */
static uint32_t instance_of(struct rule_table *t, struct online_site *s, struct str url,
			    uint32_t general)
{
	uint32_t nr = rule_table_find(t, s, t->all.v[general].text);

	if (nr == RULE_NONE)
		nr = add_instance(t, s, url, general);
	t->records[nr].general = general;
	return nr;
}

uint32_t online_rule_at(struct dust_online *o, struct str url, struct str text)
{
	struct online_site *s = online_site_of(o, url);
	uint32_t nr = rule_table_find(&o->rules, s, text);
	uint32_t general = rule_table_find_general(&o->rules, text);

	if (nr == RULE_NONE && general != RULE_NONE)
		nr = instance_of(&o->rules, s, url, general);
	return nr;
}

void rule_table_localize(struct rule_table *t, struct online_site *s, struct str url,
			 struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (t->records[k->rule[i]].site == SITE_GENERAL)
			k->rule[i] = instance_of(t, s, url, k->rule[i]);
}

/* --- what the sites make of a general rule --- */

struct site_votes {
	size_t proved, against;
};

static struct site_votes count_votes(const struct rule_table *t, struct str text)
{
	struct site_votes n = { 0 };

	for (uint32_t i = 0; i < t->all.n; i++) {
		if (t->records[i].site == SITE_GENERAL || !str_eq(t->all.v[i].text, text))
			continue;
		n.proved += rule_table_state(t, i) == LIFE_PROVED;
		n.against += !life_is_active(rule_table_state(t, i));
	}
	return n;
}

/* Hosts and rewrites belong to their sites; only what says the same anywhere travels. */
static bool may_be_universal(const struct dust_online *o, uint32_t nr)
{
	const struct rule *r = &o->rules.all.v[nr];

	return o->o.universal_sites > 0 && !o->rules.records[nr].foreign &&
	       r->is_operation && r->operation.kind != OPERATION_HOST &&
	       r->operation.kind != OPERATION_SUBDOMAIN;
}

/* A rule that enough sites have proved, and none retracted, is tried everywhere; one that
 * is on trial everywhere, and then proved by enough, needs no further trial. */
void online_consider_universal(struct dust_online *o, uint32_t nr)
{
	struct rule_table *t = &o->rules;
	struct rule r = t->all.v[nr];
	uint32_t general = rule_table_find_general(t, r.text);

	if (!may_be_universal(o, nr))
		return;
	struct site_votes n = count_votes(t, r.text);
	if (n.proved < o->o.universal_sites || n.against > 0)
		return;
	if (general != RULE_NONE) {
		if (life_is_on_trial(rule_table_state(t, general)))
			rule_table_event(t, general, EVENT_PROVED);
		return;
	}
	r.universal = true;
	r.evidence = (struct rule_evidence){ .frequency = n.proved };
	r.n_sites = 0;
	rule_table_event(t, rule_table_add(t, NULL, &r, false), EVENT_LEARNT);
	rule_table_rebuild_general(t);
}

/* A site is against it: it is no longer believed without trial, or not at all. */
void online_consider_exception(struct dust_online *o, uint32_t general)
{
	struct rule_table *t = &o->rules;
	struct site_votes n = count_votes(t, t->all.v[general].text);

	if (!life_is_active(rule_table_state(t, general)) || t->records[general].foreign)
		return;
	if (n.against > 1 && n.against > n.proved) {
		rule_table_event(t, general, EVENT_CONTRADICTED);
		rule_table_rebuild_general(t);
		return;
	}
	rule_table_event(t, general, EVENT_DOUBTED);
	for (uint32_t i = 0; i < t->all.n; i++)
		if (t->records[i].general == general &&
		    rule_table_state(t, i) == LIFE_TRUSTED)
			rule_table_event(t, i, EVENT_DOUBTED);
}

/* --- invariants --- */

/* 7. A general rule is no instance and has no skips; an instance has the text of its
 *    general rule.  8. A skip of a rule is one of the table. */
static void assert_record(const struct dust_online *o, uint32_t nr)
{
	const struct rule_table *t = &o->rules;
	const struct rule_record *r = &t->records[nr];

	assert_rule_life(&r->life, &t->all.v[nr], o->o.probes, r->site == SITE_GENERAL);
	if (r->site == SITE_GENERAL) /* 7 */
		assert(r->general == RULE_NONE && r->n_skips == 0 && r->in_flight == 0);
	else if (r->general != RULE_NONE)
		assert(t->records[r->general].site == SITE_GENERAL &&
		       str_eq(t->all.v[r->general].text, t->all.v[nr].text));
	for (size_t i = 0; i < r->n_skips; i++) /* 8 */
		assert(r->skips[i] < o->skips.n);
}

/* 9. A site whose rules are up to date applies nothing that is retracted or off. */
static void assert_view(const struct dust_online *o, const struct rule_view *v)
{
	for (size_t i = 0; i < v->set.n; i++)
		assert(life_is_active(rule_table_state(&o->rules, v->numbers[i])));
}

/* 10. Each rule belongs to one site, or to all.  11. What returned for rules and is not
 *     answered is counted once. */
void assert_rule_table(const struct dust_online *o)
{
	size_t n = o->rules.n_general, in_flight = 0;

	for (uint32_t i = 0; i < o->rules.all.n; i++) {
		assert_record(o, i);
		in_flight += o->rules.records[i].in_flight;
	}
	for (size_t i = 0; i < o->sites.names.n; i++) {
		const struct online_site *s = o->sites.v[i];

		for (size_t k = 0; k < s->n_rules; k++) /* 10 */
			assert(o->rules.records[s->rules[k]].site == s->nr);
		n += s->n_rules;
		if (s->age == o->rules.age)
			assert_view(o, s->general ? s->general : &o->rules.general_view);
		if (s->age == o->rules.age)
			assert_view(o, &s->own);
	}
	assert(n == o->rules.all.n);
	assert(in_flight == o->returns.in_flight.n); /* 11 */
}
