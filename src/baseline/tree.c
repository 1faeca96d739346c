#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "baseline/baseline.h"
#include "baseline/component.h"

/* A value with its own child: this share of the node's URLs, and two at least. */
#define SALIENT_SHARE 0.1
#define SALIENT_LEAST 2

struct leaf {
	struct components example;
	uint32_t host;
	bool any[COMPONENTS_MAX];         /* the component is * in the pattern */
	struct str least[COMPONENTS_MAX]; /* of its values, when they are few */
};

struct tree {
	const struct url_set *urls;
	const struct baseline_options *o;
	struct leaf *leaves;
	size_t n_leaves, leaves_cap;
	uint32_t *leaf_of; /* of each URL; UINT32_MAX for none */
	struct map pairs;  /* leaf << 32 | leaf -> 1 + place in `found` */
	struct leaf_pair {
		uint32_t from, to;
		bool differs[COMPONENTS_MAX]; /* keys of `to` whose values do not carry
						 over */
		uint32_t frequency;
	} * found;
	size_t n_found, found_cap;
};

struct node {
	struct sort_pair *v; /* value: URL */
	struct sort_pair *scratch;
	size_t n;
	bool decided[COMPONENTS_MAX], any[COMPONENTS_MAX];
};

static bool load(const struct tree *t, const struct node *n, size_t i,
		 struct components *ret)
{
	return components_split(t->urls->v[n->v[i].value].url, ret);
}

static void sort_by(const struct tree *t, struct node *n, size_t key)
{
	struct components c;

	for (size_t i = 0; i < n->n; i++)
		n->v[i].key = load(t, n, i, &c) ? hash64(c.v[key].value) : 0;
	sort_pairs(n->v, n->scratch, n->n);
}

static size_t same_from(const struct node *n, size_t i)
{
	size_t j = i;

	while (j < n->n && n->v[j].key == n->v[i].key)
		j++;
	return j;
}

static double entropy(const struct node *n)
{
	double h = 0;

	for (size_t i = 0; i < n->n;) {
		size_t j = same_from(n, i);
		double p = (double)(j - i) / (double)n->n;

		h -= p * log2(p);
		i = j;
	}
	return h;
}

static size_t least_entropy(const struct tree *t, struct node *n, size_t n_keys)
{
	size_t best = SIZE_MAX;
	double least = HUGE_VAL;

	for (size_t k = 0; k < n_keys; k++) {
		if (n->decided[k])
			continue;
		sort_by(t, n, k);
		double h = entropy(n);
		if (h < least) {
			least = h;
			best = k;
		}
	}
	return best;
}

/* The least of the values of a key; empty when there are more than FANOUT of them. */
static struct str least_value(const struct tree *t, struct node *n, size_t key)
{
	struct str least = { "", 0 };
	struct components c;
	size_t values = 0;

	sort_by(t, n, key);
	for (size_t i = 0; i < n->n; i = same_from(n, i)) {
		if (++values > FANOUT || !load(t, n, i, &c))
			return (struct str){ "", 0 };
		if (values == 1 || str_cmp(c.v[key].value, least) < 0)
			least = c.v[key].value;
	}
	return least;
}

static void make_leaf(struct tree *t, struct node *n)
{
	struct leaf l;

	if (!load(t, n, 0, &l.example))
		return;
	l.host = t->urls->v[n->v[0].value].host;
	for (size_t k = 0; k < COMPONENTS_MAX; k++)
		l.any[k] = n->any[k];
	for (size_t k = 0; k < l.example.n; k++)
		l.least[k] = l.any[k] ? least_value(t, n, k) : (struct str){ "", 0 };
	for (size_t i = 0; i < n->n; i++)
		t->leaf_of[n->v[i].value] = (uint32_t)t->n_leaves;
	VEC_ADD(t->leaves, t->n_leaves, t->leaves_cap, l);
}

/* Depth is at most the number of keys: each level decides one. */
static void split(struct tree *t, struct node n)
{
	struct components c;

	if (n.n == 0 || !load(t, &n, 0, &c))
		return;
	size_t key = least_entropy(t, &n, c.n);
	if (key == SIZE_MAX) {
		make_leaf(t, &n);
		return;
	}
	sort_by(t, &n, key);
	size_t need = MAX((size_t)((double)n.n * SALIENT_SHARE), SALIENT_LEAST), rest = 0;
	struct node child = n;
	child.decided[key] = true;
	for (size_t i = 0; i < n.n;) {
		size_t j = same_from(&n, i);

		if (j - i >= need) {
			/* A copy: splitting a child reorders its URLs. */
			child.v = xrealloc(NULL, j - i, sizeof(*child.v));
			for (size_t k = i; k < j; k++)
				child.v[k - i] = n.v[k];
			child.n = j - i;
			split(t, child);
			free(child.v);
		} else {
			for (size_t k = i; k < j; k++)
				n.v[rest++] = n.v[k];
		}
		i = j;
	}
	child.v = n.v;
	child.n = rest;
	child.any[key] = true;
	split(t, child);
}

/* The URLs of a site that have the same keys are one tree. */
static void grow(struct tree *t)
{
	struct node n = { 0 };
	struct components c;

	n.v = xrealloc(NULL, t->urls->n + 1, sizeof(*n.v));
	n.scratch = xrealloc(NULL, t->urls->n + 1, sizeof(*n.scratch));
	for (uint32_t i = 0; i < t->urls->n; i++) {
		const struct url_entry *e = &t->urls->v[i];

		t->leaf_of[i] = UINT32_MAX;
		if ((t->o->role && !(t->o->role[e->cluster] & ROLE_TRAIN)) ||
		    !components_split(e->url, &c))
			continue;
		n.v[n.n++] = (struct sort_pair){ hash_mix(c.signature ^ e->host), i };
	}
	sort_pairs(n.v, n.scratch, n.n);
	for (size_t i = 0; i < n.n;) {
		size_t j = same_from(&n, i);
		struct node root = { .v = xrealloc(NULL, j - i, sizeof(*n.v)),
				     .scratch = n.scratch,
				     .n = j - i };

		for (size_t k = i; k < j; k++)
			root.v[k - i] = n.v[k];
		split(t, root);
		free(root.v);
		i = j;
	}
	free(n.v);
	free(n.scratch);
}

/* The component of `c` with the key of `wanted`; by position for segments. */
static size_t find_key(const struct components *c, const struct components *in, size_t i)
{
	if (in->v[i].kind != COMPONENT_PARAMETER)
		return i < c->n && component_same_key(&c->v[i], &in->v[i]) ? i : SIZE_MAX;
	for (size_t k = 0; k < c->n; k++)
		if (component_same_key(&c->v[k], &in->v[i]))
			return k;
	return SIZE_MAX;
}

static void note_pair(struct tree *t, uint32_t a, uint32_t b)
{
	uint32_t from = t->leaf_of[a], to = t->leaf_of[b];
	struct components x, y;

	if (from == UINT32_MAX || to == UINT32_MAX ||
	    !components_split(t->urls->v[a].url, &x) ||
	    !components_split(t->urls->v[b].url, &y))
		return;
	uint64_t *at = map_add(&t->pairs, (uint64_t)from << 32 | to, NULL);
	if (*at == 0) {
		VEC_ADD(t->found, t->n_found, t->found_cap,
			(struct leaf_pair){ .from = from, .to = to });
		*at = t->n_found;
	}
	struct leaf_pair *p = &t->found[*at - 1];
	p->frequency++;
	for (size_t i = 0; i < y.n; i++) {
		size_t k = find_key(&x, &y, i);

		if (t->leaves[to].any[i])
			p->differs[i] |= k == SIZE_MAX || !t->leaves[from].any[k] ||
					 !str_eq(x.v[k].value, y.v[i].value);
	}
}

/* The pattern of the least values, so that the choice is the same in every cluster. */
static bool is_better(const struct tree *t, uint32_t a, uint32_t b)
{
	const struct leaf *x = &t->leaves[a], *y = &t->leaves[b];

	for (size_t i = 0; i < x->example.n && i < y->example.n; i++) {
		if (x->any[i] != y->any[i])
			return y->any[i];
		int order =
			x->any[i] ? 0
				  : str_cmp(x->example.v[i].value, y->example.v[i].value);
		if (order != 0)
			return order < 0;
	}
	return x->example.n != y->example.n ? x->example.n < y->example.n : a < b;
}

/* Only leaves of one site meet: the method knows no rules across sites. */
static void find_pairs(struct tree *t)
{
	const struct url_set *s = t->urls;

	for (size_t c = 0; c < s->n_clusters; c++) {
		size_t from = s->first[c], to = s->first[c + 1];

		if (t->o->role && !(t->o->role[c] & ROLE_TRAIN))
			continue;
		to = MIN(to, from + t->o->sample);
		for (size_t i = from; i < to; i++)
			for (size_t j = from; j < to; j++)
				if (i != j && s->v[i].host == s->v[j].host &&
				    t->leaf_of[i] != UINT32_MAX &&
				    t->leaf_of[j] != UINT32_MAX &&
				    !is_better(t, t->leaf_of[i], t->leaf_of[j]))
					note_pair(t, (uint32_t)i, (uint32_t)j);
	}
}

static bool write_pair(const struct tree *t, const struct leaf_pair *p, struct buf *to)
{
	const struct leaf *a = &t->leaves[p->from], *b = &t->leaves[p->to];
	unsigned capture[COMPONENTS_MAX], n = 0;
	bool merges = p->from != p->to;

	buf_add_char(to, '^');
	for (size_t i = 0; i < a->example.n; i++) {
		component_add_lead(to, &a->example, i, pattern_add_literal);
		capture[i] = a->any[i] ? ++n : 0;
		if (a->any[i])
			buf_add(to, STR("{s}"));
		else
			pattern_add_literal(to, a->example.v[i].value);
	}
	buf_add(to, STR("$ "));
	for (size_t i = 0; i < b->example.n; i++) {
		component_add_lead(to, &b->example, i, transformation_add_literal);
		size_t k = find_key(&a->example, &b->example, i);
		if (!b->any[i])
			transformation_add_literal(to, b->example.v[i].value);
		else if (!p->differs[i])
			buf_addf(to, "${%u}", capture[k]);
		else if (p->from == p->to && b->least[i].n > 0)
			transformation_add_literal(to, b->least[i]);
		else if (p->from == p->to)
			buf_add_char(to, '*');
		else
			return false; /* nothing in the source tells the value */
		merges |= b->any[i] && p->differs[i];
	}
	return merges;
}

/*
 * Only one rule is applied to a URL: a leaf that leads to several others leads to the
 * best of those that it can be turned into.
 */
static uint32_t *choose_targets(const struct tree *t)
{
	uint32_t *best = xrealloc(NULL, t->n_leaves + 1, sizeof(*best));
	cleanup(buf_release) struct buf text = { 0 };

	for (uint32_t i = 0; i < t->n_leaves; i++)
		best[i] = i;
	for (size_t i = 0; i < t->n_found; i++) {
		const struct leaf_pair *p = &t->found[i];

		buf_reset(&text);
		if (p->from != p->to && write_pair(t, p, &text) &&
		    (best[p->from] == p->from || is_better(t, p->to, best[p->from])))
			best[p->from] = p->to;
	}
	return best;
}

void tree_candidates(const struct url_set *urls, const struct baseline_options *o,
		     struct candidates *ret)
{
	struct tree t = { .urls = urls, .o = o };
	cleanup(buf_release) struct buf text = { 0 };

	t.leaf_of = xrealloc(NULL, urls->n + 1, sizeof(*t.leaf_of));
	grow(&t);
	find_pairs(&t);
	uint32_t *best = choose_targets(&t);
	for (size_t i = 0; i < t.n_found; i++) {
		uint32_t from = t.found[i].from, to = t.found[i].to;
		uint32_t host = t.leaves[from].host;

		buf_reset(&text);
		if ((from == to || to == best[from]) &&
		    write_pair(&t, &t.found[i], &text))
			candidates_add(ret, buf_str(&text), &host, 1);
	}
	free(t.leaves);
	free(best);
	free(t.leaf_of);
	free(t.found);
	map_release(&t.pairs);
}
