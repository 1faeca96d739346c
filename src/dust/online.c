#include "dust/online.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "dust/online_internal.h"
#include "web/suffix.h"

const struct online_options online_standard = {
	.fpr_max = 0,
	.explore = 0.03,
	.probes = 3,
	.min_freq = 2,
	.min_support = 2,
	.universal_sites = 5,
	.site_pages = 2048,
	.pages_max = (size_t)1 << 20,
	.seed = 1,
};

struct dust_online *dust_online_new(const struct online_options *options)
{
	struct dust_online *o = NEW(struct dust_online);

	o->o = *options;
	online_rebuild(o, &o->general);
	return o;
}

static void forget_pages(struct site *s)
{
	buf_release(&s->text);
	free(s->pages);
	s->pages = NULL;
	s->n = s->cap = 0;
	map_release(&s->by_url);
	map_release(&s->by_key);
	map_release(&s->by_content);
}

void site_release(struct site *s)
{
	forget_pages(s);
	rule_index_release(&s->index);
	free(s->view.v); /* its rules belong to the set of all */
	free(s->numbers);
	free(s->rules);
	*s = (struct site){ 0 };
}

void dust_online_release(struct dust_online **p)
{
	struct dust_online *o = *p;

	if (!o)
		return;
	for (size_t i = 0; i < o->names.n; i++) {
		site_release(o->sites[i]);
		free(o->sites[i]);
	}
	for (size_t i = 0; i < o->all.n; i++)
		free(o->skips[i].urls);
	site_release(&o->general);
	rule_set_release(&o->all);
	arena_release(&o->skipped);
	intern_release(&o->names);
	rule_scratch_release(&o->scratch);
	rule_scratch_release(&o->second);
	buf_release(&o->key);
	buf_release(&o->form);
	map_release(&o->decided);
	free(o->skips);
	free(o->foreign);
	free(o->sites);
	free(o->queue);
	free(o->retracted);
	free(o);
	*p = NULL;
}

struct site *online_site(struct dust_online *o, struct str url)
{
	size_t known = o->names.n;
	uint32_t nr = intern_add(&o->names, suffix_site(dust_host(url)));

	if (nr == known) {
		VEC_RESERVE(o->sites, o->sites_cap, known + 1);
		o->sites[nr] = NEW(struct site);
		online_rebuild(o, o->sites[nr]);
	}
	return o->sites[nr];
}

static struct str text_at(const struct site *s, uint32_t at)
{
	struct str rest = str_skip(buf_str(&s->text), at), text = { "", 0 };

	if (!str_take_sized(&rest, &text))
		abort(); /* we wrote it */
	return text;
}

struct str page_url(const struct site *s, const struct page *p)
{
	return text_at(s, p->url);
}

struct str page_form(const struct site *s, const struct page *p)
{
	return text_at(s, p->form);
}

/* The rules that changed a URL, by number, from one of the two sets. */
static void add_used(struct online_key *k, const struct site *s,
		     const struct rule_applied *a)
{
	for (size_t i = 0; i < a->used.n && k->n_rules < ONLINE_RULES_MAX; i++)
		k->rule[k->n_rules++] = s->numbers[a->used.rule[i]];
	if (a->rewrite != RULE_NONE && k->n_rules < ONLINE_RULES_MAX)
		k->rule[k->n_rules++] = s->numbers[a->rewrite];
}

/* The form of a URL under the general rules, then its key under the site's own. */
static void make_key(struct dust_online *o, const struct site *s, struct str url,
		     struct online_key *ret)
{
	struct rule_applied a;

	*ret = (struct online_key){ 0 };
	rule_index_apply(&o->general.index, url, &o->scratch, &a);
	add_used(ret, &o->general, &a);
	buf_reset(&o->form);
	buf_add(&o->form, a.key);
	rule_index_apply(&s->index, buf_str(&o->form), &o->second, &a);
	add_used(ret, s, &a);
	ret->key = a.key;
}

void online_rebuild(struct dust_online *o, struct site *s)
{
	struct online_key k;

	rule_index_release(&s->index);
	s->view.n = 0;
	VEC_RESERVE(s->view.v, s->view.cap, s->n_rules);
	s->numbers = xrealloc(s->numbers, s->n_rules + 1, sizeof(*s->numbers));
	for (size_t i = 0; i < s->n_rules; i++)
		if (rule_is_active(&o->all.v[s->rules[i]])) {
			s->numbers[s->view.n] = s->rules[i];
			s->view.v[s->view.n++] = o->all.v[s->rules[i]];
		}
	rule_index_build(&s->index, &s->view);
	if (s == &o->general) {
		o->age++;
		return;
	}
	s->age = o->age;
	map_reset(&s->by_key);
	for (size_t i = 0; i < s->n; i++) {
		bool new;

		make_key(o, s, page_url(s, &s->pages[i]), &k);
		if (!str_eq(page_form(s, &s->pages[i]), buf_str(&o->form))) {
			s->pages[i].form = (uint32_t)s->text.n;
			buf_add_sized(&s->text, buf_str(&o->form));
		}
		uint64_t *at = map_add(&s->by_key, hash64(k.key), &new);
		if (new)
			*at = i + 1;
	}
}

/* A change of the general rules reaches a site when it is next asked. */
static struct site *current_site(struct dust_online *o, struct str url)
{
	struct site *s = online_site(o, url);

	if (s->age != o->age)
		online_rebuild(o, s);
	return s;
}

static struct page *known_page(const struct site *s, const struct map *m, uint64_t hash)
{
	uint64_t *at = map_find(m, hash);

	return at ? &s->pages[*at - 1] : NULL;
}

static void add_rules(struct online_key *k, const struct online_key *more)
{
	for (size_t i = 0; i < more->n_rules; i++) {
		size_t n = 0;

		while (n < k->n_rules && k->rule[n] != more->rule[i])
			n++;
		if (n == k->n_rules && n < ONLINE_RULES_MAX)
			k->rule[k->n_rules++] = more->rule[i];
	}
}

/* The rules that make two URLs one are those that changed either of them. */
void dust_online_key(struct dust_online *o, struct str url, struct online_key *ret)
{
	struct site *s = current_site(o, url);
	struct online_key other;

	make_key(o, s, url, ret);
	buf_reset(&o->key);
	buf_add(&o->key, ret->key);
	ret->key = buf_str(&o->key);
	struct page *p = known_page(s, &s->by_key, hash64(ret->key));
	if (!p)
		return;
	ret->representative = page_url(s, p);
	if (str_eq(ret->representative, url))
		return;
	make_key(o, s, ret->representative, &other);
	add_rules(ret, &other);
}

static void remember_skip(struct dust_online *o, uint32_t nr, struct str url)
{
	struct skips *s = &o->skips[nr];

	o->all.v[nr].evidence.skipped++;
	o->dirty = true;
	if (s->n == SKIPS_MAX)
		s->lost = true;
	else
		VEC_ADD(s->urls, s->n, s->cap, arena_copy(&o->skipped, url));
}

static bool is_on_probation(const struct dust_online *o, const struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (o->all.v[k->rule[i]].state == RULE_PROBATION)
			return true;
	return false;
}

enum online_decision dust_online_decide(struct dust_online *o, struct str url,
					const struct online_key *k, bool seen)
{
	bool new;

	if (str_eq(k->representative, url))
		return ONLINE_SEEN;
	if (!seen && k->representative.n == 0)
		return ONLINE_NEW;
	if (k->n_rules == 0)
		return ONLINE_SEEN;
	if (o->decided.n > DECIDED_MAX)
		map_reset(&o->decided);
	map_add(&o->decided, hash64(url), &new);
	if (!new)
		return ONLINE_SEEN;
	if (is_on_probation(o, k))
		return ONLINE_PROBE;
	if ((double)(hash64_seeded(url, o->o.seed) >> 11) * 0x1p-53 < o->o.explore)
		return ONLINE_EXPLORE;
	for (size_t i = 0; i < k->n_rules; i++)
		remember_skip(o, k->rule[i], url);
	return ONLINE_SKIP;
}

/* When memory is full the site that was first gives up its pages; its rules stay. */
static void make_room(struct dust_online *o, struct site *s)
{
	if (s->n >= o->o.site_pages) {
		o->n_pages -= s->n;
		forget_pages(s);
	}
	for (size_t tries = 0; o->n_pages >= o->o.pages_max && tries < o->names.n;
	     tries++) {
		struct site *old = o->sites[o->next_forgotten++ % o->names.n];

		o->n_pages -= old->n;
		forget_pages(old);
	}
}

static void queue_site(struct dust_online *o, struct site *s, struct str url)
{
	uint32_t nr = intern_find(&o->names, suffix_site(dust_host(url)));

	s->evidence++;
	/* Each step needs a quarter more evidence than the last: steps are few. */
	if (s->waiting ||
	    s->evidence < s->evidence_learnt + MAX(2u, s->evidence_learnt / 4))
		return;
	s->waiting = true;
	VEC_ADD(o->queue, o->n_queue, o->queue_cap, nr);
}

static void add_page(struct dust_online *o, struct site *s, struct str url,
		     uint64_t content, bool claimed)
{
	struct online_key k;
	bool new;

	make_room(o, s);
	make_key(o, s, url, &k);
	struct page p = { .url = (uint32_t)s->text.n,
			  .content = content,
			  .claimed = claimed };
	uint64_t *at = map_add(&s->by_url, hash64(url), &new);
	if (!new) { /* fetched again, or first claimed and now fetched */
		struct page *old = &s->pages[*at - 1];

		if (old->content == content || (claimed && !old->claimed))
			return;
		--*map_add(&s->by_content, old->content, NULL);
		old->content = content;
		old->claimed = claimed;
	} else {
		buf_add_sized(&s->text, url);
		p.form = (uint32_t)s->text.n;
		buf_add_sized(&s->text, buf_str(&o->form));
		VEC_ADD(s->pages, s->n, s->cap, p);
		*at = s->n;
		o->n_pages++;
		at = map_add(&s->by_key, hash64(k.key), &new);
		if (new)
			*at = s->n;
	}
	if ((*map_add(&s->by_content, content, NULL))++ > 0)
		queue_site(o, s, url);
}

void dust_online_page(struct dust_online *o, struct str url, uint64_t content)
{
	struct site *s = current_site(o, url);
	struct online_key mine, other;

	if (url.n > TOKENS_BYTES_MAX || s->text.n > BUF_LIMIT_DEFAULT / 2)
		return;
	make_key(o, s, url, &mine);
	struct page *p = known_page(s, &s->by_key, hash64(mine.key));
	if (p && !p->claimed && !str_eq(page_url(s, p), url)) {
		bool same = p->content == content;

		make_key(o, s, page_url(s, p), &other);
		add_rules(&mine, &other);
		for (size_t i = 0; i < mine.n_rules; i++)
			online_probe(o, s, mine.rule[i], same);
		s = current_site(o, url);
	}
	add_page(o, s, url, content, false);
}

void dust_online_same(struct dust_online *o, struct str url, struct str other)
{
	struct site *s = current_site(o, other);
	struct page *p;

	if (str_eq(url, other) || url.n > TOKENS_BYTES_MAX || other.n > TOKENS_BYTES_MAX)
		return;
	/* Rules are learnt within a site; what points elsewhere is not a pattern. */
	if (s != current_site(o, url))
		return;
	p = known_page(s, &s->by_url, hash64(other));
	uint64_t content = p ? p->content : hash64(other);
	if (!p)
		add_page(o, s, other, content, true);
	add_page(o, s, url, content, true);
}

const struct rule_set *dust_online_rules(const struct dust_online *o)
{
	return &o->all;
}
