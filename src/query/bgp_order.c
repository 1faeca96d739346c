/*
 * The order of a basic graph pattern.
 *
 * Counts of the triples are exact (one or two positions bound: two searches in an
 * index); those of joins are estimated from distinct subjects and objects, and
 * within a star from the characteristic sets, which are looked through once for
 * each star (star.c).  Left-deep orders are compared subset by subset: all subsets
 * up to EXACT_MAX triples; above, only the BEAM cheapest of each size, and from
 * WIDE_MAX on the cheapest one, as H2RDF takes the cheapest next join.  So ten triples
 * cost about as much to plan as six.
 */
#include "query/bgp_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "query/star.h"

#define EXACT_MAX    6
#define WIDE_MAX     16
#define BEAM         8
#define GROUP_MAX    64    /* bits of a subset */
#define PATH_FAN_OUT 20.0  /* guess: what a path with a bound end reaches */
#define FEWEST       0.001 /* no estimate is below: they are multiplied */
#define STAR_WORTH   32    /* rows: for fewer it does not pay to look through the sets */
#define NO_VAR       UINT16_MAX

/* What is known of a triple before any order is chosen. */
struct leaf {
	double count;
	double distinct[3]; /* of subject, predicate, object */
	uint16_t vars[3];   /* places in planning.vars, or NO_VAR */
};

struct planned_var {
	uint32_t var;
	uint64_t leaves; /* that mention it */
	bool seeded;     /* bound before */
	struct star star;
};

/* What is known after some triples, a subset of all. */
struct state {
	uint64_t subset;
	double cost, rows;
	uint32_t sorted_by; /* variable in whose order the rows come, or VAR_NONE */
	int last;           /* triple added last */
	const struct state *before;
	enum access access;
};

struct planning {
	struct exec *x;
	struct step *steps;
	size_t n;
	const struct cost_constants *costs;
	struct leaf *leaves;
	struct planned_var *vars;
	size_t n_vars;
	double size; /* of the store */
};

enum order choose_order(bool s, bool p, bool o, unsigned *ret_bound)
{
	*ret_bound = 1u + s + p + o;
	if (s)
		return o && !p ? ORDER_OSP : ORDER_SPO;
	if (p)
		return ORDER_POS;
	return o ? ORDER_OSP : ORDER_SPO;
}

/* --- the triples --- */

static double count_leaf(struct exec *x, const struct step *t)
{
	bool s = !t->s.is_var, p = !t->p.is_var, o = !t->o.is_var;
	unsigned bound;
	enum order order = choose_order(s, p, o, &bound);
	const uint64_t *graphs;
	size_t n = exec_graphs(x, &graphs);
	double sum = 0;

	for (size_t i = 0; i < n && exec_work(x, 20); i++) {
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

static void measure_leaf(struct planning *g, size_t i)
{
	const struct step *t = &g->steps[i];
	struct leaf *l = &g->leaves[i];
	struct predicate_stats stats;

	l->count = t->path ? 1e6 : count_leaf(g->x, t);
	/* Unknown: the square root is between "all the same" and "all different". */
	l->distinct[0] = l->distinct[2] = MAX(1, pow(l->count, 0.8));
	l->distinct[1] = 50;
	if (t->path || t->p.is_var)
		return;
	if (star_predicate(g->x->snapshot, t->p.id, &stats)) {
		l->distinct[0] = MAX(1, MIN((double)stats.subjects, l->count));
		l->distinct[2] = MAX(1, MIN((double)stats.objects, l->count));
	}
	if (!t->o.is_var)
		l->distinct[0] = MAX(1, l->count);
	if (!t->s.is_var)
		l->distinct[2] = MAX(1, l->count);
}

static uint16_t place_of(struct planning *g, uint32_t var, const bool *seeds)
{
	for (size_t i = 0; i < g->n_vars; i++)
		if (g->vars[i].var == var)
			return (uint16_t)i;
	g->vars[g->n_vars] =
		(struct planned_var){ .var = var, .seeded = seeds && seeds[var] };
	return (uint16_t)g->n_vars++;
}

static void see_vars(struct planning *g, const bool *seeds)
{
	for (size_t i = 0; i < g->n; i++)
		for (int k = 0; k < 3; k++) {
			const struct slot *s = slot_of(&g->steps[i], k);
			uint16_t *at = &g->leaves[i].vars[k];

			*at = s->is_var ? place_of(g, s->var, seeds) : NO_VAR;
			if (s->is_var)
				g->vars[*at].leaves |= (uint64_t)1 << i;
		}
}

/* A star around a subject: its triples with constant predicates. */
static void see_stars(struct planning *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct step *t = &g->steps[i];

		if (t->s.is_var && !t->p.is_var && !t->path)
			star_add(&g->vars[g->leaves[i].vars[0]].star, (unsigned)i,
				 t->p.id, t->o.is_var ? -1 : g->leaves[i].count);
	}
}

/* --- what is bound after a subset --- */

/* Position `k` of triple `i` is a variable that has a value by then. */
static bool is_bound(const struct planning *g, uint64_t subset, size_t i, int k)
{
	uint16_t at = g->leaves[i].vars[k];

	return at != NO_VAR && (g->vars[at].seeded || (g->vars[at].leaves & subset));
}

static bool shares_a_variable(const struct planning *g, uint64_t subset, size_t i)
{
	return is_bound(g, subset, i, 0) || is_bound(g, subset, i, 1) ||
	       is_bound(g, subset, i, 2);
}

/* How many different values a variable has in the join of a subset. */
static double distinct_in(const struct planning *g, uint64_t subset, uint16_t var,
			  double rows)
{
	double fewest = rows;

	for (uint64_t left = subset & g->vars[var].leaves; left; left &= left - 1) {
		const struct leaf *l = &g->leaves[__builtin_ctzll(left)];

		for (int k = 0; k < 3; k++)
			if (l->vars[k] == var)
				fewest = MIN(fewest, l->distinct[k]);
	}
	return MAX(fewest, 1);
}

/* By what one more triple of a star multiplies the rows; negative: not known. */
static double star_factor(const struct planning *g, uint64_t subset, size_t next,
			  double rows_before)
{
	uint16_t at = g->leaves[next].vars[0];
	struct star *star = at == NO_VAR ? NULL : &g->vars[at].star;
	uint64_t bit = (uint64_t)1 << next, before;

	if (!star || rows_before < STAR_WORTH || !(star->leaves & bit) ||
	    !(star->leaves & subset))
		return -1;
	star_look_up(star, g->x->snapshot);
	before = star->leaves & subset;
	double rows = star_rows(star, before);
	return rows > 0 ? star_rows(star, before | bit) / rows : -1;
}

static double join_rows(const struct planning *g, const struct state *from, size_t next)
{
	const struct leaf *l = &g->leaves[next];
	double rows = from->rows * l->count, factor;

	if (g->steps[next].path) {
		bool s = !g->steps[next].s.is_var || is_bound(g, from->subset, next, 0);
		bool o = !g->steps[next].o.is_var || is_bound(g, from->subset, next, 2);

		return from->rows * (s && o ? 0.5 : s || o ? PATH_FAN_OUT : 1e6);
	}
	factor = star_factor(g, from->subset, next, from->rows);
	if (factor >= 0)
		rows = from->rows * factor;
	for (int k = 0; k < 3; k++)
		if (is_bound(g, from->subset, next, k) && (k || factor < 0))
			rows /= MAX(l->distinct[k],
				    distinct_in(g, from->subset, l->vars[k], from->rows));
	return MAX(rows, FEWEST);
}

/* --- what it costs --- */

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

/* The search key grows with the rows: they come in the order of its last bound. */
static bool is_merge(const struct planning *g, const struct state *from, size_t next)
{
	unsigned n = 0;
	bool has = false;

	for (int k = 0; k < 3; k++) {
		if (!is_bound(g, from->subset, next, k))
			continue;
		n++;
		has |= slot_of(&g->steps[next], k)->var == from->sorted_by;
	}
	return has && n == 1 && from->sorted_by != VAR_NONE;
}

/* One variable, bound before: the rows of the triple are a set to be in. */
static bool is_set(const struct planning *g, uint64_t subset, size_t i)
{
	const struct step *t = &g->steps[i];
	int k = t->s.is_var ? 0 : t->o.is_var ? 2 : 1;

	return t->s.is_var + t->p.is_var + t->o.is_var == 1 &&
	       is_bound(g, subset, i, k) && !g->vars[g->leaves[i].vars[k]].seeded;
}

#define PART_ROWS 30 /* or so; a search decodes half of them, and leaps over others */

/* Rows that all searches together pass over: never more than there are. */
static double rows_between(const struct planning *g, uint64_t subset, size_t next,
			   double searches)
{
	/* Whole triples are looked up within a range of the index; see lookup_order(). */
	double range = is_set(g, subset, next) ? g->leaves[next].count : g->size;

	return MIN(searches * PART_ROWS, range);
}

static double read_cost(const struct planning *g, const struct state *from, size_t next,
			enum access *ret)
{
	const struct cost_constants *c = g->costs;
	const struct step *t = &g->steps[next];
	double count = g->leaves[next].count, seek, hash;
	bool joined = shares_a_variable(g, from->subset, next), merge;

	if (t->path) {
		*ret = ACCESS_PATH;
		return from->rows * (joined || !t->s.is_var || !t->o.is_var ? 20 : 1e6) *
		       c->seek_ns;
	}
	if (!joined) {
		*ret = ACCESS_SCAN;
		return from->rows * (count * c->scan_ns + c->seek_ns);
	}
	merge = is_merge(g, from, next);
	seek = from->rows * (merge ? c->seek_near_ns : c->seek_ns) +
	       rows_between(g, from->subset, next, from->rows) * c->scan_ns;
	hash = is_set(g, from->subset, next)
		       ? count * 2 * c->scan_ns + from->rows * c->scan_ns
		       : count * (c->scan_ns + c->build_ns) + from->rows * c->probe_ns;
	*ret = hash < seek ? ACCESS_HASH : merge ? ACCESS_MERGE : ACCESS_SEEK;
	return MIN(hash, seek);
}

/* `from` with one more triple: its rows, and the cheapest way to read it. */
static struct state extend(const struct planning *g, const struct state *from,
			   size_t next)
{
	struct state to = { .last = (int)next,
			    .before = from,
			    .subset = from->subset | (uint64_t)1 << next };

	to.rows = join_rows(g, from, next);
	to.sorted_by = from->subset ? from->sorted_by : scan_order_var(&g->steps[next]);
	to.cost = from->cost + read_cost(g, from, next, &to.access) +
		  to.rows * g->costs->row_ns;
	return to;
}

/* --- the search --- */

/* The states of one size; only the cheapest `most` are kept, one for each subset. */
struct level {
	struct state *v;
	size_t n, most;
};

static void keep(struct level *l, const struct state *s)
{
	size_t worst = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].subset == s->subset) {
			if (s->cost < l->v[i].cost)
				l->v[i] = *s;
			return;
		}
		if (l->v[i].cost > l->v[worst].cost)
			worst = i;
	}
	if (l->n < l->most)
		l->v[l->n++] = *s;
	else if (s->cost < l->v[worst].cost)
		l->v[worst] = *s;
}

static size_t width_for(size_t n)
{
	if (n > WIDE_MAX)
		return 1;
	return n > EXACT_MAX ? BEAM : 20; /* 6 over 3: all subsets of a size */
}

static const struct state *cheapest(const struct level *l)
{
	const struct state *best = l->v;

	for (size_t i = 1; i < l->n; i++)
		if (l->v[i].cost < best->cost)
			best = &l->v[i];
	return best;
}

static void place(const struct planning *g, const struct state *s, struct step *to)
{
	*to = g->steps[s->last];
	to->access = s->access;
	to->estimate = s->rows;
	to->count = g->leaves[s->last].count;
}

/*
 * The best complete order among those that keep to `width` states of each size and cost
 * less than `most`, as its last state in `states`; NULL when there is none.
 */
static const struct state *search(const struct planning *g, struct state *states,
				  size_t width, double most)
{
	struct level from = { .v = states, .n = 1, .most = width }, next;

	states[0] = (struct state){ .rows = 1, .sorted_by = VAR_NONE };
	for (size_t size = 0; size < g->n; size++, from = next) {
		next = (struct level){ .v = states + (size + 1) * width, .most = width };
		for (size_t s = 0; s < from.n; s++)
			for (size_t i = 0; i < g->n && exec_tick(g->x); i++) {
				if (from.v[s].subset >> i & 1)
					continue;
				struct state more = extend(g, &from.v[s], i);

				if (more.cost < most)
					keep(&next, &more);
			}
		if (next.n == 0)
			return NULL;
	}
	return cheapest(&from);
}

static double place_all(const struct planning *g, const struct state *last,
			struct step *to)
{
	double cost = last->cost;

	for (size_t i = g->n; i-- > 0; last = last->before)
		place(g, last, &to[i]);
	return cost;
}

/*
 * The steps in their order, to `to`; the cost of all.  The cheapest next triple each
 * time gives an order that is mostly right, and a bound for all others.
 */
static double choose(const struct planning *g, struct step *to)
{
	size_t width = width_for(g->n);
	struct state *states = xcalloc((g->n + 1) * width, sizeof(*states));
	const struct state *last = search(g, states, 1, INFINITY);
	double cost = 0;

	if (last)
		cost = place_all(g, last, to);
	else /* a limit was hit: any order does */
		memcpy(to, g->steps, g->n * sizeof(*to));
	if (last && width > 1 && (last = search(g, states, width, cost)))
		cost = place_all(g, last, to);
	free(states);
	return cost;
}

/* Up to GROUP_MAX triples, seeded by what was bound before them. */
static double order_group(struct exec *x, struct step *steps, size_t n, const bool *seeds,
			  struct step *to)
{
	struct planning g = { .x = x,
			      .steps = steps,
			      .n = n,
			      .costs = x->costs,
			      .size = (double)snapshot_size(x->snapshot) };
	double cost;

	g.leaves = xcalloc(n + 1, sizeof(*g.leaves));
	g.vars = xcalloc(3 * n + 1, sizeof(*g.vars));
	for (size_t i = 0; i < n; i++)
		measure_leaf(&g, i);
	see_vars(&g, seeds);
	see_stars(&g);
	cost = choose(&g, to);
	for (size_t i = 0; i < g.n_vars; i++)
		star_release(&g.vars[i].star);
	free(g.vars);
	free(g.leaves);
	return cost;
}

void bgp_order(struct exec *x, struct bgp *b)
{
	struct step *to = xcalloc(b->n + 1, sizeof(*to));
	bool *seeds = vars_new(x);

	if (b->seeds)
		memcpy(seeds, b->seeds, x->n_vars);
	for (size_t from = 0; from < b->n; from += GROUP_MAX) {
		size_t n = MIN(b->n - from, (size_t)GROUP_MAX);

		b->cost += order_group(x, b->steps + from, n, seeds, to + from);
		for (size_t i = 0; i < 3 * n; i++) {
			const struct slot *s =
				slot_of(&b->steps[from + i / 3], (int)(i % 3));

			if (s->is_var)
				seeds[s->var] = true;
		}
	}
	memcpy(b->steps, to, b->n * sizeof(*to));
	free(to);
}
