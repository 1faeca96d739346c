/*
 * The order of a basic graph pattern.
 *
 * Counts of the patterns are exact (one or two positions bound: two searches in an
 * index); those of joins are estimated from distinct subjects and objects, and
 * for stars from the characteristic sets.  Up to DP_MAX patterns all left-deep
 * orders are compared by dynamic programming over subsets; above, the cheapest next
 * pattern is taken, as H2RDF takes the cheapest next join.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "query/bgp.h"

#define DP_MAX       10
#define GREEDY_MAX   64    /* bits of a subset */
#define PATH_FAN_OUT 20.0  /* guess: what a path with a bound end reaches */
#define FEWEST       0.001 /* no estimate is below: they are multiplied */

/* What is known of a pattern before any order is chosen. */
struct leaf {
	double count;
	double distinct[3]; /* of subject, predicate, object */
};

/* What is known after some patterns, a subset of all. */
struct state {
	double cost, rows;
	uint32_t sorted_by; /* variable in whose order the rows come, or VAR_NONE */
	int last, before;   /* pattern added last, and the subset before it */
	enum access access;
	bool reached;
};

struct planning {
	struct exec *x;
	struct bgp *b;
	const struct cost_constants *costs;
	struct leaf *leaves;
	double size; /* of the store */
};

static const struct slot *slot_of(const struct step *t, int i)
{
	return i == 0 ? &t->s : i == 1 ? &t->p : &t->o;
}

static enum order choose_order(bool s, bool p, bool o, unsigned *ret_bound)
{
	*ret_bound = 1u + s + p + o;
	if (s)
		return o && !p ? ORDER_OSP : ORDER_SPO;
	if (p)
		return ORDER_POS;
	return o ? ORDER_OSP : ORDER_SPO;
}

static double count_leaf(struct exec *x, const struct step *t)
{
	bool s = !t->s.is_var, p = !t->p.is_var, o = !t->o.is_var;
	unsigned bound;
	enum order order = choose_order(s, p, o, &bound);
	const uint64_t *graphs;
	size_t n = exec_graphs(x, &graphs);
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		struct row spo = { { graphs[i], s ? t->s.id : 0, p ? t->p.id : 0,
				     o ? t->o.id : 0 } };
		struct row key = row_in_order(&spo, order);

		sum += (double)snapshot_count(x->snapshot, order, &key, bound);
	}
	return sum;
}

double bgp_rough_rows(struct exec *x, const struct triples *t)
{
	double fewest = 1e9;

	for (size_t i = 0; i < t->n; i++) {
		const struct node *nodes[] = { &t->v[i].subject, &t->v[i].predicate,
					       &t->v[i].object };
		struct step s = { 0 };
		struct slot *slots[] = { &s.s, &s.p, &s.o };

		for (int k = 0; k < 3; k++) {
			slots[k]->is_var = nodes[k]->is_var;
			if (!nodes[k]->is_var && !t->v[i].path)
				slots[k]->id = exec_intern(x, nodes[k]->term);
		}
		if (!t->v[i].path)
			fewest = MIN(fewest, count_leaf(x, &s));
	}
	return t->n ? fewest : 1;
}

/* Sums over the segments; what is in memory only is not known in detail. */
static bool find_stats(const struct exec *x, uint64_t predicate,
		       struct predicate_stats *ret)
{
	*ret = (struct predicate_stats){ 0 };
	for (size_t i = 0; i < x->snapshot->n_runs; i++) {
		const struct predicate_stats *p =
			stats_find(&x->snapshot->runs[i]->stats, predicate);

		if (!p)
			continue;
		ret->triples += p->triples;
		ret->subjects += p->subjects;
		ret->objects += p->objects;
	}
	return ret->triples > 0;
}

static void measure_leaf(struct planning *g, size_t i)
{
	const struct step *t = &g->b->steps[i];
	struct leaf *l = &g->leaves[i];
	struct predicate_stats stats;

	l->count = t->path ? 1e6 : count_leaf(g->x, t);
	/* Unknown: the square root is between "all the same" and "all different". */
	l->distinct[0] = l->distinct[2] = MAX(1, pow(l->count, 0.8));
	l->distinct[1] = 50;
	if (t->path || t->p.is_var)
		return;
	if (find_stats(g->x, t->p.id, &stats)) {
		l->distinct[0] = MAX(1, MIN((double)stats.subjects, l->count));
		l->distinct[2] = MAX(1, MIN((double)stats.objects, l->count));
	}
	if (!t->o.is_var)
		l->distinct[0] = MAX(1, l->count);
	if (!t->s.is_var)
		l->distinct[2] = MAX(1, l->count);
}

static bool in_subset(const struct planning *g, uint64_t subset, uint32_t var)
{
	if (g->b->seeds && g->b->seeds[var])
		return true;
	for (size_t i = 0; i < g->b->n; i++) {
		if (!(subset >> i & 1))
			continue;
		for (int k = 0; k < 3; k++) {
			const struct slot *s = slot_of(&g->b->steps[i], k);

			if (s->is_var && s->var == var)
				return true;
		}
	}
	return false;
}

/* How many different values `var` has in the join of a subset. */
static double distinct_in(const struct planning *g, uint64_t subset, uint32_t var,
			  double rows)
{
	double fewest = rows;

	for (size_t i = 0; i < g->b->n; i++)
		for (int k = 0; (subset >> i & 1) && k < 3; k++) {
			const struct slot *s = slot_of(&g->b->steps[i], k);

			if (s->is_var && s->var == var)
				fewest = MIN(fewest, g->leaves[i].distinct[k]);
		}
	return MAX(fewest, 1);
}

/* Rows of a star of constant predicates around one variable; negative when it is none. */
static double star_rows(const struct planning *g, uint64_t subset)
{
	uint64_t predicates[GREEDY_MAX];
	uint32_t subject = VAR_NONE;
	double share = 1, rows = 0;
	size_t n = 0;

	for (size_t i = 0; i < g->b->n; i++) {
		const struct step *t = &g->b->steps[i];
		struct predicate_stats stats;

		if (!(subset >> i & 1))
			continue;
		if (t->path || t->p.is_var || !t->s.is_var || n == COUNT(predicates) ||
		    (subject != VAR_NONE && subject != t->s.var))
			return -1;
		subject = t->s.var;
		predicates[n++] = t->p.id;
		if (!t->o.is_var) {
			if (!find_stats(g->x, t->p.id, &stats))
				return -1;
			share *= g->leaves[i].count / (double)stats.triples;
		}
	}
	for (size_t i = 0; i < g->x->snapshot->n_runs; i++) {
		double each;

		(void)stats_star(&g->x->snapshot->runs[i]->stats, predicates, n, &each);
		rows += each;
	}
	return rows > 0 ? rows * share : -1;
}

static double join_rows(const struct planning *g, uint64_t subset,
			const struct state *from, size_t next)
{
	const struct step *t = &g->b->steps[next];
	double rows = from->rows * g->leaves[next].count, star;

	if (t->path) {
		bool s = !t->s.is_var || in_subset(g, subset, t->s.var);
		bool o = !t->o.is_var || in_subset(g, subset, t->o.var);

		return from->rows * (s && o ? 0.5 : s || o ? PATH_FAN_OUT : 1e6);
	}
	for (int k = 0; k < 3; k++) {
		const struct slot *s = slot_of(t, k);

		if (s->is_var && in_subset(g, subset, s->var))
			rows /= MAX(g->leaves[next].distinct[k],
				    distinct_in(g, subset, s->var, from->rows));
	}
	if (subset && (star = star_rows(g, subset | (uint64_t)1 << next)) >= 0)
		rows = star;
	return MAX(rows, FEWEST);
}

/* The variable whose order the rows of a first scan have. */
static uint32_t scan_order_var(const struct step *t)
{
	unsigned bound;
	enum order order = choose_order(!t->s.is_var, !t->p.is_var, !t->o.is_var, &bound);

	for (int k = 0; k < 3; k++)
		if (order_column[order][k] == bound)
			return slot_of(t, k)->is_var ? slot_of(t, k)->var : VAR_NONE;
	return VAR_NONE;
}

/* The search key of `t` grows with the rows: they come in the order of its last bound. */
static bool is_merge(const struct planning *g, uint64_t subset, const struct state *from,
		     const struct step *t)
{
	unsigned n = 0;
	bool has = false;

	for (int k = 0; k < 3; k++) {
		const struct slot *s = slot_of(t, k);

		if (!s->is_var || !in_subset(g, subset, s->var))
			continue;
		n++;
		has |= s->var == from->sorted_by;
	}
	return has && n == 1 && from->sorted_by != VAR_NONE;
}

static bool shares_a_variable(const struct planning *g, uint64_t subset,
			      const struct step *t)
{
	for (int k = 0; k < 3; k++)
		if (slot_of(t, k)->is_var && in_subset(g, subset, slot_of(t, k)->var))
			return true;
	return false;
}

/* One variable, bound before: the rows of the pattern are a set to be in. */
static bool is_set(const struct planning *g, uint64_t subset, const struct step *t)
{
	const struct slot *v = t->s.is_var ? &t->s : t->o.is_var ? &t->o : &t->p;

	return t->s.is_var + t->p.is_var + t->o.is_var == 1 &&
	       in_subset(g, subset, v->var) && !(g->b->seeds && g->b->seeds[v->var]);
}

#define PART_ROWS 30 /* or so; a search decodes half of them, and leaps over others */

/* Rows that all searches together pass over: never more than there are. */
static double rows_between(const struct planning *g, uint64_t subset,
			   const struct step *t, double searches)
{
	/* Whole triples are looked up within a range of the index; see lookup_order(). */
	double range = is_set(g, subset, t) ? g->leaves[t - g->b->steps].count : g->size;

	return MIN(searches * PART_ROWS, range);
}

/* `from` (a subset) with pattern `next`: rows and the cheapest way to read it. */
static struct state extend(const struct planning *g, uint64_t subset,
			   const struct state *from, size_t next)
{
	const struct step *t = &g->b->steps[next];
	const struct cost_constants *c = g->costs;
	struct state to = { .last = (int)next, .before = (int)subset, .reached = true };
	double count = g->leaves[next].count, read;
	bool joined = shares_a_variable(g, subset, t);

	to.rows = join_rows(g, subset, from, next);
	to.sorted_by = subset ? from->sorted_by : scan_order_var(t);
	if (t->path) {
		to.access = ACCESS_PATH;
		read = from->rows * (joined || !t->s.is_var || !t->o.is_var ? 20 : 1e6) *
		       c->seek_ns;
	} else if (!joined) {
		to.access = ACCESS_SCAN;
		read = from->rows * (count * c->scan_ns + c->seek_ns);
	} else {
		bool merge = is_merge(g, subset, from, t);
		double seek = from->rows * (merge ? c->seek_near_ns : c->seek_ns) +
			      rows_between(g, subset, t, from->rows) * c->scan_ns;
		double hash = is_set(g, subset, t)
				      ? count * 2 * c->scan_ns + from->rows * c->scan_ns
				      : count * (c->scan_ns + c->build_ns) +
						from->rows * c->probe_ns;

		to.access = merge ? ACCESS_MERGE : ACCESS_SEEK;
		read = seek;
		if (hash < seek) {
			to.access = ACCESS_HASH;
			read = hash;
		}
	}
	to.cost = from->cost + read + to.rows * c->row_ns;
	return to;
}

static void place(struct planning *g, size_t at, const struct state *chosen,
		  const struct state *before, struct step *to)
{
	struct step *t = &to[at];
	struct join_input inputs[2] = { { before->rows, 1 }, { before->rows, 1 } };

	*t = g->b->steps[chosen->last];
	t->access = chosen->access;
	t->estimate = chosen->rows;
	t->count = g->leaves[chosen->last].count;
	inputs[1].rows_each = chosen->rows / MAX(before->rows, FEWEST);
	t->executor = executor_choose(g->costs, inputs, 2);
}

static void plan_by_subsets(struct planning *g, struct step *to)
{
	size_t n = g->b->n;
	unsigned all = (1u << n) - 1;
	struct state *states = xcalloc((size_t)1 << n, sizeof(*states));

	states[0] = (struct state){ .rows = 1, .sorted_by = VAR_NONE, .reached = true };
	for (unsigned subset = 0; subset < all; subset++)
		for (size_t i = 0; states[subset].reached && i < n; i++) {
			if (subset >> i & 1)
				continue;
			struct state s = extend(g, subset, &states[subset], i);
			struct state *old = &states[subset | 1u << i];

			if (!old->reached || s.cost < old->cost)
				*old = s;
		}
	g->b->cost = states[all].cost;
	for (unsigned subset = all, at = (unsigned)n; subset; at--) {
		const struct state *s = &states[subset];

		place(g, at - 1, s, &states[s->before], to);
		subset = (unsigned)s->before;
	}
	free(states);
}

static double plan_greedily(struct planning *g, struct step *to)
{
	struct state now = { .rows = 1, .sorted_by = VAR_NONE };
	uint64_t subset = 0;

	for (size_t at = 0; at < g->b->n; at++) {
		struct state best = { 0 };

		for (size_t i = 0; i < g->b->n; i++) {
			if (subset >> i & 1)
				continue;
			struct state s = extend(g, subset, &now, i);

			if (!best.reached || s.cost < best.cost)
				best = s;
		}
		place(g, at, &best, &now, to);
		subset |= (uint64_t)1 << best.last;
		now = best;
	}
	return now.cost;
}

/* More patterns than a subset has bits go in groups, each seeded by those before. */
static void plan_in_groups(struct planning *g, struct step *to)
{
	struct bgp *b = g->b;
	bool *seeds = vars_new(g->x);

	if (b->seeds)
		memcpy(seeds, b->seeds, g->x->n_vars);
	for (size_t from = 0; from < b->n; from += GREEDY_MAX) {
		struct bgp part = { .steps = b->steps + from,
				    .n = MIN(b->n - from, (size_t)GREEDY_MAX),
				    .seeds = seeds };
		struct planning own = { g->x, &part, g->costs, g->leaves + from,
					g->size };

		b->cost += plan_greedily(&own, to + from);
		for (size_t i = 0; i < 3 * part.n; i++)
			if (slot_of(&part.steps[i / 3], (int)(i % 3))->is_var)
				seeds[slot_of(&part.steps[i / 3], (int)(i % 3))->var] =
					true;
	}
}

/* Each filter goes to the first step after which its variables are bound. */
static void place_filters(struct exec *x, struct bgp *b)
{
	for (size_t f = 0; f < b->n_filters; f++) {
		bool *vars = vars_new(x), *bound = vars_new(x);
		size_t at = 0;

		vars_of_expr(x, b->filters[f], vars);
		for (; at < b->n; at++) {
			bool all = true;

			for (int k = 0; k < 3; k++)
				if (slot_of(&b->steps[at], k)->is_var)
					bound[slot_of(&b->steps[at], k)->var] = true;
			for (size_t i = 0; i < x->n_vars; i++)
				all &= !vars[i] || bound[i];
			if (all)
				break;
		}
		struct step *t = &b->steps[MIN(at, b->n - 1)];
		VEC_ADD(t->filters, t->n_filters, t->filters_cap, b->filters[f]);
	}
}

/* What is read behind each step: by later ones, by filters from here on, at the end. */
static void set_read(struct exec *x, struct bgp *b)
{
	bool *read = vars_new(x);

	memcpy(read, b->read, x->n_vars);
	for (size_t at = b->n; at-- > 0;) {
		struct step *t = &b->steps[at];
		bool *own = vars_new(x);

		for (size_t i = 0; i < t->n_filters; i++)
			vars_of_expr(x, t->filters[i], read);
		memcpy(own, read, x->n_vars);
		t->read = own;
		for (int k = 0; k < 3; k++)
			if (slot_of(t, k)->is_var)
				read[slot_of(t, k)->var] = true;
	}
}

#define BATCH_WORTH  256 /* rows before a step, at least */
#define BATCH_HASHED 512 /* what they need stays in the cache */
#define BATCH_SORTED 8192

/* The column of the search that comes first among those of variables. */
static uint32_t search_key(const struct step *t, const bool *bound)
{
	bool at[3];
	unsigned n;

	for (int k = 0; k < 3; k++)
		at[k] = !slot_of(t, k)->is_var || bound[slot_of(t, k)->var];
	enum order order = choose_order(at[0], at[1], at[2], &n);
	for (unsigned column = 1; column < n; column++)
		for (int k = 0; k < 3; k++)
			if (order_column[order][k] == column && slot_of(t, k)->is_var)
				return slot_of(t, k)->var;
	return VAR_NONE;
}

/* Where many rows are looked up or searched anywhere, they wait for each other. */
static void set_batches(struct exec *x, struct bgp *b)
{
	bool *bound = vars_new(x);

	if (b->seeds)
		memcpy(bound, b->seeds, x->n_vars);
	for (size_t at = 0; at < b->n; at++) {
		struct step *t = &b->steps[at];
		struct step_batch *batch = &t->batch;

		batch->key = t->access == ACCESS_SEEK ? search_key(t, bound) : VAR_NONE;
		if (at && b->steps[at - 1].estimate >= BATCH_WORTH &&
		    (t->access == ACCESS_HASH || batch->key != VAR_NONE)) {
			batch->size =
				t->access == ACCESS_HASH ? BATCH_HASHED : BATCH_SORTED;
			batch->vars = exec_tree(x, (x->n_vars + 1) * sizeof(uint32_t));
			for (uint32_t i = 0; i < x->n_vars; i++)
				if (bound[i])
					batch->vars[batch->n_vars++] = i;
		}
		for (int k = 0; k < 3; k++)
			if (slot_of(t, k)->is_var)
				bound[slot_of(t, k)->var] = true;
	}
}

#define UNKNOWN_ZONE_S (14 * 3600) /* a date-time without zone may be that far off */

/* Of `a op b` with a variable and an inline constant: the bound it sets. */
static bool comparison_bound(const struct expr *e, uint32_t var, uint64_t *ret,
			     bool *is_low, bool *is_high)
{
	bool flipped = e->n == 2 && e->args[0]->op == EXPR_TERM;
	const struct expr *v, *c;

	if (e->n != 2 || e->op < EXPR_EQUAL || e->op > EXPR_GREATER_EQUAL ||
	    e->op == EXPR_NOT_EQUAL)
		return false;
	v = e->args[flipped];
	c = e->args[!flipped];
	if (v->op != EXPR_VAR || v->var != var || c->op != EXPR_TERM)
		return false;
	if (id_tag(c->id) != TAG_INTEGER && !id_has_zone(c->id))
		return false;
	bool less = e->op == EXPR_LESS || e->op == EXPR_LESS_EQUAL;
	*ret = c->id;
	*is_high = e->op == EXPR_EQUAL || less != flipped;
	*is_low = e->op == EXPR_EQUAL || less == flipped;
	return true;
}

static struct id_range whole_tag(enum id_tag tag)
{
	return (struct id_range){ id_make(tag, 0), id_make(tag, ID_PAYLOAD_MASK) };
}

/* The literals of the dictionary, `own`, and for integers all other inline numbers. */
static void add_ranges(struct step *t, enum id_tag tag, struct id_range own)
{
	t->ranges[t->n_ranges++] = whole_tag(TAG_LITERAL);
	t->ranges[t->n_ranges++] = own;
	if (tag != TAG_INTEGER)
		return;
	t->ranges[t->n_ranges++] = whole_tag(TAG_DECIMAL);
	t->ranges[t->n_ranges++] = whole_tag(TAG_DOUBLE);
}

/*
 * The filters on an object as ranges of ids.  Values that are not inline are
 * literals of the dictionary, and other kinds of numbers have an order of
 * their own, so they are all looked at; the filters are asked again anyway.
 */
static void set_ranges(struct step *t)
{
	enum id_tag tag = TAG_NONE;
	struct id_range own = { 0 };
	uint64_t bound;
	bool is_low, is_high;

	for (size_t i = 0; t->o.is_var && !t->p.is_var && i < t->n_filters; i++) {
		if (!comparison_bound(t->filters[i], t->o.var, &bound, &is_low,
				      &is_high) ||
		    (tag != TAG_NONE && tag != id_tag(bound)))
			continue;
		bool is_time = id_tag(bound) == TAG_DATETIME;
		if (tag == TAG_NONE)
			own = whole_tag(id_tag(bound));
		tag = id_tag(bound);
		if (is_low)
			own.low = MAX(own.low,
				      is_time ? id_datetime_near(bound, -UNKNOWN_ZONE_S)
					      : bound);
		if (is_high)
			own.high =
				MIN(own.high,
				    is_time ? id_datetime_near(bound, UNKNOWN_ZONE_S + 1)
					    : bound);
	}
	if (tag != TAG_NONE)
		add_ranges(t, tag, own);
}

/* What a hash table is keyed by: variables of the step that are bound before it. */
static void prepare_hashes(struct exec *x, struct bgp *b)
{
	bool *bound = vars_new(x);

	for (size_t at = 0; at < b->n; at++) {
		struct step *t = &b->steps[at];
		bool *vars = vars_new(x), *keys = vars_new(x);

		for (int k = 0; k < 3; k++) {
			const struct slot *s = slot_of(t, k);

			if (!s->is_var)
				continue;
			vars[s->var] = true;
			keys[s->var] = bound[s->var];
		}
		if (t->access == ACCESS_HASH)
			table_init(x, &t->hash, vars, keys);
		for (size_t i = 0; i < x->n_vars; i++)
			bound[i] |= vars[i];
		if (t->access == ACCESS_HASH && t->hash.n_keys == 0)
			t->access = ACCESS_SEEK; /* joined by a seed only: it may be
						    unbound */
	}
}

void bgp_plan(struct exec *x, struct bgp *b)
{
	struct planning g = { .x = x,
			      .b = b,
			      .costs = x->costs,
			      .size = (double)snapshot_size(x->snapshot) };
	struct step *to = xcalloc(b->n + 1, sizeof(*to));

	g.leaves = xcalloc(b->n + 1, sizeof(*g.leaves));
	for (size_t i = 0; i < b->n; i++)
		measure_leaf(&g, i);
	if (b->n <= DP_MAX)
		plan_by_subsets(&g, to);
	else
		plan_in_groups(&g, to);
	memcpy(b->steps, to, b->n * sizeof(*to));
	free(to);
	free(g.leaves);
	prepare_hashes(x, b);
	if (b->n)
		place_filters(x, b);
	if (b->read)
		set_read(x, b);
	set_batches(x, b);
	for (size_t i = 0; i < b->n; i++)
		if (!b->steps[i].path)
			set_ranges(&b->steps[i]);
	b->planned = true;
}
