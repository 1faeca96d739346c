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
	uint32_t from, to;         /* forms, of the values they have there */
};

/* A value of a key in URLs that are otherwise of one form, or that it is missing. */
struct form {
	struct str value;
	bool missing;
	uint32_t better; /* a form that stands for it; itself when it stands for others */
};

struct fanout {
	const struct url_set *urls;
	struct single_key *v;
	size_t n, cap;
	struct map seen;     /* site, key and value */
	struct map values;   /* site and key -> how many values */
	struct intern names; /* of forms: what is around the value, and the value */
	struct form *forms;
	size_t n_forms, forms_cap;
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
	VEC_ADD(f->v, f->n, f->cap,
		(struct single_key){
			.source = source, .target = target, .key = (uint32_t)key });
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

/* Whether the values of a component are too many to matter. */
static bool has_many_values(const struct fanout *f, struct str host,
			    const struct components *c, size_t i)
{
	uint64_t *n = map_find(&f->values, value_key(host, c, i));

	return n && *n > FANOUT && c->v[i].value.n > 0;
}

/* The context of a source; without the value of the key, when nothing is said of it. */
static void write_context(const struct fanout *f, struct str source,
			  const struct components *s, size_t key, bool with_value,
			  struct buf *to)
{
	struct str host = dust_host(source);

	buf_add_char(to, '^');
	for (size_t i = 0; i < s->n; i++) {
		component_add_lead(to, s, i, pattern_add_literal);
		if (i == key && !with_value)
			buf_add_char(to, '\n');
		else if (has_many_values(f, host, s, i))
			buf_add(to, i == key ? STR("({s})") : STR("{s}"));
		else
			pattern_add_literal(to, s->v[i].value);
	}
	buf_add(to, STR("$ "));
}

/* Keys of many values are taken over, the key that differed becomes `form`. */
static void write_target(const struct fanout *f, struct str source, struct components *s,
			 size_t key, const struct form *form, struct buf *to)
{
	struct str host = dust_host(source);
	bool many = has_many_values(f, host, s, key);
	unsigned captures = 0;

	for (size_t i = 0; i < s->n; i++) {
		bool taken = i != key && has_many_values(f, host, s, i);

		captures += taken;
		if (i == key && form->missing)
			continue;
		if (i > 0 && i - 1 == key && form->missing &&
		    s->v[i].kind == COMPONENT_PARAMETER)
			component_add_lead_after(to, s, i, key,
						 transformation_add_literal);
		else
			component_add_lead(to, s, i, transformation_add_literal);
		if (taken)
			buf_addf(to, "${%u}", captures);
		else if (i == key && many)
			buf_add_char(to, '*');
		else
			transformation_add_literal(to, i == key ? form->value
								: s->v[i].value);
	}
}

static uint32_t best_form(struct fanout *f, uint32_t form)
{
	while (f->forms[form].better != form)
		form = f->forms[form].better = f->forms[f->forms[form].better].better;
	return form;
}

/* What is missing is better than any value, and of values the least is. */
static bool is_better(const struct form *a, const struct form *b)
{
	if (a->missing != b->missing)
		return a->missing;
	return str_cmp(a->value, b->value) < 0;
}

static uint32_t find_form(struct fanout *f, struct str around, struct form form)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_add(&name, around);
	buf_add_char(&name, form.missing ? '-' : '=');
	buf_add(&name, form.value);
	size_t known = f->names.n;
	uint32_t nr = intern_add(&f->names, buf_str(&name));
	if (nr == known) {
		form.better = nr;
		VEC_ADD(f->forms, f->n_forms, f->forms_cap, form);
	}
	return nr;
}

/*
 * Only one rule is applied to a URL: so of a chain, a to b and b to c, each must lead to
 * the end at once.  Values that pairs connect, around the same rest, have one best form.
 */
static void connect(struct fanout *f, struct single_key *p)
{
	cleanup(buf_release) struct buf around = { 0 };
	struct components s, t;
	struct form to = { .missing = true };

	if (!components_split(p->source, &s) || !components_split(p->target, &t))
		return;
	if (s.n == t.n)
		to = (struct form){ .value = t.v[p->key].value };
	write_context(f, p->source, &s, p->key, false, &around);
	p->from = find_form(f, buf_str(&around),
			    (struct form){ .value = s.v[p->key].value });
	p->to = find_form(f, buf_str(&around), to);
	uint32_t a = best_form(f, p->from), b = best_form(f, p->to);
	if (a == b)
		return;
	if (is_better(&f->forms[a], &f->forms[b]))
		f->forms[b].better = a;
	else
		f->forms[a].better = b;
}

static void offer_pair(struct fanout *f, const struct single_key *p, uint32_t form,
		       struct candidates *ret)
{
	cleanup(buf_release) struct buf text = { 0 };
	const struct form *best = &f->forms[best_form(f, form)];
	struct components s;
	uint32_t hosts[2] = {
		intern_find(&f->urls->hosts, dust_host(p->source)),
		intern_find(&f->urls->hosts, dust_host(p->target)),
	};

	if (!components_split(p->source, &s))
		return;
	write_context(f, p->source, &s, p->key, true, &text);
	write_target(f, p->source, &s, p->key, best, &text);
	candidates_add(ret, buf_str(&text), hosts, 2);
}

static void offer_pairs(struct fanout *f, struct candidates *ret)
{
	for (size_t i = 0; i < f->n; i++)
		connect(f, &f->v[i]);
	for (size_t i = 0; i < f->n; i++)
		if (f->n_forms > 0)
			offer_pair(f, &f->v[i], f->v[i].from, ret);
}

void fanout_candidates(const struct url_set *urls, const struct baseline_options *o,
		       struct candidates *ret)
{
	struct fanout f = { .urls = urls };
	struct str list[SAMPLE_PAIRED_MAX];
	size_t k = MIN(o->sample, (size_t)SAMPLE_PAIRED_MAX);

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
		n = sample_urls(all, n, k, o->seed, list);
		free(all);
		for (size_t i = 0; i < n; i++)
			for (size_t j = i + 1; j < n; j++)
				pair_up(&f, list[i], list[j]);
	}
	offer_pairs(&f, ret);
	free(f.v);
	map_release(&f.seen);
	map_release(&f.values);
	intern_release(&f.names);
	free(f.forms);
}
