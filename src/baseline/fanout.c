#include <stdlib.h>

#include "align/multi.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "baseline/baseline.h"
#include "baseline/component.h"

/* Two duplicates that differ in one key: the source becomes the target. */
struct single_key {
	struct str source, target; /* URLs */
	uint32_t key;              /* in the source */
};

struct fanout {
	const struct url_set *urls;
	struct single_key *v;
	size_t n, cap;
	struct map seen;   /* site, key and value */
	struct map values; /* site and key -> how many values */
};

/* The one place where `a` and `b` differ.  A parameter that only `a` has counts. */
static bool find_single_key(const struct components *a, const struct components *b,
			    size_t *ret)
{
	size_t differ = 0, j = 0;

	if (a->n != b->n && a->n != b->n + 1)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		bool same = j < b->n && component_same_key(&a->v[i], &b->v[j]);

		if (same && str_eq(a->v[i].value, b->v[j].value)) {
			j++;
			continue;
		}
		if (differ++ > 0 || (!same && a->v[i].kind != COMPONENT_PARAMETER) ||
		    (!same && a->n == b->n))
			return false;
		*ret = i;
		j += same && a->n == b->n;
	}
	return differ == 1 && j == b->n;
}

/* The component in question, on one site: by position, or by name for parameters. */
static uint64_t value_key(struct str host, const struct components *c, size_t key)
{
	uint64_t where = c->v[key].kind == COMPONENT_PARAMETER ? 0 : key + 1;

	return hash64_seeded(c->v[key].name, hash64_seeded(host, where));
}

static void count_values(struct fanout *f, struct str url)
{
	struct str host = dust_host(url);
	struct components c;
	bool new;

	if (!components_split(url, &c))
		return;
	for (size_t i = 0; i < c.n; i++) {
		uint64_t key = value_key(host, &c, i);

		map_add(&f->seen, hash64_seeded(c.v[i].value, key), &new);
		if (new)
			++*map_add(&f->values, key, NULL);
	}
}

static void add_pair(struct fanout *f, struct str source, size_t key, struct str target)
{
	VEC_ADD(f->v, f->n, f->cap, (struct single_key){ source, target, (uint32_t)key });
}

static void pair_up(struct fanout *f, struct str a, struct str b)
{
	struct components x, y;
	size_t key = 0;

	if (!components_split(a, &x) || !components_split(b, &y))
		return;
	/* The longer, or greater, is rewritten to the other. */
	bool swap = x.n < y.n || (x.n == y.n && str_cmp(a, b) < 0);
	if (find_single_key(swap ? &y : &x, swap ? &x : &y, &key))
		add_pair(f, swap ? b : a, key, swap ? a : b);
}

/* Context and transformation: keys of many values are generalised, the rest is kept. */
static void write_rule(const struct fanout *f, const struct single_key *p,
		       struct buf *context, struct buf *to)
{
	struct components s, t;
	struct str host = dust_host(p->source);
	unsigned captures = 0;
	size_t j = 0;

	if (!components_split(p->source, &s) || !components_split(p->target, &t))
		return;
	buf_add_char(context, '^');
	for (size_t i = 0; i < s.n; i++) {
		uint64_t *n = map_find(&f->values, value_key(host, &s, i));
		bool many = n && *n > FANOUT && s.v[i].value.n > 0;

		component_add_lead(context, &s, i, pattern_add_literal);
		if (many)
			buf_add(context, i == p->key ? STR("({s})") : STR("{s}"));
		else
			pattern_add_literal(context, s.v[i].value);
		captures += many && i != p->key;
		if (j == t.n || !component_same_key(&s.v[i], &t.v[j]))
			continue;
		component_add_lead(to, &t, j, transformation_add_literal);
		if (!many)
			transformation_add_literal(to, t.v[j].value);
		else if (i == p->key)
			buf_add_char(to, '*');
		else
			buf_addf(to, "${%u}", captures);
		j++;
	}
	buf_add(context, STR("$ "));
	buf_add(context, buf_str(to));
}

static void offer_pairs(struct fanout *f, struct candidates *ret)
{
	cleanup(buf_release) struct buf context = { 0 }, to = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		uint32_t hosts[2] = {
			intern_find(&f->urls->hosts, dust_host(f->v[i].source)),
			intern_find(&f->urls->hosts, dust_host(f->v[i].target)),
		};

		buf_reset(&context);
		buf_reset(&to);
		write_rule(f, &f->v[i], &context, &to);
		candidates_add(ret, buf_str(&context), hosts, 2);
	}
}

void fanout_candidates(const struct url_set *urls, const struct baseline_options *o,
		       struct candidates *ret)
{
	struct fanout f = { .urls = urls };
	struct str list[SAMPLE_MAX];

	for (size_t c = 0; c < urls->n_clusters; c++) {
		size_t from = urls->first[c], n = urls->first[c + 1] - from;

		if (o->role && !(o->role[c] & (ROLE_TRAIN | ROLE_VALIDATE)))
			continue;
		/* Values need no labels: all URLs known when learning count. */
		for (size_t i = 0; i < n; i++)
			count_values(&f, urls->v[from + i].url);
		if (n < 2 || (o->role && !(o->role[c] & ROLE_TRAIN)))
			continue;
		struct str *all = xrealloc(NULL, n, sizeof(*all));
		for (size_t i = 0; i < n; i++)
			all[i] = urls->v[from + i].url;
		n = sample_urls(all, n, o->sample, o->seed, list);
		free(all);
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				pair_up(&f, list[i], list[j]);
	}
	offer_pairs(&f, ret);
	free(f.v);
	map_release(&f.seen);
	map_release(&f.values);
}
