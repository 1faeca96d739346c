/* online_learn.c - the slow side of the online learner: rules out of a site's pages. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "learn/learn.h"
#include "online/online_internal.h"

static uint64_t pages_like(const struct online_site *s, const struct online_page *p)
{
	const uint64_t *n = map_find(&s->by_content, p->content);

	return n ? *n : 0;
}

/* Of each form one page.  Where its URLs brought several contents, one that most pages
 * have: with another every rule that leads to the form would seem to be wrong. */
static void choose_pages(const struct online_site *s, struct map *ret)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct online_page *p = &s->pages[i];
		bool is_new;

		if (!page_has_content(p))
			continue;
		uint64_t *at = map_add(ret, hash64(page_form(s, p)), &is_new);
		if (is_new || pages_like(s, p) > pages_like(s, &s->pages[*at]))
			*at = i;
	}
}

/* The pages of the site as clusters: forms, by content. */
static void fill_set(const struct online_site *s, struct url_set *ret)
{
	cleanup(map_release) struct map chosen = { 0 };

	choose_pages(s, &chosen);
	for (size_t i = 0; i < s->n; i++) {
		const struct online_page *p = &s->pages[i];
		char name[9] = "c";

		if (!page_has_content(p) ||
		    *map_find(&chosen, hash64(page_form(s, p))) != i)
			continue;
		memcpy(name + 1, &p->content, sizeof(p->content));
		url_set_add(ret, (struct str){ name, sizeof(name) }, page_form(s, p));
	}
	url_set_seal(ret);
}

/* Duplicates that a site must have shown since it retracted a rule. */
#define RELEARN_EVIDENCE 8

/*
 * It was retracted, but holds again for all pages that are remembered, the one that
 * contradicted it among them: that may have been an accident.
 */
static bool may_return(const struct rule_record *r, const struct online_site *s,
		       const struct rule *found)
{
	return r->life.state == LIFE_RETRACTED && !r->foreign &&
	       r->life.relearnt < RULE_RELEARNT_MAX && found->evidence.wrong == 0 &&
	       s->evidence - r->site_evidence >= (uint32_t)RELEARN_EVIDENCE
							 << r->life.relearnt;
}

/* Known already: only its evidence and its hosts grow.  What a person switched off stays
 * so. */
static void renew(struct rule_table *t, const struct online_site *s, uint32_t nr,
		  const struct rule *found)
{
	struct rule *r = &t->all.v[nr];

	if (may_return(&t->records[nr], s, found))
		rule_table_event(t, nr, EVENT_RELEARNT);
	size_t n = (size_t)r->n_sites + found->n_sites;
	struct str *names = xrealloc(NULL, n + 1, sizeof(*names));

	for (size_t i = 0; i < r->n_sites; i++)
		names[i] = r->sites[i];
	for (size_t i = 0; i < found->n_sites; i++)
		names[r->n_sites + i] = found->sites[i];
	rule_set_sites(&t->all, r, names, n);
	free(names);
	r->evidence.frequency = found->evidence.frequency;
	r->evidence.support = found->evidence.support;
	r->evidence.wrong = found->evidence.wrong;
}

static int cmp_ranks(const void *a, const void *b, void *arg)
{
	const struct rule *all = arg;

	return rule_cmp(&all[*(const uint32_t *)a], &all[*(const uint32_t *)b]);
}

/* Self-limiting operations hold for hosts by name: keep them with the site. */
static void take_rules(struct dust_online *o, struct online_site *s,
		       struct rule_set *found)
{
	struct rule_table *t = &o->rules;

	for (size_t i = 0; i < found->n; i++) {
		struct rule *r = &found->v[i];
		uint32_t nr = rule_table_find(t, s, r->text);

		r->universal = false;
		if (nr == RULE_NONE)
			rule_table_event(t, rule_table_add(t, s, r, false), EVENT_LEARNT);
		else
			renew(t, s, nr, r);
	}
	if (found->n == 0)
		return;
	t->dirty = true;
	/* Best first, since the order of a site's rules is the order of application. */
	qsort_r(s->rules, s->n_rules, sizeof(*s->rules), cmp_ranks, t->all.v);
	online_rebuild(o, s);
}

bool dust_online_step(struct dust_online *o)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	cleanup(rule_set_release) struct rule_set found = { 0 };
	struct learn_report report;

	if (o->sites.queue_head == o->sites.n_queue) {
		o->sites.queue_head = o->sites.n_queue = 0;
		return false;
	}
	struct online_site *s = o->sites.v[o->sites.queue[o->sites.queue_head++]];
	struct learn_options how = {
		.offer = { .sample = OFFER_SAMPLE,
			   .card = OFFER_CARD,
			   .seed = o->o.seed },
		.families = true,
		.min_freq = o->o.min_freq,
		.min_support = o->o.min_support,
		.fpr_max = o->o.fpr_max,
		.threads = 1,
	};
	s->is_queued = false;
	s->evidence_learnt = s->evidence;
	o->sites.step_cost = s->n;
	if (s->age != o->rules.age)
		online_rebuild(o, s);
	fill_set(s, &urls);
	learn(&urls, &how, &found, &report);
	take_rules(o, s, &found);
	return true;
}

size_t dust_online_step_cost(const struct dust_online *o)
{
	return o->sites.step_cost;
}
