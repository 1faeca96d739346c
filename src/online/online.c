#include "online/online.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"
#include "url/suffix.h"

const struct online_options online_defaults = {
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
	o->skips.max = options->skips_max;
	rule_table_rebuild_general(&o->rules);
	return o;
}

static void forget_pages(struct online_site *s)
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

static void site_release(struct online_site *s)
{
	forget_pages(s);
	rule_view_release(&s->own);
	if (s->general)
		rule_view_release(s->general);
	free(s->general);
	free(s->rules);
	*s = (struct online_site){ 0 };
}

void dust_online_release(struct dust_online **p)
{
	struct dust_online *o = *p;

	if (!o)
		return;
	for (size_t i = 0; i < o->sites.names.n; i++) {
		site_release(o->sites.v[i]);
		free(o->sites.v[i]);
	}
	intern_release(&o->sites.names);
	free(o->sites.v);
	free(o->sites.queue);
	rule_table_release(&o->rules);
	skip_table_release(&o->skips);
	return_queue_release(&o->returns);
	check_table_release(&o->checks);
	final_sweep_release(&o->sweep);
	rule_scratch_release(&o->keys.scratch);
	rule_scratch_release(&o->keys.second);
	buf_release(&o->keys.key);
	buf_release(&o->keys.form);
	free(o);
	*p = NULL;
}

/* --- sites and their rules --- */

struct online_site *online_site_of(struct dust_online *o, struct str url)
{
	size_t known = o->sites.names.n;
	uint32_t nr = intern_add(&o->sites.names, suffix_site(dust_host(url)));

	if (nr == known) {
		VEC_RESERVE(o->sites.v, o->sites.cap, known + 1);
		o->sites.v[nr] = NEW(struct online_site);
		o->sites.v[nr]->nr = nr;
		online_rebuild(o, o->sites.v[nr]);
	}
	return o->sites.v[nr];
}

/* The site's instance of a general rule, if there is one. */
static uint32_t find_instance(const struct rule_table *t, const struct online_site *s,
			      uint32_t general)
{
	for (size_t i = 0; i < s->n_rules; i++)
		if (t->records[s->rules[i]].general == general)
			return s->rules[i];
	return RULE_NONE;
}

/* Whether a site takes part in a general rule; its own instance decides. */
static bool site_applies(const struct rule_table *t, const struct online_site *s,
			 uint32_t general)
{
	uint32_t nr = find_instance(t, s, general);

	return life_is_active(rule_table_state(t, general)) &&
	       rule_is_applied(t, nr == RULE_NONE ? general : nr);
}

static void rebuild_exceptions(const struct rule_table *t, struct online_site *s)
{
	bool as_all = true;

	for (size_t i = 0; i < t->n_general; i++)
		as_all &= site_applies(t, s, t->general[i]) ==
			  rule_is_applied(t, t->general[i]);
	if (as_all && !s->general)
		return;
	if (!s->general)
		s->general = NEW(struct rule_view);
	rule_view_clear(s->general, t->n_general);
	for (size_t i = 0; i < t->n_general; i++)
		if (site_applies(t, s, t->general[i]))
			rule_view_add(t, s->general, t->general[i]);
	rule_index_build(&s->general->index, &s->general->set);
}

/* An instance has nothing to do while the rule itself is applied before it. */
static bool acts(const struct rule_table *t, uint32_t nr)
{
	uint32_t general = t->records[nr].general;

	return rule_is_applied(t, nr) &&
	       (general == RULE_NONE || !life_is_active(rule_table_state(t, general)));
}

static void rebuild_own(const struct rule_table *t, struct online_site *s)
{
	rule_view_clear(&s->own, s->n_rules);
	for (size_t i = 0; i < s->n_rules; i++)
		if (acts(t, s->rules[i]))
			rule_view_add(t, &s->own, s->rules[i]);
	rule_index_build(&s->own.index, &s->own.set);
}

/* Who was fetched represents better than who is only promised or claimed. */
static void represent(struct online_site *s, uint64_t key, size_t page)
{
	bool new;
	uint64_t *at = map_add(&s->by_key, key, &new);

	if (new || s->pages[*at - 1].state < s->pages[page].state ||
	    s->pages[*at - 1].state == PAGE_FAILED)
		*at = page + 1;
}

void online_rebuild(struct dust_online *o, struct online_site *s)
{
	struct online_key k;

	rebuild_exceptions(&o->rules, s);
	rebuild_own(&o->rules, s);
	s->age = o->rules.age;
	map_reset(&s->by_key);
	for (size_t i = 0; i < s->n; i++) {
		online_make_key(o, s, page_url(s, &s->pages[i]), &k);
		if (!str_eq(page_form(s, &s->pages[i]), buf_str(&o->keys.form))) {
			s->pages[i].form = (uint32_t)s->text.n;
			buf_add_sized(&s->text, buf_str(&o->keys.form));
		}
		if (s->pages[i].state != PAGE_FAILED)
			represent(s, hash64(k.key), i);
	}
}

/* A change of the general rules reaches a site when it is next used. */
struct online_site *online_current_site(struct dust_online *o, struct str url)
{
	struct online_site *s = online_site_of(o, url);

	if (s->age != o->rules.age)
		online_rebuild(o, s);
	return s;
}

/* --- keys --- */

static struct str text_at(const struct online_site *s, uint32_t at)
{
	struct str rest = str_skip(buf_str(&s->text), at), text = rest;

	if (!str_take_sized(&rest, &text))
		abort(); /* we wrote it */
	return text;
}

struct str page_url(const struct online_site *s, const struct online_page *p)
{
	return text_at(s, p->url);
}

struct str page_form(const struct online_site *s, const struct online_page *p)
{
	return text_at(s, p->form);
}

/* The rules that changed a URL, by number, from one of the two sets. */
static void add_used(struct online_key *k, const struct rule_view *v,
		     const struct rule_applied *a)
{
	for (size_t i = 0; i < a->used.n && k->n_rules < ONLINE_RULES_MAX; i++)
		k->rule[k->n_rules++] = v->numbers[a->used.rule[i]];
	if (a->rewrite != RULE_NONE && k->n_rules < ONLINE_RULES_MAX)
		k->rule[k->n_rules++] = v->numbers[a->rewrite];
}

/* The form of a URL under the general rules, then its key under the site's own. */
void online_make_key(struct dust_online *o, const struct online_site *s, struct str url,
		     struct online_key *ret)
{
	const struct rule_view *general =
		s->general ? s->general : &o->rules.general_view;
	struct rule_applied a;

	*ret = (struct online_key){ 0 };
	rule_index_apply(&general->index, url, &o->keys.scratch, &a);
	add_used(ret, general, &a);
	buf_reset(&o->keys.form);
	buf_add(&o->keys.form, a.key);
	rule_index_apply(&s->own.index, buf_str(&o->keys.form), &o->keys.second, &a);
	add_used(ret, &s->own, &a);
	ret->key = a.key;
}

static struct online_page *known_page(const struct online_site *s, const struct map *m,
				      uint64_t hash)
{
	uint64_t *at = map_find(m, hash);

	return at ? &s->pages[*at - 1] : NULL;
}

struct online_page *online_representative(const struct online_site *s, uint64_t key)
{
	struct online_page *p = known_page(s, &s->by_key, key);

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
	struct online_site *s = online_current_site(o, url);
	struct online_key other;

	online_make_key(o, s, url, ret);
	buf_reset(&o->keys.key);
	buf_add(&o->keys.key, ret->key);
	ret->key = buf_str(&o->keys.key);
	struct online_page *p = online_representative(s, hash64(ret->key));
	if (p) {
		ret->representative = page_url(s, p);
		online_make_key(o, s, ret->representative, &other);
		if (!str_eq(ret->representative, url)) {
			add_rules(ret, &other);
			online_narrow(o, url, ret->representative, ret);
		}
	}
	rule_table_localize(&o->rules, s, url, ret);
}

/* --- decisions --- */

/* Whether a rule on trial still wants probes; all of them get this one. */
static bool take_probe(struct rule_table *t, unsigned probes, const struct online_key *k,
		       bool *ret_trial)
{
	bool wanted = false;

	*ret_trial = false;
	for (size_t i = 0; i < k->n_rules; i++) {
		const struct rule_life *l = &t->records[k->rule[i]].life;

		if (!life_is_on_trial(l->state))
			continue;
		*ret_trial = true;
		wanted |= l->issued <= rule_proofs_wanted(l, probes);
	}
	for (size_t i = 0; wanted && i < k->n_rules; i++) {
		struct rule_life *l = &t->records[k->rule[i]].life;

		l->issued += life_is_on_trial(l->state);
	}
	return wanted;
}

enum online_decision dust_online_decide(struct dust_online *o, struct str url,
					const struct online_key *k, bool seen)
{
	bool trial;

	if (str_eq(k->representative, url))
		return ONLINE_SEEN;
	if (!seen && k->representative.n == 0)
		return ONLINE_NEW;
	if (k->n_rules == 0)
		return ONLINE_SEEN;
	if (take_probe(&o->rules, o->o.probes, k, &trial) ||
	    online_is_first_of_kind(o, url, k))
		return ONLINE_PROBE;
	if (!trial &&
	    (double)(hash64_seeded(url, o->o.seed) >> 11) * 0x1p-53 < o->o.explore)
		return ONLINE_EXPLORE;
	return online_remember_skip(o, url, k) ? ONLINE_SKIP : ONLINE_EXPLORE;
}

/* --- pages --- */

/* When memory is full the site that was first gives up its pages; its rules stay. */
static void make_room(struct dust_online *o, struct online_site *s)
{
	if (s->n >= o->o.site_pages) {
		o->sites.n_pages -= s->n;
		forget_pages(s);
	}
	for (size_t tries = 0;
	     o->sites.n_pages >= o->o.pages_max && tries < o->sites.names.n; tries++) {
		struct online_site *old =
			o->sites.v[o->sites.next_forgotten++ % o->sites.names.n];

		o->sites.n_pages -= old->n;
		forget_pages(old);
	}
}

static void queue_site(struct dust_online *o, struct online_site *s)
{
	s->evidence++;
	/* Each step needs a quarter more evidence than the last: steps are few. */
	if (s->is_queued ||
	    s->evidence < s->evidence_learnt + MAX(2u, s->evidence_learnt / 4))
		return;
	s->is_queued = true;
	VEC_ADD(o->sites.queue, o->sites.n_queue, o->sites.queue_cap, s->nr);
}

static size_t find_or_add(struct dust_online *o, struct online_site *s, struct str url,
			  bool *ret_new)
{
	make_room(o, s);
	uint64_t *at = map_add(&s->by_url, hash64(url), ret_new);
	if (*ret_new) {
		struct online_page p = { .url = (uint32_t)s->text.n,
					 .state = PAGE_FAILED };

		buf_add_sized(&s->text, url);
		p.form = (uint32_t)s->text.n;
		buf_add_sized(&s->text, buf_str(&o->keys.form));
		VEC_ADD(s->pages, s->n, s->cap, p);
		*at = s->n;
		o->sites.n_pages++;
	}
	return *at - 1;
}

static void add_page(struct dust_online *o, struct online_site *s, struct str url,
		     uint64_t content, const struct likeness *like,
		     enum online_page_state state)
{
	struct online_key k;
	bool new;

	content = online_label(s, content);
	online_make_key(o, s, url, &k);
	uint64_t key = hash64(k.key);
	size_t nr = find_or_add(o, s, url, &new);
	struct online_page *p = &s->pages[nr];
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

static bool is_too_much(const struct online_site *s, struct str url)
{
	return url.n > TOKENS_BYTES_MAX || s->text.n > BUF_LIMIT_DEFAULT / 2;
}

void dust_online_queued(struct dust_online *o, struct str url)
{
	struct online_site *s = online_current_site(o, url);

	if (!is_too_much(s, url))
		add_page(o, s, url, 0, NULL, PAGE_QUEUED);
}

void dust_online_unqueued(struct dust_online *o, struct str url)
{
	struct online_site *s = online_current_site(o, url);
	struct online_page *p = known_page(s, &s->by_url, hash64(url));

	if (!p || p->state != PAGE_QUEUED)
		return;
	p->state = PAGE_FAILED;
	o->sweep.is_done = false;
}

void online_rules_between(struct dust_online *o, struct online_site *s, struct str url,
			  struct str other, struct online_key *ret)
{
	struct online_key more;

	online_make_key(o, s, other, &more);
	add_rules(ret, &more);
	online_narrow(o, url, other, ret);
	rule_table_localize(&o->rules, s, url, ret);
}

void dust_online_page(struct dust_online *o, struct str url, uint64_t content,
		      const struct likeness *like)
{
	struct online_site *s = online_current_site(o, url);
	struct online_key mine;

	if (is_too_much(s, url))
		return;
	content = online_own_content(s, url, content, like);
	online_make_key(o, s, url, &mine);
	struct online_page *p = known_page(s, &s->by_key, hash64(mine.key));
	if (p && p->state == PAGE_FETCHED && !str_eq(page_url(s, p), url)) {
		enum comparison result = online_compare(s, p, content, like);

		online_rules_between(o, s, url, page_url(s, p), &mine);
		if (result == COMPARE_SAME) {
			(void)online_is_first_of_kind(o, url, &mine);
			online_unite(s, content, p->content);
		}
		if (result != COMPARE_OTHER || !online_start_check(o, s, p, like, &mine))
			online_probe(o, &mine, result);
		s = online_current_site(o, url);
	}
	online_recognise(s, url, content, like);
	add_page(o, s, url, content, like, PAGE_FETCHED);
}

void dust_online_restore_page(struct dust_online *o, struct str url, uint64_t content)
{
	struct online_site *s = online_current_site(o, url);

	if (!is_too_much(s, url))
		add_page(o, s, url, content, NULL, PAGE_FETCHED);
}

void dust_online_same(struct dust_online *o, struct str url, struct str other)
{
	struct online_site *s = online_current_site(o, other);
	struct online_page *p;

	if (str_eq(url, other) || is_too_much(s, url) || is_too_much(s, other))
		return;
	/* Rules are learnt within a site; what points elsewhere is not a pattern. */
	if (s != online_current_site(o, url))
		return;
	struct online_page *q = known_page(s, &s->by_url, hash64(url));
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
	struct online_site *s = online_current_site(o, url);
	online_make_key(o, s, url, &k);
	uint64_t key = hash64(k.key);
	struct online_page *p = known_page(s, &s->by_url, hash64(url));
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
	return &o->rules.all;
}

/* --- invariants --- */

/* 12. Pages with a content are counted under it.  13. A page is found by its URL, and a
 *     key leads to a page.  14. There are no more pages than the options allow. */
static void assert_site(const struct online_site *s)
{
	size_t with_content = 0, counted = 0, at = 0;
	struct map_slot slot;

	for (size_t i = 0; i < s->n; i++) {
		const struct online_page *p = &s->pages[i];

		assert(known_page(s, &s->by_url, hash64(page_url(s, p))) == p); /* 13 */
		if (!page_has_content(p))
			continue;
		with_content++;
		assert(*map_find(&s->by_content, p->content) > 0); /* 12 */
	}
	while (map_next(&s->by_content, &at, &slot))
		counted += slot.value;
	assert(counted == with_content);
	for (at = 0; map_next(&s->by_key, &at, &slot);)
		assert(slot.value > 0 && slot.value <= s->n);
}

void dust_online_assert(const struct dust_online *o)
{
	size_t n_pages = 0;

	assert_rule_table(o);
	for (size_t i = 0; i < o->sites.names.n; i++) {
		assert_site(o->sites.v[i]);
		assert(o->sites.v[i]->n <= o->o.site_pages); /* 14 */
		n_pages += o->sites.v[i]->n;
	}
	assert(n_pages == o->sites.n_pages && n_pages <= o->o.pages_max);
}
