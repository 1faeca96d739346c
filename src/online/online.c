#include "online/online.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"
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
	.skips_max = (size_t)1 << 23,
	.seed = 1,
};

struct dust_online *dust_online_new(const struct online_options *options)
{
	struct dust_online *o = NEW(struct dust_online);

	o->o = *options;
	online_rebuild_general(o);
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
	map_release(&s->by_main);
	map_release(&s->same);
}

static void view_release(struct view *v)
{
	rule_index_release(&v->index);
	free(v->set.v); /* its rules belong to the set of all */
	free(v->numbers);
	*v = (struct view){ 0 };
}

static void site_release(struct site *s)
{
	forget_pages(s);
	view_release(&s->own);
	if (s->general)
		view_release(s->general);
	free(s->general);
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
	online_skips_release(o);
	view_release(&o->general);
	rule_set_release(&o->all);
	intern_release(&o->names);
	rule_scratch_release(&o->scratch);
	rule_scratch_release(&o->second);
	buf_release(&o->key);
	buf_release(&o->form);
	free(o->notes);
	free(o->general_rules);
	free(o->sites);
	free(o->queue);
	free(o);
	*p = NULL;
}

/* --- sites and their rules --- */

struct site *online_site(struct dust_online *o, struct str url)
{
	size_t known = o->names.n;
	uint32_t nr = intern_add(&o->names, suffix_site(dust_host(url)));

	if (nr == known) {
		VEC_RESERVE(o->sites, o->sites_cap, known + 1);
		o->sites[nr] = NEW(struct site);
		o->sites[nr]->nr = nr;
		online_rebuild(o, o->sites[nr]);
	}
	return o->sites[nr];
}

static void view_clear(struct view *v, size_t room)
{
	rule_index_release(&v->index);
	v->set.n = 0;
	VEC_RESERVE(v->set.v, v->set.cap, room);
	v->numbers = xrealloc(v->numbers, room + 1, sizeof(*v->numbers));
}

static void view_add(struct dust_online *o, struct view *v, uint32_t nr)
{
	v->numbers[v->set.n] = nr;
	v->set.v[v->set.n++] = o->all.v[nr];
}

/* In the last reckoning only what is proved makes two URLs one. */
static bool is_applied(const struct dust_online *o, uint32_t nr)
{
	return rule_is_active(&o->all.v[nr]) &&
	       !(o->only_proved && o->all.v[nr].state == RULE_PROBATION);
}

void online_rebuild_general(struct dust_online *o)
{
	view_clear(&o->general, o->n_general);
	for (size_t i = 0; i < o->n_general; i++)
		if (is_applied(o, o->general_rules[i]))
			view_add(o, &o->general, o->general_rules[i]);
	rule_index_build(&o->general.index, &o->general.set);
	o->age++;
}

/* The site's instance of a general rule, if there is one. */
static uint32_t find_instance(const struct dust_online *o, const struct site *s,
			      uint32_t general)
{
	for (size_t i = 0; i < s->n_rules; i++)
		if (o->notes[s->rules[i]].general == general)
			return s->rules[i];
	return RULE_NONE;
}

/* Whether a site takes part in a general rule; its own instance decides. */
static bool site_applies(const struct dust_online *o, const struct site *s,
			 uint32_t general)
{
	uint32_t nr = find_instance(o, s, general);

	return rule_is_active(&o->all.v[general]) &&
	       is_applied(o, nr == RULE_NONE ? general : nr);
}

static void rebuild_exceptions(struct dust_online *o, struct site *s)
{
	bool as_all = true;

	for (size_t i = 0; i < o->n_general; i++)
		as_all &= site_applies(o, s, o->general_rules[i]) ==
			  is_applied(o, o->general_rules[i]);
	if (as_all && !s->general)
		return;
	if (!s->general)
		s->general = NEW(struct view);
	view_clear(s->general, o->n_general);
	for (size_t i = 0; i < o->n_general; i++)
		if (site_applies(o, s, o->general_rules[i]))
			view_add(o, s->general, o->general_rules[i]);
	rule_index_build(&s->general->index, &s->general->set);
}

/* An instance has nothing to do while the rule itself is applied before it. */
static bool acts(const struct dust_online *o, uint32_t nr)
{
	uint32_t general = o->notes[nr].general;

	return is_applied(o, nr) &&
	       (general == RULE_NONE || !rule_is_active(&o->all.v[general]));
}

static void rebuild_own(struct dust_online *o, struct site *s)
{
	view_clear(&s->own, s->n_rules);
	for (size_t i = 0; i < s->n_rules; i++)
		if (acts(o, s->rules[i]))
			view_add(o, &s->own, s->rules[i]);
	rule_index_build(&s->own.index, &s->own.set);
}

/* Who was fetched represents better than who is only promised or claimed. */
static void represent(struct site *s, uint64_t key, size_t page)
{
	bool new;
	uint64_t *at = map_add(&s->by_key, key, &new);

	if (new || s->pages[*at - 1].state < s->pages[page].state ||
	    s->pages[*at - 1].state == PAGE_FAILED)
		*at = page + 1;
}

void online_rebuild(struct dust_online *o, struct site *s)
{
	struct online_key k;

	rebuild_exceptions(o, s);
	rebuild_own(o, s);
	s->age = o->age;
	map_reset(&s->by_key);
	for (size_t i = 0; i < s->n; i++) {
		online_make_key(o, s, page_url(s, &s->pages[i]), &k);
		if (!str_eq(page_form(s, &s->pages[i]), buf_str(&o->form))) {
			s->pages[i].form = (uint32_t)s->text.n;
			buf_add_sized(&s->text, buf_str(&o->form));
		}
		if (s->pages[i].state != PAGE_FAILED)
			represent(s, hash64(k.key), i);
	}
}

/* A change of the general rules reaches a site when it is next asked. */
struct site *online_current_site(struct dust_online *o, struct str url)
{
	struct site *s = online_site(o, url);

	if (s->age != o->age)
		online_rebuild(o, s);
	return s;
}

/* --- keys --- */

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
static void add_used(struct online_key *k, const struct view *v,
		     const struct rule_applied *a)
{
	for (size_t i = 0; i < a->used.n && k->n_rules < ONLINE_RULES_MAX; i++)
		k->rule[k->n_rules++] = v->numbers[a->used.rule[i]];
	if (a->rewrite != RULE_NONE && k->n_rules < ONLINE_RULES_MAX)
		k->rule[k->n_rules++] = v->numbers[a->rewrite];
}

/* The form of a URL under the general rules, then its key under the site's own. */
void online_make_key(struct dust_online *o, const struct site *s, struct str url,
		     struct online_key *ret)
{
	const struct view *general = s->general ? s->general : &o->general;
	struct rule_applied a;

	*ret = (struct online_key){ 0 };
	rule_index_apply(&general->index, url, &o->scratch, &a);
	add_used(ret, general, &a);
	buf_reset(&o->form);
	buf_add(&o->form, a.key);
	rule_index_apply(&s->own.index, buf_str(&o->form), &o->second, &a);
	add_used(ret, &s->own, &a);
	ret->key = a.key;
}

static struct page *known_page(const struct site *s, const struct map *m, uint64_t hash)
{
	uint64_t *at = map_find(m, hash);

	return at ? &s->pages[*at - 1] : NULL;
}

struct page *online_representative(const struct site *s, uint64_t key)
{
	struct page *p = known_page(s, &s->by_key, key);

	return p && (p->state == PAGE_FETCHED || p->state == PAGE_QUEUED) ? p : NULL;
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
	struct site *s = online_current_site(o, url);
	struct online_key other;

	online_make_key(o, s, url, ret);
	buf_reset(&o->key);
	buf_add(&o->key, ret->key);
	ret->key = buf_str(&o->key);
	struct page *p = online_representative(s, hash64(ret->key));
	if (p) {
		ret->representative = page_url(s, p);
		online_make_key(o, s, ret->representative, &other);
		if (!str_eq(ret->representative, url)) {
			add_rules(ret, &other);
			online_narrow(o, url, ret->representative, ret);
		}
	}
	online_localize(o, s, url, ret);
}

/* --- decisions --- */

/* Whether a rule on probation still wants probes; all of them get this one. */
static bool take_probe(struct dust_online *o, const struct online_key *k,
		       bool *ret_probation)
{
	bool wanted = false;

	*ret_probation = false;
	for (size_t i = 0; i < k->n_rules; i++) {
		if (o->all.v[k->rule[i]].state != RULE_PROBATION)
			continue;
		*ret_probation = true;
		wanted |= o->notes[k->rule[i]].issued <=
			  online_probes_wanted(o, k->rule[i]);
	}
	for (size_t i = 0; wanted && i < k->n_rules; i++)
		o->notes[k->rule[i]].issued +=
			o->all.v[k->rule[i]].state == RULE_PROBATION;
	return wanted;
}

enum online_decision dust_online_decide(struct dust_online *o, struct str url,
					const struct online_key *k, bool seen)
{
	bool probation;

	if (str_eq(k->representative, url))
		return ONLINE_SEEN;
	if (!seen && k->representative.n == 0)
		return ONLINE_NEW;
	if (k->n_rules == 0)
		return ONLINE_SEEN;
	if (take_probe(o, k, &probation) || online_is_first_of_kind(o, url, k))
		return ONLINE_PROBE;
	if (!probation &&
	    (double)(hash64_seeded(url, o->o.seed) >> 11) * 0x1p-53 < o->o.explore)
		return ONLINE_EXPLORE;
	return online_remember_skip(o, url, k) ? ONLINE_SKIP : ONLINE_EXPLORE;
}

/* --- pages --- */

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

static void queue_site(struct dust_online *o, struct site *s)
{
	s->evidence++;
	/* Each step needs a quarter more evidence than the last: steps are few. */
	if (s->waiting ||
	    s->evidence < s->evidence_learnt + MAX(2u, s->evidence_learnt / 4))
		return;
	s->waiting = true;
	VEC_ADD(o->queue, o->n_queue, o->queue_cap, s->nr);
}

static size_t find_or_add(struct dust_online *o, struct site *s, struct str url,
			  bool *ret_new)
{
	make_room(o, s);
	uint64_t *at = map_add(&s->by_url, hash64(url), ret_new);
	if (*ret_new) {
		struct page p = { .url = (uint32_t)s->text.n, .state = PAGE_FAILED };

		buf_add_sized(&s->text, url);
		p.form = (uint32_t)s->text.n;
		buf_add_sized(&s->text, buf_str(&o->form));
		VEC_ADD(s->pages, s->n, s->cap, p);
		*at = s->n;
		o->n_pages++;
	}
	return *at - 1;
}

static void add_page(struct dust_online *o, struct site *s, struct str url,
		     uint64_t content, const struct likeness *like, enum page_state state)
{
	struct online_key k;
	bool new;

	content = online_label(s, content);
	online_make_key(o, s, url, &k);
	uint64_t key = hash64(k.key);
	size_t nr = find_or_add(o, s, url, &new);
	struct page *p = &s->pages[nr];
	/* A claim does not stand against what was fetched, nor a plan. */
	if (!new && p->state == PAGE_FETCHED && state != PAGE_FETCHED)
		return;
	if (!new &&page_has_content(p)) {
		if (p->content == content && p->state == state)
			return;
		--*map_add(&s->by_content, p->content, NULL);
	}
	p->content = content;
	if (like) {
		p->like = *like;
		*map_add(&s->by_main, like->main, NULL) = nr + 1;
	}
	p->state = (uint8_t)state;
	represent(s, key, nr);
	if (page_has_content(p) && (*map_add(&s->by_content, content, NULL))++ > 0)
		queue_site(o, s);
}

static bool is_too_much(const struct site *s, struct str url)
{
	return url.n > TOKENS_BYTES_MAX || s->text.n > BUF_LIMIT_DEFAULT / 2;
}

void dust_online_queued(struct dust_online *o, struct str url)
{
	struct site *s = online_current_site(o, url);

	if (!is_too_much(s, url))
		add_page(o, s, url, 0, NULL, PAGE_QUEUED);
}

void dust_online_unqueued(struct dust_online *o, struct str url)
{
	struct site *s = online_current_site(o, url);
	struct page *p = known_page(s, &s->by_url, hash64(url));

	if (!p || p->state != PAGE_QUEUED)
		return;
	p->state = PAGE_FAILED;
	o->is_reckoned = false;
}

void online_rules_between(struct dust_online *o, struct site *s, struct str url,
			  struct str other, struct online_key *ret)
{
	struct online_key more;

	online_make_key(o, s, other, &more);
	add_rules(ret, &more);
	online_narrow(o, url, other, ret);
	online_localize(o, s, url, ret);
}

void dust_online_page(struct dust_online *o, struct str url, uint64_t content,
		      const struct likeness *like)
{
	struct site *s = online_current_site(o, url);
	struct online_key mine;

	if (is_too_much(s, url))
		return;
	online_make_key(o, s, url, &mine);
	struct page *p = known_page(s, &s->by_key, hash64(mine.key));
	if (p && p->state == PAGE_FETCHED && !str_eq(page_url(s, p), url)) {
		enum comparison result = online_compare(s, p, content, like);

		online_rules_between(o, s, url, page_url(s, p), &mine);
		if (result == COMPARE_SAME) {
			(void)online_is_first_of_kind(o, url, &mine);
			online_unite(s, content, p->content);
		}
		if (result != COMPARE_OTHER || !online_dispute(o, s, p, like, &mine))
			online_probe(o, s, &mine, result);
		s = online_current_site(o, url);
	}
	online_recognise(s, url, content, like);
	add_page(o, s, url, content, like, PAGE_FETCHED);
}

void dust_online_restore_page(struct dust_online *o, struct str url, uint64_t content)
{
	struct site *s = online_current_site(o, url);

	if (!is_too_much(s, url))
		add_page(o, s, url, content, NULL, PAGE_FETCHED);
}

void dust_online_same(struct dust_online *o, struct str url, struct str other)
{
	struct site *s = online_current_site(o, other);
	struct page *p;

	if (str_eq(url, other) || is_too_much(s, url) || other.n > TOKENS_BYTES_MAX)
		return;
	/* Rules are learnt within a site; what points elsewhere is not a pattern. */
	if (s != online_current_site(o, url))
		return;
	struct page *q = known_page(s, &s->by_url, hash64(url));
	p = known_page(s, &s->by_url, hash64(other));
	uint64_t content = p && page_has_content(p)   ? p->content
			   : q && page_has_content(q) ? q->content
						      : online_claim(other);
	if (!p)
		add_page(o, s, other, content, NULL, PAGE_CLAIMED);
	add_page(o, s, url, content, NULL, PAGE_CLAIMED);
}

void dust_online_failed(struct dust_online *o, struct str url, enum online_failure cause)
{
	struct online_key k;

	online_check_failed(o, url);
	struct site *s = online_current_site(o, url);
	online_make_key(o, s, url, &k);
	uint64_t key = hash64(k.key);
	struct page *p = known_page(s, &s->by_url, hash64(url));
	if (p && p->state != PAGE_FETCHED) {
		if (p->state == PAGE_CLAIMED)
			--*map_add(&s->by_content, p->content, NULL);
		p->state = PAGE_FAILED;
	}
	p = online_representative(s, key);
	/* One of several URLs failed, and not the one that the others were skipped for.
	 */
	if (p && p->state == PAGE_FETCHED)
		return;
	online_return(o, &(struct returning){ .rule = RULE_NONE,
					      .failed = url,
					      .key = key,
					      .cause = (uint8_t)cause });
}

const struct rule_set *dust_online_rules(const struct dust_online *o)
{
	return &o->all;
}
