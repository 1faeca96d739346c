#include "dust/index.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"

/* A rule of more (site, shape) pairs than this goes to the shape lists. */
#define PAIRS_MAX ((size_t)1 << 16)

struct entries {
	struct sort_pair *v;
	size_t n, cap;
};

/* What the lists are found by: the host, and the shape, which begins with 1 and takes a
 * step for each / ? & #. */
static uint64_t rule_host_key(struct str host)
{
	return hash64(host) | 1;
}

static inline uint64_t rule_shape_step(uint64_t shape, char c)
{
	return hash_mix(shape * 257 + (unsigned char)c);
}

/* The key of both in `by_host`. */
static inline uint64_t rule_place_key(uint64_t host_key, uint64_t shape)
{
	return hash_mix(host_key ^ hash_mix(shape));
}

/* The shape, and the words as the filters know them, in one pass. */
static uint64_t tokens_shape(const struct tokens *t, struct word_bits *ret_words)
{
	struct word_bits words = { 0 };
	uint64_t shape = 1;
	unsigned segment = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct token *token = &t->v[i];

		if (token->type != TOKEN_PUNCT) {
			word_bits_add(&words, word_bit(*token, segment));
		} else if (token->delim & TOKEN_COARSE) {
			shape = rule_shape_step(shape, token->p[0]);
			segment++;
		}
	}
	*ret_words = words;
	return shape;
}

static uint64_t shape_after(const struct url_pattern *p, const struct alternative *alt,
			    uint64_t shape)
{
	for (uint32_t k = 0; k < alt->n; k++) {
		const struct atom *a = &p->atoms[alt->first + k];

		if (a->kind == ATOM_TOKEN && a->token.delim & TOKEN_COARSE)
			shape = rule_shape_step(shape, a->token.p[0]);
	}
	return shape;
}

static bool add_shape(uint64_t *v, size_t *n, uint64_t shape)
{
	for (size_t i = 0; i < *n; i++)
		if (v[i] == shape)
			return true;
	if (*n > SHAPES_MAX)
		return false;
	v[(*n)++] = shape;
	return true;
}

/* The set of shapes so far, widened by each item in turn. */
size_t pattern_shapes(const struct url_pattern *p, uint64_t *ret)
{
	uint64_t next[SHAPES_MAX + 1];
	size_t n = 1;

	ret[0] = 1;
	for (uint32_t i = 0; i < p->n; i++) {
		const struct item *item = &p->items[i];
		size_t n_next = 0;

		for (size_t k = 0; k < n; k++) {
			if (item->optional && !add_shape(next, &n_next, ret[k]))
				return SHAPES_MAX + 1;
			for (uint32_t a = 0; a < item->n; a++)
				if (!add_shape(next, &n_next,
					       shape_after(p, &p->alts[item->first + a],
							   ret[k])))
					return SHAPES_MAX + 1;
		}
		n = n_next;
		for (size_t k = 0; k < n; k++)
			ret[k] = next[k];
	}
	return n > SHAPES_MAX ? SHAPES_MAX + 1 : n;
}

static void add_entry(struct entries *e, uint64_t key, size_t rule)
{
	VEC_ADD(e->v, e->n, e->cap, (struct sort_pair){ key, rule });
}

static void cover(struct rule_index *x, size_t rule, const struct str *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*map_add(&x->covered, rule_place_key(rule_host_key(names[i]), rule),
			 NULL) = 1;
}

static void add_rewrite(struct rule_index *x, size_t nr, struct entries *by_host,
			struct entries *by_shape)
{
	const struct rule *r = &x->set->v[nr];
	uint64_t shapes[SHAPES_MAX + 1];
	size_t n = pattern_shapes(&r->pattern, shapes);

	if (n > SHAPES_MAX)
		return;
	x->filters[nr] = word_filter_of(&r->pattern);
	if (!r->universal && r->n_sites * n <= PAIRS_MAX) {
		for (size_t i = 0; i < r->n_sites; i++)
			for (size_t k = 0; k < n; k++)
				add_entry(by_host,
					  rule_place_key(rule_host_key(r->sites[i]),
							 shapes[k]),
					  nr);
		return;
	}
	cover(x, nr, r->universal ? r->except : r->sites,
	      r->universal ? r->n_except : r->n_sites);
	for (size_t k = 0; k < n; k++)
		add_entry(by_shape, shapes[k], nr);
}

/* Equal keys become one list; the sort is stable, so lists stay in rule order. */
static void add_lists(struct rule_index *x, struct entries *e, struct map *to)
{
	struct sort_pair *scratch = xrealloc(NULL, e->n + 1, sizeof(*scratch));

	sort_pairs(e->v, scratch, e->n);
	free(scratch);
	x->ids = xrealloc(x->ids, x->n_ids + e->n + 1, sizeof(*x->ids));
	for (size_t i = 0; i < e->n;) {
		size_t from = i, start = x->n_ids;

		for (; i < e->n && e->v[i].key == e->v[from].key; i++)
			x->ids[x->n_ids++] = (uint32_t)e->v[i].value;
		*map_add(to, e->v[from].key, NULL) = start << 32 | (x->n_ids - start);
	}
	free(e->v);
	*e = (struct entries){ 0 };
}

static void name_host(struct rule_index *x, struct str host)
{
	bool new;
	uint64_t *nr = map_add(&x->plan_of, rule_host_key(host), &new);

	if (!new)
		return;
	*nr = x->n_plans;
	VEC_ADD(x->plans, x->n_plans, x->plans_cap, (struct plan){ 0 });
}

static struct plan *plan_for(const struct rule_index *x, struct str host)
{
	uint64_t *nr = map_find(&x->plan_of, rule_host_key(bare_host(host)));

	return &x->plans[nr ? *nr : 0];
}

/* These say in their text which hosts they speak of. */
static bool names_hosts(const struct rule *r)
{
	return r->operation.kind == OPERATION_HOST ||
	       r->operation.kind == OPERATION_SUBDOMAIN;
}

static bool joins_plans(const struct rule *r)
{
	return r->is_operation && rule_is_active(r) && !names_hosts(r);
}

static void add_universal(struct rule_index *x, const struct rule *r, uint32_t nr)
{
	struct map except = { 0 };

	for (size_t i = 0; i < r->n_except; i++)
		*map_add(&except, *map_find(&x->plan_of, rule_host_key(r->except[i])),
			 NULL) = 1;
	for (size_t i = 0; i < x->n_plans; i++)
		if (i == 0 || !map_find(&except, i))
			plan_add(&x->plans[i], &r->operation, nr);
	map_release(&except);
}

/* One plan for every host that some operation names, and one for all others. */
static void build_plans(struct rule_index *x)
{
	const struct rule_set *s = x->set;

	x->hosts = NEW(struct plan);
	VEC_ADD(x->plans, x->n_plans, x->plans_cap, (struct plan){ 0 });
	for (size_t i = 0; i < s->n; i++) {
		const struct rule *r = &s->v[i];

		if (!joins_plans(r))
			continue;
		for (size_t k = 0; k < r->n_sites && !r->universal; k++)
			name_host(x, r->sites[k]);
		for (size_t k = 0; k < r->n_except && r->universal; k++)
			name_host(x, r->except[k]);
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct rule *r = &s->v[i];

		if (r->is_operation && rule_is_active(r) && names_hosts(r))
			plan_add(x->hosts, &r->operation, (uint32_t)i);
		if (!joins_plans(r))
			continue;
		if (r->universal)
			add_universal(x, r, (uint32_t)i);
		for (size_t k = 0; k < r->n_sites && !r->universal; k++)
			plan_add(plan_for(x, r->sites[k]), &r->operation, (uint32_t)i);
	}
	plan_seal(x->hosts);
	for (size_t i = 0; i < x->n_plans; i++) {
		plan_seal(&x->plans[i]);
		x->plans[i].hosts = x->hosts;
	}
}

void rule_index_build(struct rule_index *x, const struct rule_set *set)
{
	struct entries by_host = { 0 }, by_shape = { 0 };

	*x = (struct rule_index){ .set = set };
	x->filters = xcalloc(set->n + 1, sizeof(*x->filters));
	for (size_t i = 0; i < set->n; i++)
		if (!set->v[i].is_operation && rule_is_active(&set->v[i]))
			add_rewrite(x, i, &by_host, &by_shape);
	add_lists(x, &by_host, &x->by_host);
	add_lists(x, &by_shape, &x->by_shape);
	build_plans(x);
}

static void list_of(const struct rule_index *x, const struct map *m, uint64_t key,
		    const uint32_t **ret, const uint32_t **ret_end)
{
	uint64_t *found = map_find(m, key);

	*ret = *ret_end = x->ids;
	if (found) {
		*ret = x->ids + (*found >> 32);
		*ret_end = *ret + (uint32_t)*found;
	}
}

void rule_walk_start(struct rule_walk *w, const struct rule_index *x, struct str host,
		     const struct tokens *url)
{
	*w = (struct rule_walk){ .index = x, .host = rule_host_key(host) };
	uint64_t shape = tokens_shape(url, &w->words);
	list_of(x, &x->by_host, rule_place_key(w->host, shape), &w->one, &w->one_end);
	list_of(x, &x->by_shape, shape, &w->two, &w->two_end);
}

/* The next of the two lists together, in the order of rules. */
static uint32_t next_listed(struct rule_walk *w)
{
	for (;;) {
		if (w->two == w->two_end)
			return w->one == w->one_end ? RULE_NONE : *w->one++;
		if (w->one != w->one_end && *w->one < *w->two)
			return *w->one++;
		uint32_t nr = *w->two++;
		const struct rule *r = &w->index->set->v[nr];
		bool named = (!r->universal || r->n_except > 0) &&
			     map_find(&w->index->covered, rule_place_key(w->host, nr));
		if (named != r->universal)
			return nr;
	}
}

uint32_t rule_walk_next(struct rule_walk *w)
{
	uint32_t nr;

	while ((nr = next_listed(w)) != RULE_NONE)
		if (word_filter_passes(&w->index->filters[nr], &w->words))
			break;
	return nr;
}

static uint32_t rewrite(const struct rule_index *x, struct str url, struct str host,
			struct rule_scratch *s)
{
	struct rule_walk walk;
	uint32_t nr;

	if (x->n_ids == 0 || tokens_split(&s->tokens, url) != ST_OK)
		return RULE_NONE;
	rule_walk_start(&walk, x, host, &s->tokens);
	while ((nr = rule_walk_next(&walk)) != RULE_NONE) {
		const struct rule *r = &x->set->v[nr];

		if (!pattern_match(&r->pattern, &s->tokens, s->captures))
			continue;
		buf_reset(&s->out);
		transformation_apply(&r->transformation, s->captures, &s->out);
		return nr;
	}
	return RULE_NONE;
}

void rule_index_apply(const struct rule_index *x, struct str url, struct rule_scratch *s,
		      struct rule_applied *ret)
{
	struct str host = dust_host(url);

	*ret = (struct rule_applied){ .key = url, .rewrite = RULE_NONE };
	if (x->n_plans == 0 || url.n > TOKENS_BYTES_MAX)
		return;
	buf_reset(&s->operated);
	if (plan_apply(plan_for(x, host), url, &s->operated, &ret->used)) {
		ret->key = buf_str(&s->operated);
		/* Rewrites were learnt from URLs as operations leave them: host included.
		 */
		host = dust_host(ret->key);
	}
	ret->rewrite = rewrite(x, ret->key, host, s);
	if (ret->rewrite != RULE_NONE)
		ret->key = buf_str(&s->out);
}

void rule_index_release(struct rule_index *x)
{
	for (size_t i = 0; i < x->n_plans; i++)
		plan_release(&x->plans[i]);
	if (x->hosts)
		plan_release(x->hosts);
	free(x->hosts);
	free(x->plans);
	free(x->ids);
	free(x->filters);
	map_release(&x->plan_of);
	map_release(&x->by_host);
	map_release(&x->by_shape);
	map_release(&x->covered);
	*x = (struct rule_index){ 0 };
}

void rule_scratch_release(struct rule_scratch *s)
{
	tokens_release(&s->tokens);
	buf_release(&s->operated);
	buf_release(&s->out);
}
