#include "dup/cluster.h"

#include <stdlib.h>

#include "base/alloc.h"

struct edge {
	uint32_t to;
	float measure;
};

/* Neighbours of document i are edges[from[i] .. from[i + 1]). */
struct graph {
	size_t *from;
	struct edge *edges;
};

static int by_target(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->to > y->to) - (x->to < y->to);
}

static struct graph make_graph(const struct cluster_options *o)
{
	struct graph g = { xcalloc(o->n + 2, sizeof(*g.from)),
			   xcalloc(2 * o->n_pairs + 1, sizeof(*g.edges)) };

	for (size_t i = 0; i < o->n_pairs; i++) {
		g.from[o->pairs[i].a + 2]++;
		g.from[o->pairs[i].b + 2]++;
	}
	for (size_t i = 2; i < o->n + 2; i++)
		g.from[i] += g.from[i - 1];
	for (size_t i = 0; i < o->n_pairs; i++) {
		const struct near_pair *p = &o->pairs[i];

		g.edges[g.from[p->a + 1]++] = (struct edge){ p->b, p->measure };
		g.edges[g.from[p->b + 1]++] = (struct edge){ p->a, p->measure };
	}
	/* so that the order of the pairs does not matter when there are hops */
	for (size_t i = 0; i < o->n; i++)
		qsort(g.edges + g.from[i], g.from[i + 1] - g.from[i], sizeof(*g.edges),
		      by_target);
	return g;
}

#define FREE UINT32_MAX

/* Give `head` its free neighbours, then theirs, up to `hops` steps away. */
static void take_neighbours(const struct graph *g, uint32_t head, unsigned hops,
			    struct clustered *ret, uint32_t *queue)
{
	size_t done = 0, n = 0, level_end;

	ret[head].representative = head;
	queue[n++] = head;
	for (; hops > 0 && done < n; hops--) {
		for (level_end = n; done < level_end; done++) {
			uint32_t at = queue[done];

			for (size_t e = g->from[at]; e < g->from[at + 1]; e++) {
				uint32_t to = g->edges[e].to;

				if (ret[to].representative != FREE)
					continue;
				ret[to].representative = head;
				ret[to].measure = g->edges[e].measure;
				queue[n++] = to;
			}
		}
	}
	for (size_t i = 0; i < n; i++)
		ret[queue[i]].size = (uint32_t)n;
}

void cluster(const struct cluster_options *o, struct clustered *ret)
{
	struct graph g = make_graph(o);
	uint32_t *order = xcalloc(2 * o->n + 1, sizeof(*order));

	for (size_t i = 0; i < o->n; i++) {
		ret[i] = (struct clustered){ .representative = FREE };
		order[o->rank[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < o->n; i++)
		if (ret[order[i]].representative == FREE)
			take_neighbours(&g, order[i], MAX(o->hops, 1u), ret,
					order + o->n);
	free(order);
	free(g.from);
	free(g.edges);
}

struct ranked {
	double first, second; /* smaller goes first */
	uint64_t tie;
	uint32_t doc;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	if (x->tie != y->tie)
		return x->tie < y->tie ? -1 : 1;
	return (x->doc > y->doc) - (x->doc < y->doc);
}

static struct ranked rank_by(enum keep_policy policy, const struct keep_facts *f,
			     uint32_t doc)
{
	struct ranked r = { .second = f->name_length, .tie = f->tie, .doc = doc };

	switch (policy) {
	case KEEP_FIRST:
		r.first = doc;
		break;
	case KEEP_LONGEST:
		r.first = -(double)f->length;
		break;
	case KEEP_BEST_SCORE:
		r.first = -f->score;
		break;
	case KEEP_SHORTEST_URL:
		r.first = f->name_length;
		break;
	case KEEP_CANONICAL:
		r.first = f->is_canonical ? 0 : 1;
		break;
	}
	return r;
}

void keep_ranks(enum keep_policy policy, const struct keep_facts *facts, size_t n,
		uint32_t *ret)
{
	struct ranked *v = xcalloc(n + 1, sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = rank_by(policy, &facts[i], (uint32_t)i);
	if (n)
		qsort(v, n, sizeof(*v), by_rank);
	for (size_t i = 0; i < n; i++)
		ret[v[i].doc] = (uint32_t)i;
	free(v);
}
