/*
 * Property paths (18.4): what repeats is a search that visits a node once, so
 * cycles end and no pair comes twice; sequences and alternatives keep doubles.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "query/op.h"

/* --- one predicate, or all but some --- */

static bool is_excluded(struct exec *x, const struct path *negated, uint64_t predicate,
			bool inverse)
{
	for (size_t i = 0; i < negated->n; i++) {
		const struct path *c = negated->children[i];
		bool is_inverse = c->kind == PATH_INVERSE;
		const struct term *iri = is_inverse ? &c->children[0]->iri : &c->iri;

		if (is_inverse == inverse && exec_intern(x, *iri) == predicate)
			return true;
	}
	return false;
}

static bool has_direction(const struct path *negated, bool inverse)
{
	for (size_t i = 0; i < negated->n; i++)
		if ((negated->children[i]->kind == PATH_INVERSE) == inverse)
			return true;
	return negated->n == 0 && !inverse;
}

struct triple_walk {
	struct exec *x;
	const struct path *negated; /* NULL: the one predicate */
	bool inverse;
	struct path_sink *to;
};

static bool take_row(const struct triple_walk *w, const struct row *q)
{
	if (w->negated && is_excluded(w->x, w->negated, q->v[2], w->inverse))
		return true;
	return w->inverse ? w->to->pair(w->to, q->v[3], q->v[1])
			  : w->to->pair(w->to, q->v[1], q->v[3]);
}

static enum order order_for(const struct row *spo, unsigned *ret_bound)
{
	bool s = spo->v[1], p = spo->v[2], o = spo->v[3];

	*ret_bound = 1u + s + p + o;
	if (s)
		return o && !p ? ORDER_OSP : ORDER_SPO;
	return p ? ORDER_POS : o ? ORDER_OSP : ORDER_SPO;
}

static bool known_before(struct exec *x, const uint64_t *graphs, size_t n, struct row spo)
{
	for (size_t i = 0; i < n; i++) {
		spo.v[0] = graphs[i];
		if (snapshot_count(x->snapshot, ORDER_SPO, &spo, 4))
			return true;
	}
	return false;
}

/* Triples with these ends; `w` says which predicates, and which way round. */
static bool walk_triples(const struct triple_walk *w, uint64_t s, uint64_t p, uint64_t o)
{
	struct row spo = { { 0, s, p, o } };
	const uint64_t *graphs;
	size_t n_graphs = exec_graphs(w->x, &graphs), n;
	unsigned bound;
	enum order order = order_for(&spo, &bound);
	const struct row *rows;
	struct scan scan;
	bool go_on = true;

	if (id_tag(s) == TAG_LOCAL || id_tag(p) == TAG_LOCAL || id_tag(o) == TAG_LOCAL)
		return true;
	scan_open(&scan, w->x->snapshot, order);
	for (size_t g = 0; go_on && g < n_graphs; g++) {
		spo.v[0] = graphs[g];
		struct row key = row_in_order(&spo, order);
		scan_start(&scan, &key, bound);
		while (go_on && scan_next(&scan, &rows, &n))
			for (size_t i = 0; go_on && i < n; i++) {
				struct row q = row_to_spo(&rows[i], order);

				if (g && known_before(w->x, graphs, g, q))
					continue;
				go_on = exec_tick(w->x) && take_row(w, &q);
			}
	}
	scan_close(&scan);
	return go_on;
}

static bool run_negated(struct exec *x, const struct path *p, uint64_t s, uint64_t o,
			struct path_sink *to)
{
	struct triple_walk forward = { x, p, false, to }, backward = { x, p, true, to };

	if (has_direction(p, false) && !walk_triples(&forward, s, ID_NONE, o))
		return false;
	return !has_direction(p, true) || walk_triples(&backward, o, ID_NONE, s);
}

/* --- inverse, sequence, alternative --- */

struct swap_sink {
	struct path_sink base;
	struct path_sink *to;
};

static bool take_swapped(struct path_sink *self, uint64_t s, uint64_t o)
{
	struct swap_sink *w = (struct swap_sink *)self;

	return w->to->pair(w->to, o, s);
}

struct sequence_sink {
	struct path_sink base;
	struct exec *x;
	const struct path *p;
	size_t at;     /* the child that is being walked */
	uint64_t s, o; /* ends of the whole; the near one is found */
	bool backwards;
	struct path_sink *to;
};

static bool run_sequence(struct sequence_sink *from, uint64_t near);

static bool take_part(struct path_sink *self, uint64_t s, uint64_t o)
{
	struct sequence_sink next = *(struct sequence_sink *)self;
	bool last = next.backwards ? next.at == 0 : next.at + 1 == next.p->n;

	if (next.backwards ? next.at + 1 == next.p->n : next.at == 0)
		*(next.backwards ? &next.o : &next.s) = next.backwards ? o : s;
	if (last)
		return next.backwards ? next.to->pair(next.to, s, next.o)
				      : next.to->pair(next.to, next.s, o);
	next.at = next.backwards ? next.at - 1 : next.at + 1;
	return run_sequence(&next, next.backwards ? s : o);
}

/* Walk child `at` from `near`; the far end is fixed only for the last one. */
static bool run_sequence(struct sequence_sink *from, uint64_t near)
{
	bool last = from->backwards ? from->at == 0 : from->at + 1 == from->p->n;
	const struct path *child = from->p->children[from->at];

	from->base.pair = take_part;
	if (from->backwards)
		return path_run(from->x, child, last ? from->s : ID_NONE, near,
				&from->base);
	return path_run(from->x, child, near, last ? from->o : ID_NONE, &from->base);
}

static bool start_sequence(struct exec *x, const struct path *p, uint64_t s, uint64_t o,
			   struct path_sink *to)
{
	bool backwards = s == ID_NONE && o != ID_NONE;
	struct sequence_sink q = { { take_part }, x, p, backwards ? p->n - 1 : 0, s, o,
				   backwards,     to };

	return run_sequence(&q, backwards ? o : s);
}

/* --- repetition --- */

struct reach {
	struct path_sink base;
	struct exec *x;
	struct map seen;
	uint64_t *queue;
	size_t n, cap;
	bool backwards; /* collect the other end */
};

static bool take_reached(struct path_sink *self, uint64_t s, uint64_t o)
{
	struct reach *r = (struct reach *)self;
	uint64_t node = r->backwards ? s : o;
	bool is_new;

	map_add(&r->seen, node, &is_new);
	if (is_new) {
		VEC_ADD(r->queue, r->n, r->cap, node);
		return exec_take_memory(r->x, 24);
	}
	return r->x->st == ST_OK;
}

static void reach_release(struct reach *r)
{
	map_release(&r->seen);
	free(r->queue);
}

/* All nodes that repetitions of `child` lead to from `start`, in `r->queue`. */
static bool reach_all(struct reach *r, const struct path *child, uint64_t start,
		      bool zero, bool once)
{
	if (zero && !take_reached(&r->base, start, start))
		return false;
	if (!zero || once) {
		if (!(r->backwards ? path_run(r->x, child, ID_NONE, start, &r->base)
				   : path_run(r->x, child, start, ID_NONE, &r->base)))
			return false;
		if (once)
			return true;
	}
	for (size_t at = 0; at < r->n; at++) {
		uint64_t node = r->queue[at];
		bool go_on = r->backwards
				     ? path_run(r->x, child, ID_NONE, node, &r->base)
				     : path_run(r->x, child, node, ID_NONE, &r->base);

		if (!go_on)
			return false;
	}
	return true;
}

/* Pairs from one end; `other` filters them when it is fixed too. */
static bool run_repeat_from(struct exec *x, const struct path *p, uint64_t start,
			    uint64_t other, bool backwards, struct path_sink *to)
{
	struct reach r = { .base = { take_reached }, .x = x, .backwards = backwards };
	bool go_on = reach_all(&r, p->children[0], start, p->kind != PATH_ONE_OR_MORE,
			       p->kind == PATH_ZERO_OR_ONE);

	for (size_t i = 0; go_on && i < r.n; i++) {
		if (other && r.queue[i] != other)
			continue;
		go_on = backwards ? to->pair(to, r.queue[i], start)
				  : to->pair(to, start, r.queue[i]);
	}
	reach_release(&r);
	return go_on && x->st == ST_OK;
}

struct nodes_sink {
	struct path_sink base;
	struct reach *to;
};

static bool take_both(struct path_sink *self, uint64_t s, uint64_t o)
{
	struct reach *r = ((struct nodes_sink *)self)->to;

	return take_reached(&r->base, s, s) && take_reached(&r->base, o, o);
}

/* Both ends free: from every node of the graph. */
static bool run_repeat_everywhere(struct exec *x, const struct path *p,
				  struct path_sink *to)
{
	struct reach nodes = { .base = { take_reached }, .x = x };
	struct nodes_sink both = { { take_both }, &nodes };
	const struct path any = { .kind = PATH_NEGATED };
	struct triple_walk all = { x, &any, false, &both.base };
	bool go_on = walk_triples(&all, ID_NONE, ID_NONE, ID_NONE);

	for (size_t i = 0; go_on && i < nodes.n; i++)
		go_on = run_repeat_from(x, p, nodes.queue[i], ID_NONE, false, to);
	reach_release(&nodes);
	return go_on;
}

static bool run_repeat(struct exec *x, const struct path *p, uint64_t s, uint64_t o,
		       struct path_sink *to)
{
	if (s)
		return run_repeat_from(x, p, s, o, false, to);
	if (o)
		return run_repeat_from(x, p, o, ID_NONE, true, to);
	return run_repeat_everywhere(x, p, to);
}

bool path_run(struct exec *x, const struct path *p, uint64_t s, uint64_t o,
	      struct path_sink *to)
{
	struct swap_sink swapped = { { take_swapped }, to };
	struct triple_walk one = { x, NULL, false, to };

	switch (p->kind) {
	case PATH_IRI:
		return walk_triples(&one, s, exec_intern(x, p->iri), o);
	case PATH_INVERSE:
		return path_run(x, p->children[0], o, s, &swapped.base);
	case PATH_SEQUENCE:
		return start_sequence(x, p, s, o, to);
	case PATH_ALTERNATIVE:
		for (size_t i = 0; i < p->n; i++)
			if (!path_run(x, p->children[i], s, o, to))
				return false;
		return true;
	case PATH_ZERO_OR_MORE:
	case PATH_ONE_OR_MORE:
	case PATH_ZERO_OR_ONE:
		return run_repeat(x, p, s, o, to);
	case PATH_NEGATED:
		return run_negated(x, p, s, o, to);
	}
	return true;
}
