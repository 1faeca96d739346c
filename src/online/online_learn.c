/* online_learn.c - the slow side of the online learner: learning, proving, retracting. */
#include <stdlib.h>

#include "base/alloc.h"
#include "learn/learn.h"
#include "online/online_internal.h"

uint32_t online_add_rule(struct dust_online *o, struct site *s, const struct rule *r,
			 bool foreign)
{
	uint32_t nr = (uint32_t)o->all.n;

	rule_set_copy(&o->all, r);
	VEC_RESERVE(o->notes, o->notes_cap, (size_t)nr + 1);
	o->notes[nr] = (struct rule_note){ .site = s ? s->nr : SITE_GENERAL,
					   .general = RULE_NONE,
					   .foreign = foreign };
	if (s)
		VEC_ADD(s->rules, s->n_rules, s->rules_cap, nr);
	else
		VEC_ADD(o->general_rules, o->n_general, o->general_cap, nr);
	o->dirty = true;
	return nr;
}

uint32_t online_find_rule(const struct dust_online *o, const struct site *s,
			  struct str text)
{
	for (size_t i = 0; i < s->n_rules; i++)
		if (str_eq(o->all.v[s->rules[i]].text, text))
			return s->rules[i];
	return RULE_NONE;
}

static uint32_t find_general(const struct dust_online *o, struct str text)
{
	for (size_t i = 0; i < o->n_general; i++)
		if (str_eq(o->all.v[o->general_rules[i]].text, text))
			return o->general_rules[i];
	return RULE_NONE;
}

/* --- instances: a rule that holds everywhere, on trial at one site --- */

static uint32_t add_instance(struct dust_online *o, struct site *s, struct str url,
			     uint32_t general)
{
	struct rule r = o->all.v[general];
	struct str host = dust_host(url);

	r.universal = false;
	r.sites = &host;
	r.n_sites = 1;
	r.n_except = 0;
	r.evidence = (struct rule_evidence){ 0 };
	/* A person's rule, and one that many sites have proved, is believed at once. */
	r.state = r.state == RULE_PROBATION ? RULE_PROBATION : RULE_CONFIRMED;
	return online_add_rule(o, s, &r, o->notes[general].foreign);
}

/* What the site learnt by itself may turn out to be an instance, too. */
static uint32_t instance_of(struct dust_online *o, struct site *s, struct str url,
			    uint32_t general)
{
	uint32_t nr = online_find_rule(o, s, o->all.v[general].text);

	if (nr == RULE_NONE)
		nr = add_instance(o, s, url, general);
	o->notes[nr].general = general;
	return nr;
}

uint32_t online_rule_at(struct dust_online *o, struct str url, struct str text)
{
	struct site *s = online_site(o, url);
	uint32_t nr = online_find_rule(o, s, text);
	uint32_t general = find_general(o, text);

	if (nr == RULE_NONE && general != RULE_NONE)
		nr = instance_of(o, s, url, general);
	return nr;
}

void online_localize(struct dust_online *o, struct site *s, struct str url,
		     struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (o->notes[k->rule[i]].site == SITE_GENERAL)
			k->rule[i] = instance_of(o, s, url, k->rule[i]);
}

struct opinion {
	size_t confirmed, retracted;
};

/* What the sites think of the rule of this text. */
static struct opinion ask_sites(const struct dust_online *o, struct str text)
{
	struct opinion n = { 0 };

	for (size_t i = 0; i < o->all.n; i++) {
		const struct rule *r = &o->all.v[i];

		if (o->notes[i].site == SITE_GENERAL || !str_eq(r->text, text))
			continue;
		n.confirmed +=
			r->state == RULE_CONFIRMED && r->evidence.probes >= o->o.probes;
		n.retracted += r->state == RULE_RETRACTED || r->state == RULE_DISABLED;
	}
	return n;
}

/* Hosts and rewrites belong to their sites; only what says the same anywhere travels. */
static bool may_be_universal(const struct dust_online *o, uint32_t nr)
{
	const struct rule *r = &o->all.v[nr];

	return o->o.universal_sites > 0 && !o->notes[nr].foreign && r->is_operation &&
	       r->operation.kind != OPERATION_HOST &&
	       r->operation.kind != OPERATION_SUBDOMAIN;
}

/* A rule that enough sites have confirmed, and none retracted, is tried everywhere; one
 * that is on trial everywhere, and then confirmed by enough, needs no further trial. */
static void consider_universal(struct dust_online *o, uint32_t nr)
{
	struct rule r = o->all.v[nr];
	uint32_t general = find_general(o, r.text);

	if (!may_be_universal(o, nr))
		return;
	struct opinion n = ask_sites(o, r.text);
	if (n.confirmed < o->o.universal_sites || n.retracted > 0)
		return;
	if (general != RULE_NONE) {
		if (o->all.v[general].state == RULE_PROBATION)
			o->all.v[general].state = RULE_CONFIRMED;
		return;
	}
	r.universal = true;
	r.state = RULE_PROBATION;
	r.evidence = (struct rule_evidence){ .frequency = n.confirmed };
	r.n_sites = 0;
	online_add_rule(o, NULL, &r, false);
	online_rebuild_general(o);
}

/* A site is against it: it is no longer believed without trial, or not at all. */
static void consider_exception(struct dust_online *o, uint32_t general)
{
	struct rule *g = &o->all.v[general];
	struct opinion n = ask_sites(o, g->text);

	if (!rule_is_active(g) || o->notes[general].foreign)
		return;
	if (n.retracted > 1 && n.retracted > n.confirmed) {
		g->state = RULE_RETRACTED;
		online_rebuild_general(o);
		return;
	}
	g->state = RULE_PROBATION;
	for (size_t i = 0; i < o->all.n; i++)
		if (o->notes[i].general == general &&
		    o->all.v[i].state == RULE_CONFIRMED &&
		    o->all.v[i].evidence.probes < o->o.probes)
			o->all.v[i].state = RULE_PROBATION;
}

/* --- evidence --- */

void online_retract(struct dust_online *o, uint32_t nr)
{
	uint32_t general = o->notes[nr].general;

	o->all.v[nr].state = RULE_RETRACTED;
	o->notes[nr].evidence = o->sites[o->notes[nr].site]->evidence;
	o->dirty = true;
	online_return(o, &(struct returning){ .rule = nr });
	if (general != RULE_NONE)
		consider_exception(o, general);
	online_rebuild(o, o->sites[o->notes[nr].site]);
}

/* A page may differ from itself; a rule that is wrong makes pages differ always. */
static bool is_doubtful(const struct rule_evidence *e, uint32_t doubts)
{
	return doubts > 3 && 2 * (uint64_t)doubts > e->probes;
}

/* Fetches that found the page that the rule promised. */
static uint64_t proofs(const struct dust_online *o, uint32_t nr)
{
	const struct rule_evidence *e = &o->all.v[nr].evidence;
	uint64_t not = e->contradictions + o->notes[nr].doubts;

	return e->probes > not ? e->probes - not : 0;
}

uint32_t online_probes_wanted(const struct dust_online *o, uint32_t nr)
{
	return (uint32_t)o->o.probes << o->notes[nr].returns;
}

static bool is_proved(const struct dust_online *o, uint32_t nr)
{
	return proofs(o, nr) >= o->notes[nr].proved + online_probes_wanted(o, nr);
}

/* Then a rule is only trusted: a calendar has no end. */
#define SILENT_MAX 8

static void ask_another(struct rule_note *n)
{
	n->issued -= n->issued > 0 && n->silent++ < SILENT_MAX;
}

static void probe_rule(struct dust_online *o, uint32_t nr, enum comparison result)
{
	struct rule *r = &o->all.v[nr];
	struct rule_evidence *e = &r->evidence;

	if (!rule_is_active(r))
		return;
	if (result == COMPARE_NOTHING) {
		ask_another(&o->notes[nr]);
		return;
	}
	e->probes++;
	e->contradictions += result == COMPARE_OTHER;
	if (result == COMPARE_DOUBT) { /* it said nothing: another probe instead */
		o->notes[nr].doubts++;
		o->notes[nr].issued -= o->notes[nr].issued > 0;
	}
	o->dirty = true;
	if ((double)e->contradictions > o->o.fpr_max * (double)e->probes ||
	    is_doubtful(e, o->notes[nr].doubts)) {
		online_retract(o, nr);
		return;
	}
	if (r->state == RULE_PROBATION && is_proved(o, nr)) {
		r->state = RULE_CONFIRMED;
		consider_universal(o, nr);
	}
}

void online_try_again(struct dust_online *o, uint32_t nr)
{
	if (o->all.v[nr].state != RULE_CONFIRMED || o->notes[nr].foreign)
		return;
	o->all.v[nr].state = RULE_PROBATION;
	o->notes[nr].proved = proofs(o, nr);
	o->notes[nr].issued = o->notes[nr].silent = 0;
	o->dirty = true;
}

/* A rewrite has the shape of a few URLs of this site; an operation says what any reader
 * would; and one that is known from elsewhere was not made up for the occasion. */
static uint64_t standing(const struct dust_online *o, uint32_t nr)
{
	if (o->notes[nr].general != RULE_NONE || o->notes[nr].foreign)
		return 2;
	return o->all.v[nr].is_operation;
}

bool online_is_on_first_trial(const struct dust_online *o, uint32_t nr)
{
	return o->all.v[nr].state == RULE_PROBATION && o->notes[nr].proved == 0;
}

static uint64_t credit(const struct dust_online *o, uint32_t nr)
{
	uint64_t shown = online_is_on_first_trial(o, nr) ? 0 : proofs(o, nr);

	return standing(o, nr) << 32 | MIN(shown, UINT32_MAX);
}

/*
 * Of several rules, all on their first trial or all proved, those of the lowest standing
 * are to blame, of proved ones those that have proved the least.  The others are not
 * believed for it either: they have to prove themselves, or to do it again.
 */
static void blame(struct dust_online *o, const struct online_key *k)
{
	uint64_t least = UINT64_MAX;
	bool falls[ONLINE_RULES_MAX];

	for (size_t i = 0; i < k->n_rules; i++)
		least = MIN(least, credit(o, k->rule[i]));
	for (size_t i = 0; i < k->n_rules; i++)
		falls[i] = credit(o, k->rule[i]) == least;
	for (size_t i = 0; i < k->n_rules; i++)
		if (falls[i])
			probe_rule(o, k->rule[i], COMPARE_OTHER);
		else if (o->all.v[k->rule[i]].state == RULE_PROBATION)
			ask_another(&o->notes[k->rule[i]]);
		else
			online_try_again(o, k->rule[i]);
}

/* Of the rules of `k` those of the site that a fetch may contradict: when some of them
 * are on their first trial only these. */
static void find_suspects(const struct dust_online *o, const struct site *s,
			  const struct online_key *k, struct online_key *ret)
{
	bool trial = false;

	ret->n_rules = 0;
	for (size_t i = 0; i < k->n_rules; i++)
		trial |= o->notes[k->rule[i]].site == s->nr &&
			 online_is_on_first_trial(o, k->rule[i]);
	for (size_t i = 0; i < k->n_rules; i++)
		if (o->notes[k->rule[i]].site == s->nr &&
		    (trial ? online_is_on_first_trial(o, k->rule[i])
			   : rule_is_active(&o->all.v[k->rule[i]])))
			ret->rule[ret->n_rules++] = k->rule[i];
}

void online_probe(struct dust_online *o, struct site *s, const struct online_key *k,
		  enum comparison result)
{
	struct online_key suspects;

	if (result == COMPARE_SAME) {
		for (size_t i = 0; i < k->n_rules; i++)
			if (o->notes[k->rule[i]].site == s->nr)
				probe_rule(o, k->rule[i], result);
		return;
	}
	find_suspects(o, s, k, &suspects);
	if (result == COMPARE_OTHER) {
		blame(o, &suspects);
		return;
	}
	for (size_t i = 0; i < suspects.n_rules; i++)
		probe_rule(o, suspects.rule[i], result);
}

/* --- learning --- */

static uint64_t pages_like(const struct site *s, const struct page *p)
{
	const uint64_t *n = map_find(&s->by_content, p->content);

	return n ? *n : 0;
}

/* Of each form one page.  Where its URLs brought several contents, one that most pages
 * have: with another every rule that leads to the form would seem to be wrong. */
static void choose_pages(const struct site *s, struct map *ret)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct page *p = &s->pages[i];
		bool is_new;

		if (!page_has_content(p))
			continue;
		uint64_t *at = map_add(ret, hash64(page_form(s, p)), &is_new);
		if (is_new || pages_like(s, p) > pages_like(s, &s->pages[*at]))
			*at = i;
	}
}

/* The pages of the site as clusters: forms, by content. */
static void fill_set(const struct site *s, struct url_set *ret)
{
	cleanup(map_release) struct map chosen = { 0 };

	choose_pages(s, &chosen);
	for (size_t i = 0; i < s->n; i++) {
		const struct page *p = &s->pages[i];
		char name[9] = "c";

		if (!page_has_content(p) ||
		    *map_find(&chosen, hash64(page_form(s, p))) != i)
			continue;
		for (int b = 0; b < 8; b++)
			name[1 + b] = (char)(p->content >> (8 * b));
		url_set_add(ret,
			    pages_like(s, p) > 1 ? (struct str){ name, sizeof(name) }
						 : STR("-"),
			    page_form(s, p));
	}
	url_set_seal(ret);
}

#define RETURNS_MAX 2
/* Duplicates that a site must have shown since it retracted a rule. */
#define RETURN_EVIDENCE 8

/*
 * It was retracted, but holds again for all pages that are remembered, the one that
 * contradicted it among them: that may have been an accident.
 */
static bool may_return(const struct dust_online *o, const struct site *s, uint32_t nr,
		       const struct rule *found)
{
	const struct rule_note *n = &o->notes[nr];

	return o->all.v[nr].state == RULE_RETRACTED && !n->foreign &&
	       n->returns < RETURNS_MAX && found->evidence.wrong == 0 &&
	       s->evidence - n->evidence >= (uint32_t)RETURN_EVIDENCE << n->returns;
}

static void bring_back(struct dust_online *o, uint32_t nr)
{
	struct rule_note *n = &o->notes[nr];

	o->all.v[nr].state = RULE_PROBATION;
	o->all.v[nr].evidence = (struct rule_evidence){ 0 };
	n->returns++;
	n->issued = n->doubts = n->silent = 0;
	n->proved = n->settled = 0;
}

/* Known already: only its evidence and its hosts grow.  What was disabled stays so. */
static void renew(struct dust_online *o, const struct site *s, uint32_t nr,
		  const struct rule *found)
{
	struct rule *r = &o->all.v[nr];

	if (may_return(o, s, nr, found))
		bring_back(o, nr);
	size_t n = (size_t)r->n_sites + found->n_sites;
	struct str *names = xrealloc(NULL, n + 1, sizeof(*names));

	for (size_t i = 0; i < r->n_sites; i++)
		names[i] = r->sites[i];
	for (size_t i = 0; i < found->n_sites; i++)
		names[r->n_sites + i] = found->sites[i];
	rule_set_sites(&o->all, r, names, n);
	free(names);
	r->evidence.frequency = found->evidence.frequency;
	r->evidence.support = found->evidence.support;
	r->evidence.wrong = found->evidence.wrong;
}

/* Best first, since the order of a site's rules is the order of application. */
static void order_rules(struct dust_online *o, struct site *s)
{
	for (size_t i = 1; i < s->n_rules; i++)
		for (size_t j = i; j > 0; j--) {
			if (rule_cmp(&o->all.v[s->rules[j - 1]],
				     &o->all.v[s->rules[j]]) <= 0)
				break;
			SWAP(s->rules[j - 1], s->rules[j]);
		}
}

/* Self-limiting operations hold for hosts by name: keep them with the site. */
static void take_rules(struct dust_online *o, struct site *s, struct rule_set *found)
{
	for (size_t i = 0; i < found->n; i++) {
		struct rule *r = &found->v[i];
		uint32_t nr = online_find_rule(o, s, r->text);

		r->universal = false;
		r->state = RULE_PROBATION;
		if (nr == RULE_NONE)
			online_add_rule(o, s, r, false);
		else
			renew(o, s, nr, r);
	}
	if (found->n == 0)
		return;
	o->dirty = true;
	order_rules(o, s);
	online_rebuild(o, s);
}

bool dust_online_step(struct dust_online *o)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	cleanup(rule_set_release) struct rule_set found = { 0 };
	struct learn_report report;

	if (o->queue_head == o->n_queue) {
		o->queue_head = o->n_queue = 0;
		return false;
	}
	struct site *s = o->sites[o->queue[o->queue_head++]];
	struct learn_options how = {
		.offer = { .sample = 10, .card = 5, .seed = o->o.seed },
		.families = true,
		.min_freq = o->o.min_freq,
		.min_support = o->o.min_support,
		.fpr_max = o->o.fpr_max,
		.threads = 1,
	};
	s->waiting = false;
	s->evidence_learnt = s->evidence;
	o->step_cost = s->n;
	if (s->age != o->age)
		online_rebuild(o, s);
	fill_set(s, &urls);
	learn(&urls, &how, &found, &report);
	take_rules(o, s, &found);
	return true;
}

size_t dust_online_step_cost(const struct dust_online *o)
{
	return o->step_cost;
}
