#include "kb/summary.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

static int by_triples(const void *a, const void *b)
{
	const struct predicate_stats *p = a, *q = b;

	return p->triples != q->triples
		       ? (p->triples < q->triples ? 1 : -1)
		       : (p->predicate > q->predicate) - (p->predicate < q->predicate);
}

static int by_statements(const void *a, const void *b)
{
	const struct graph_size *p = a, *q = b;

	return p->statements != q->statements
		       ? (p->statements < q->statements ? 1 : -1)
		       : (p->graph > q->graph) - (p->graph < q->graph);
}

static void add_stats(struct summary *to, struct map *at, const struct stats *s)
{
	for (size_t i = 0; i < s->n_predicates; i++) {
		const struct predicate_stats *p = &s->predicates[i];
		uint64_t *place = map_add(at, p->predicate, NULL);

		if (*place == 0) {
			VEC_ADD(to->predicates, to->n_predicates, to->predicates_cap,
				(struct predicate_stats){ .predicate = p->predicate });
			*place = to->n_predicates;
		}
		to->predicates[*place - 1].triples += p->triples;
		to->predicates[*place - 1].subjects += p->subjects;
		to->predicates[*place - 1].objects += p->objects;
	}
	to->stars += s->n_sets;
}

/* A run in memory has no statistics: they are gathered as those of a segment are. */
static void add_memory(struct summary *to, struct map *at, const struct run *r)
{
	struct stats stats = { 0 };
	struct stats_gather g = { .to = &stats };

	for (size_t i = 0; i < r->n_rows; i++)
		if (!row_is_gone(&r->rows[ORDER_SPO][i]))
			stats_add_spo(&g, &r->rows[ORDER_SPO][i]);
	for (size_t i = 0; i < r->n_rows; i++)
		if (!row_is_gone(&r->rows[ORDER_POS][i]))
			stats_add_pos(&g, &r->rows[ORDER_POS][i]);
	stats_end(&g);
	add_stats(to, at, &stats);
	stats_release(&stats);
}

/* What was removed since is in other runs: the statements are counted by the index. */
static void count_statements(struct summary *s, const struct snapshot *from)
{
	for (size_t i = 0; i < s->n_predicates; i++) {
		uint64_t n = 0;

		for (size_t g = 0; g < s->n_graphs; g++) {
			struct row key = { { s->graphs[g].graph,
					     s->predicates[i].predicate } };

			n += snapshot_count(from, ORDER_POS, &key, 2);
		}
		s->predicates[i].triples = n;
	}
}

static void add_graphs(struct summary *s, const struct snapshot *from)
{
	uint64_t *graphs = NULL;
	size_t n = snapshot_graphs(from, &graphs);

	s->graphs = xcalloc(n + 1, sizeof(*s->graphs));
	for (size_t i = 0; i <= n; i++) {
		struct graph_size g = { .graph = i ? graphs[i - 1] : ID_NONE };

		g.statements =
			snapshot_count(from, ORDER_SPO, &(struct row){ { g.graph } }, 1);
		if (g.statements)
			s->graphs[s->n_graphs++] = g;
	}
	free(graphs);
}

void summary_make(struct summary *ret, const struct snapshot *from)
{
	struct map at = { 0 };

	*ret = (struct summary){ .statements = snapshot_size(from) };
	for (size_t i = 0; i < from->n_parts; i++)
		ret->terms += dict_part_count(from->parts[i]);
	for (size_t i = 0; i < from->n_runs; i++) {
		if (from->runs[i]->on_disk)
			add_stats(ret, &at, &from->runs[i]->stats);
		else
			add_memory(ret, &at, from->runs[i]);
	}
	map_release(&at);
	add_graphs(ret, from);
	count_statements(ret, from);
	if (ret->n_predicates)
		qsort(ret->predicates, ret->n_predicates, sizeof(*ret->predicates),
		      by_triples);
	if (ret->n_graphs)
		qsort(ret->graphs, ret->n_graphs, sizeof(*ret->graphs), by_statements);
	while (ret->n_predicates && ret->predicates[ret->n_predicates - 1].triples == 0)
		ret->n_predicates--;
}

void summary_release(struct summary *s)
{
	free(s->predicates);
	free(s->graphs);
	*s = (struct summary){ 0 };
}
