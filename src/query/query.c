#include "query/query.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/row_set.h"
#include "query/op.h"

/* A query on its way to the caller's sink. */
struct answer {
	struct sink base;
	struct exec *x;
	const struct query *query;
	struct result_sink to;
	uint64_t rows;
	struct term *terms, *before; /* of SELECT: this row, and the last one */
	uint64_t *ids;               /* of the last one */
	struct arena bytes[2];       /* of the two, by turns */
	struct row_set seen;         /* statements given out, or nodes described */
	struct map labels; /* of CONSTRUCT: variable of a blank node -> its node now */
	bool yes;
};

static bool give(struct answer *a, enum status st)
{
	if (st != ST_OK && a->x->st == ST_OK)
		a->x->st = st;
	return a->x->st == ST_OK;
}

static bool count_row(struct answer *a)
{
	uint64_t limit = a->x->options->limits.rows;

	if (limit && ++a->rows > limit)
		return exec_fail(a->x, ST_TOO_LARGE,
				 "the query hit its limit of %llu rows",
				 (unsigned long long)limit);
	return true;
}

/* A term is read anew only where it changed: rows of a join repeat most of theirs. */
static bool push_row(struct sink *self, uint64_t *row)
{
	struct answer *a = (struct answer *)self;
	size_t n = a->query->n_items;
	bool ok;

	if (!count_row(a))
		return false;
	SWAP(a->terms, a->before);
	SWAP(a->bytes[0], a->bytes[1]);
	arena_reset(&a->bytes[0]);
	SWAP(a->x->scratch, a->bytes[0]);
	for (size_t i = 0; i < n; i++) {
		uint64_t id = row[a->query->items[i].var];

		a->terms[i] = id == a->ids[i] ? term_copy(&a->x->scratch, a->before[i])
					      : exec_term(a->x, id);
		a->ids[i] = id;
	}
	SWAP(a->x->scratch, a->bytes[0]);
	ok = give(a, a->to.row(a->to.context, a->terms, n));
	exec_reset_scratch(a->x);
	return ok;
}

static bool push_yes(struct sink *self, uint64_t *row)
{
	(void)row;
	((struct answer *)self)->yes = true;
	return false;
}

/* --- CONSTRUCT --- */

static bool give_statement(struct answer *a, const uint64_t ids[3])
{
	struct statement s = { 0 };
	bool is_new, ok;

	if (row_set_add(a->x, &a->seen, ids, &is_new) == SIZE_MAX)
		return false;
	if (!is_new)
		return true;
	if (!count_row(a))
		return false;
	a->x->scratch_uses++;
	s.subject = exec_term(a->x, ids[0]);
	s.predicate = exec_term(a->x, ids[1]);
	s.object = exec_term(a->x, ids[2]);
	/* What is no RDF is left out (16.2). */
	ok = s.subject.kind == TERM_LITERAL || s.predicate.kind != TERM_IRI ||
	     give(a, a->to.statement(a->to.context, &s));
	a->x->scratch_uses--;
	exec_reset_scratch(a->x);
	return ok;
}

/* The value of a template position; blank nodes are new for every solution. */
static uint64_t template_id(struct answer *a, const struct node *n, const uint64_t *row)
{
	if (!n->is_var)
		return exec_intern(a->x, n->term);
	if (row[n->var] || a->x->request->vars[n->var].p[0] != '_' ||
	    !str_starts(a->x->request->vars[n->var], STR("_blank")))
		return row[n->var];
	uint64_t *id = map_add(&a->labels, n->var, NULL);
	if (*id == 0)
		*id = exec_new_blank(a->x);
	return *id;
}

static bool push_template(struct sink *self, uint64_t *row)
{
	struct answer *a = (struct answer *)self;
	const struct triples *t = &a->query->template;

	map_reset(&a->labels);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t ids[3] = { template_id(a, &t->v[i].subject, row),
				    template_id(a, &t->v[i].predicate, row),
				    template_id(a, &t->v[i].object, row) };

		if (ids[0] && ids[1] && ids[2] && !give_statement(a, ids))
			return false;
	}
	return exec_tick(a->x);
}

/* --- DESCRIBE: the statements of a node, and on through its blank nodes --- */

/* Nodes whose turn comes: blank nodes may be chained as long as the data likes. */
struct waiting_nodes {
	uint64_t *v;
	size_t n, cap;
};

static bool wait_once(struct answer *a, struct waiting_nodes *w, uint64_t node)
{
	uint64_t mark[3] = { node, 0, 0 };
	bool is_new;

	if (id_tag(node) != TAG_IRI && id_tag(node) != TAG_BLANK)
		return true;
	if (row_set_add(a->x, &a->seen, mark, &is_new) == SIZE_MAX)
		return false;
	if (is_new)
		VEC_ADD(w->v, w->n, w->cap, node);
	return true;
}

static bool describe_one(struct answer *a, struct scan *scan, uint64_t node,
			 struct waiting_nodes *more)
{
	const uint64_t *graphs;
	size_t n_graphs = exec_graphs(a->x, &graphs), n;
	const struct row *rows;
	bool ok = true;

	for (size_t g = 0; ok && g < n_graphs; g++) {
		scan_start(scan, &(struct row){ { graphs[g], node } }, 2);
		while (ok && scan_next(scan, &rows, &n))
			for (size_t i = 0; ok && i < n; i++) {
				ok = exec_tick(a->x) && give_statement(a, &rows[i].v[1]);
				if (ok && id_tag(rows[i].v[3]) == TAG_BLANK)
					ok = wait_once(a, more, rows[i].v[3]);
			}
	}
	return ok;
}

static bool describe(struct answer *a, uint64_t node)
{
	struct waiting_nodes waiting = { 0 };
	struct scan scan;
	bool ok = wait_once(a, &waiting, node);

	scan_open(&scan, a->x->snapshot, ORDER_SPO);
	for (size_t i = 0; ok && i < waiting.n; i++)
		ok = describe_one(a, &scan, waiting.v[i], &waiting);
	if (ok && scan_is_damaged(&scan))
		ok = exec_fail(a->x, ST_CORRUPT,
			       "a block of the index fails its checksum");
	scan_close(&scan);
	free(waiting.v);
	return ok;
}

static bool push_described(struct sink *self, uint64_t *row)
{
	struct answer *a = (struct answer *)self;

	for (size_t i = 0; i < a->query->n_described; i++) {
		const struct node *n = &a->query->described[i];

		if (n->is_var && row[n->var] && !describe(a, row[n->var]))
			return false;
	}
	return exec_tick(a->x);
}

static bool describe_constants(struct answer *a)
{
	for (size_t i = 0; i < a->query->n_described; i++)
		if (!a->query->described[i].is_var &&
		    !describe(a, exec_intern(a->x, a->query->described[i].term)))
			return false;
	return true;
}

/* --- all forms --- */

static enum status start(struct answer *a)
{
	const struct query *q = a->query;
	struct str *names = xcalloc(q->n_items + 1, sizeof(*names));
	enum status st;

	for (size_t i = 0; i < q->n_items; i++)
		names[i] = a->x->request->vars[q->items[i].var];
	a->terms = xcalloc(q->n_items + 1, sizeof(*a->terms));
	a->before = xcalloc(q->n_items + 1, sizeof(*a->before));
	a->ids = xcalloc(q->n_items + 1, sizeof(*a->ids));
	st = a->to.start(a->to.context, names, q->n_items);
	free(names);
	return st;
}

static enum status run_form(struct answer *a, struct select_plan *plan)
{
	struct exec *x = a->x;
	uint64_t *row = xcalloc(x->n_vars + 1, sizeof(*row));

	a->seen.width = 3;
	switch (a->query->form) {
	case QUERY_SELECT:
		a->base.push = push_row;
		give(a, start(a));
		break;
	case QUERY_ASK:
		a->base.push = push_yes;
		break;
	case QUERY_CONSTRUCT:
		a->base.push = push_template;
		break;
	case QUERY_DESCRIBE:
		a->base.push = push_described;
		describe_constants(a);
		break;
	}
	if (x->st == ST_OK)
		select_run(x, plan, row, &a->base);
	/* Whoever binds takes back, also when somebody had enough. */
	for (size_t i = 0; i < x->n_vars; i++)
		assert(row[i] == ID_NONE);
	free(row);
	if (x->st == ST_OK && a->query->form == QUERY_ASK)
		give(a, a->to.answer(a->to.context, a->yes));
	return x->st;
}

enum status query_run(struct snapshot *from, const struct request *r,
		      const struct query_options *options, struct result_sink sink,
		      struct diag *why)
{
	struct exec x;
	struct answer a = { .x = &x, .query = r->query, .to = sink };
	enum status st;

	exec_init(&x, from, r, options, exec_exists, why);
	if (x.options->default_graph == DEFAULT_GRAPH_UNION)
		exec_set_union(&x);
	exec_set_dataset(&x, &r->query->dataset);
	if (x.options->dataset)
		exec_set_dataset(&x, x.options->dataset);
	struct select_plan *plan = select_compile(&x, r->query);
	st = run_form(&a, plan);
	if (st == ST_OK && x.options->explain)
		select_explain(&x, plan, 0, x.options->explain);
	select_release(plan);
	row_set_release(&a.seen);
	map_release(&a.labels);
	free(a.terms);
	free(a.before);
	free(a.ids);
	arena_release(&a.bytes[0]);
	arena_release(&a.bytes[1]);
	exec_release(&x);
	return st;
}
