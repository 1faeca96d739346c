/* online_learn.c - the slow side of the online learner: learning, proving, retracting. */
#include <stdlib.h>

#include "base/alloc.h"
#include "dust/learn.h"
#include "dust/online_internal.h"

uint32_t online_add_rule(struct dust_online *o, struct site *s, const struct rule *r,
			 bool foreign)
{
	uint32_t nr = (uint32_t)o->all.n;

	rule_set_copy(&o->all, r);
	VEC_RESERVE(o->skips, o->skips_cap, (size_t)nr + 1);
	o->skips[nr] = (struct skips){ .lost = r->evidence.skipped > 0 };
	VEC_RESERVE(o->foreign, o->foreign_cap, (size_t)nr + 1);
	o->foreign[nr] = foreign;
	VEC_ADD(s->rules, s->n_rules, s->rules_cap, nr);
	o->dirty = true;
	return nr;
}

/* Where the rule is applied: the general set, or the site of its first host. */
static struct site *home_of(struct dust_online *o, uint32_t nr)
{
	cleanup(buf_release) struct buf url = { 0 };
	const struct rule *r = &o->all.v[nr];

	if (r->universal || o->foreign[nr] || r->n_sites == 0)
		return &o->general;
	buf_addf(&url, "http://" STR_FMT "/", STR_ARG(r->sites[0]));
	return online_site(o, buf_str(&url));
}

/* A rule that enough sites have confirmed, and none retracted, is tried everywhere. */
static void consider_universal(struct dust_online *o, uint32_t nr)
{
	struct rule r = o->all.v[nr];
	size_t confirmed = 0;

	if (o->o.universal_sites == 0 || r.universal || o->foreign[nr] ||
	    (r.is_operation && r.operation.kind <= OPERATION_SUBDOMAIN &&
	     r.operation.kind >= OPERATION_HOST))
		return;
	for (size_t i = 0; i < o->all.n; i++) {
		const struct rule *other = &o->all.v[i];

		if (!str_eq(other->text, r.text))
			continue;
		if (other->universal || other->state == RULE_RETRACTED ||
		    other->state == RULE_DISABLED)
			return;
		confirmed += other->state == RULE_CONFIRMED;
	}
	if (confirmed < o->o.universal_sites)
		return;
	r.universal = true;
	r.state = RULE_PROBATION;
	r.evidence = (struct rule_evidence){ .frequency = confirmed };
	r.n_sites = 0;
	online_add_rule(o, &o->general, &r, false);
	online_rebuild(o, &o->general);
}

static void retract(struct dust_online *o, uint32_t nr)
{
	o->all.v[nr].state = RULE_RETRACTED;
	VEC_ADD(o->retracted, o->n_retracted, o->retracted_cap, nr);
	online_rebuild(o, home_of(o, nr));
}

static uint32_t find_rule(const struct dust_online *o, const struct site *s,
			  struct str text)
{
	for (size_t i = 0; i < s->n_rules; i++)
		if (str_eq(o->all.v[s->rules[i]].text, text))
			return s->rules[i];
	return RULE_NONE;
}

void online_probe(struct dust_online *o, const struct site *s, uint32_t nr, bool same)
{
	struct rule *r = &o->all.v[nr];
	struct rule_evidence *e = &r->evidence;

	if (!rule_is_active(r))
		return;
	/* A site that taught us the rule cannot also prove that it holds elsewhere. */
	if (same && r->universal && find_rule(o, s, r->text) != RULE_NONE)
		return;
	e->probes++;
	e->contradictions += !same;
	o->dirty = true;
	if ((double)e->contradictions > o->o.fpr_max * (double)e->probes) {
		retract(o, nr);
		return;
	}
	if (r->state == RULE_PROBATION && e->probes - e->contradictions >= o->o.probes) {
		r->state = RULE_CONFIRMED;
		consider_universal(o, nr);
	}
}

/* The pages of the site as clusters: forms, by content. */
static void fill_set(const struct site *s, struct url_set *ret)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct page *p = &s->pages[i];
		uint64_t *n = map_find(&s->by_content, p->content);
		char name[9] = "c";

		for (int b = 0; b < 8; b++)
			name[1 + b] = (char)(p->content >> (8 * b));
		url_set_add(ret,
			    n && *n > 1 ? (struct str){ name, sizeof(name) } : STR("-"),
			    page_form(s, p));
	}
	url_set_seal(ret);
}

/* Known already: only its evidence and its hosts grow.  What was retracted or
 * disabled stays so. */
static void renew(struct dust_online *o, uint32_t nr, const struct rule *found)
{
	struct rule *r = &o->all.v[nr];
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
		uint32_t nr = find_rule(o, s, r->text);

		r->universal = false;
		r->state = RULE_PROBATION;
		if (nr == RULE_NONE)
			online_add_rule(o, s, r, false);
		else
			renew(o, nr, r);
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
	if (s->age != o->age)
		online_rebuild(o, s);
	fill_set(s, &urls);
	learn(&urls, &how, &found, &report);
	take_rules(o, s, &found);
	return true;
}

bool dust_online_next_retraction(struct dust_online *o, struct online_retraction *ret)
{
	if (o->retracted_head == o->n_retracted) {
		o->retracted_head = o->n_retracted = 0;
		return false;
	}
	uint32_t nr = o->retracted[o->retracted_head++];
	for (size_t i = 0; i < o->skips[nr].n; i++) /* they will be asked about again */
		map_remove(&o->decided, hash64(o->skips[nr].urls[i]));
	*ret = (struct online_retraction){ .rule = nr,
					   .urls = o->skips[nr].urls,
					   .n = o->skips[nr].n,
					   .complete = !o->skips[nr].lost };
	return true;
}
