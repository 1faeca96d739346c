/* SPARQL 1.1 Update: each operation sees the ones before it; all count, or none. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "query/op.h"
#include "query/query.h"

struct changes {
	struct row *v;
	size_t n, cap;
};

struct updating {
	struct store *store;
	const struct request *request;
	const struct query_options *options;
	struct update_counts *counts;
	struct changes deletions, insertions;
	struct diag *why;
};

static bool is_gone(const struct row *r)
{
	return row_is_gone(r);
}

static void add_change(struct changes *c, struct row r)
{
	VEC_ADD(c->v, c->n, c->cap, r);
}

/* Deletions first, then insertions (3.1.3). */
static void apply(struct updating *u)
{
	struct changes all = { 0 };

	for (size_t i = 0; i < u->deletions.n; i++) {
		u->deletions.v[i].v[0] |= ROW_GONE;
		add_change(&all, u->deletions.v[i]);
	}
	for (size_t i = 0; i < u->insertions.n; i++)
		add_change(&all, u->insertions.v[i]);
	for (size_t i = 0; i < all.n; i++)
		*(is_gone(&all.v[i]) ? &u->counts->deleted : &u->counts->inserted) += 1;
	store_step(u->store, all.v, all.n);
	free(all.v);
	u->deletions.n = u->insertions.n = 0;
}

/* The id of a term in the store, new if need be. */
static uint64_t settled_id(struct updating *u, struct exec *x, uint64_t id)
{
	if (id_tag(id) != TAG_LOCAL)
		return id;
	return store_intern(u->store, exec_term(x, id));
}

/* --- templates --- */

struct template_sink {
	struct sink base;
	struct updating *u;
	struct exec *x;
	const struct update *update;
	uint64_t with;     /* the graph of quads that name none */
	struct map labels; /* variable -> blank node of this solution */
	struct snapshot *now;
};

static uint64_t template_value(struct template_sink *t, const struct node *n,
			       const uint64_t *row)
{
	if (!n->is_var)
		return store_intern(t->u->store, n->term);
	if (row && row[n->var])
		return settled_id(t->u, t->x, row[n->var]);
	if (!str_starts(t->u->request->vars[n->var], STR("_blank")))
		return ID_NONE;
	uint64_t *id = map_add(&t->labels, n->var, NULL);
	if (*id == 0)
		*id = store_new_blank(t->u->store);
	return *id;
}

static bool is_literal(uint64_t id)
{
	return id_tag(id) != TAG_IRI && id_tag(id) != TAG_BLANK;
}

static void add_quads(struct template_sink *t, const struct quads *quads,
		      const uint64_t *row, struct changes *to)
{
	for (size_t i = 0; i < quads->n; i++) {
		const struct quad_template *q = &quads->v[i];
		struct row r = { { q->has_graph ? template_value(t, &q->graph, row)
						: t->with,
				   template_value(t, &q->triple.subject, row),
				   template_value(t, &q->triple.predicate, row),
				   template_value(t, &q->triple.object, row) } };

		if (!r.v[1] || !r.v[2] || !r.v[3] || (q->has_graph && !r.v[0]))
			continue;
		if (is_literal(r.v[1]) || id_tag(r.v[2]) != TAG_IRI ||
		    (q->has_graph && id_tag(r.v[0]) != TAG_IRI))
			continue;
		add_change(to, r);
	}
}

static bool push_modify(struct sink *self, uint64_t *row)
{
	struct template_sink *t = (struct template_sink *)self;

	map_reset(&t->labels);
	add_quads(t, &t->update->deletions, row, &t->u->deletions);
	add_quads(t, &t->update->insertions, row, &t->u->insertions);
	t->x->row_number++;
	size_t quads = t->update->deletions.n + t->update->insertions.n;
	return exec_take_memory(t->x, 64 * quads) && exec_work(t->x, quads + 1);
}

static void run_data(struct updating *u, const struct update *op)
{
	struct template_sink t = { .u = u, .update = op };

	add_quads(&t, &op->deletions, NULL, &u->deletions);
	add_quads(&t, &op->insertions, NULL, &u->insertions);
	map_release(&t.labels);
	apply(u);
}

/* WITH names the default graph of the pattern, unless USING does. */
static void set_dataset(struct exec *x, const struct update *op)
{
	if (op->using.n_from || op->using.n_named)
		exec_set_dataset(x, &op->using);
	else if (op->with.kind == TERM_IRI)
		x->defaults[0] = exec_intern(x, op->with);
	else if (x->options->dataset)
		exec_set_dataset(x, x->options->dataset);
}

static enum status run_modify(struct updating *u, const struct update *op)
{
	struct snapshot *now = store_step_snapshot(u->store);
	struct exec x;
	struct template_sink t = { { push_modify }, u, &x, op, ID_NONE, { 0 }, now };
	uint64_t *row = xcalloc(u->request->n_vars + 1, sizeof(*row));
	enum status st;

	exec_init(&x, now, u->request, u->options, exec_exists, u->why);
	x.store = u->store;
	set_dataset(&x, op);
	if (op->with.kind == TERM_IRI)
		t.with = store_intern(u->store, op->with);
	struct op *where = op_compile(&x, op->where, NULL);
	if (x.st == ST_OK)
		assert_op(&x, where);
	op_run(&x, where, row, &t.base);
	st = x.st;
	op_release(where);
	map_release(&t.labels);
	free(row);
	exec_release(&x);
	snapshot_release(now);
	if (st == ST_OK)
		apply(u);
	return st;
}

/* --- whole graphs --- */

static void add_graph(struct updating *u, uint64_t from, uint64_t to,
		      struct changes *list)
{
	struct snapshot *now = store_step_snapshot(u->store);
	const struct row *rows;
	struct scan scan;
	size_t n;

	scan_open(&scan, now, ORDER_SPO);
	scan_start(&scan, &(struct row){ { from } }, 1);
	while (scan_next(&scan, &rows, &n))
		for (size_t i = 0; i < n; i++) {
			struct row r = rows[i];

			r.v[0] = to;
			add_change(list, r);
		}
	scan_close(&scan);
	snapshot_release(now);
}

static bool graph_exists(struct updating *u, uint64_t graph)
{
	struct snapshot *now = store_step_snapshot(u->store);
	bool yes = snapshot_has_graph(now, graph);

	snapshot_release(now);
	return yes;
}

static uint64_t graph_id(struct updating *u, const struct term *name)
{
	return name->kind == TERM_IRI ? store_intern(u->store, *name) : ID_NONE;
}

static enum status no_graph(struct updating *u, const struct term *name)
{
	return diag_fail(u->why, ST_NOT_FOUND, "there is no graph <" STR_FMT ">",
			 STR_ARG(name->text));
}

static enum status run_clear(struct updating *u, const struct update *op)
{
	struct snapshot *now = store_step_snapshot(u->store);
	uint64_t *graphs = NULL;
	size_t n = snapshot_graphs(now, &graphs);

	snapshot_release(now);
	if (op->target == TARGET_GRAPH) {
		uint64_t graph = graph_id(u, &op->graph);

		if (!graph_exists(u, graph) && !op->silent && op->kind == UPDATE_DROP) {
			free(graphs);
			return no_graph(u, &op->graph);
		}
		add_graph(u, graph, graph, &u->deletions);
	}
	if (op->target == TARGET_DEFAULT || op->target == TARGET_ALL)
		add_graph(u, ID_NONE, ID_NONE, &u->deletions);
	for (size_t i = 0;
	     (op->target == TARGET_NAMED || op->target == TARGET_ALL) && i < n; i++)
		add_graph(u, graphs[i], graphs[i], &u->deletions);
	free(graphs);
	apply(u);
	return ST_OK;
}

static enum status run_transfer(struct updating *u, const struct update *op)
{
	uint64_t from = graph_id(u, &op->source), to = graph_id(u, &op->graph);

	if (op->source.kind == TERM_IRI && !graph_exists(u, from))
		return op->silent ? ST_OK : no_graph(u, &op->source);
	if (from == to)
		return ST_OK;
	if (op->kind != UPDATE_ADD)
		add_graph(u, to, to, &u->deletions);
	add_graph(u, from, to, &u->insertions);
	apply(u);
	if (op->kind == UPDATE_MOVE) {
		add_graph(u, from, from, &u->deletions);
		apply(u);
	}
	return ST_OK;
}

/* --- LOAD --- */

struct load_context {
	struct updating *u;
	uint64_t graph;
	struct map labels; /* hash of a label -> blank node */
};

static uint64_t loaded_id(struct load_context *c, struct term t)
{
	uint64_t *id;

	if (t.kind != TERM_BLANK)
		return store_intern(c->u->store, t);
	id = map_add(&c->labels, hash64(t.text), NULL);
	if (*id == 0)
		*id = store_new_blank(c->u->store);
	return *id;
}

static enum status add_loaded(void *context, const struct statement *s)
{
	struct load_context *c = context;
	uint64_t graph = c->graph;

	if (s->graph.kind != TERM_NONE && !graph)
		graph = loaded_id(c, s->graph);
	add_change(&c->u->insertions, (struct row){ { graph, loaded_id(c, s->subject),
						      loaded_id(c, s->predicate),
						      loaded_id(c, s->object) } });
	return ST_OK;
}

static enum status run_load(struct updating *u, const struct update *op)
{
	struct load_context c = { .u = u, .graph = graph_id(u, &op->graph) };
	const struct document_loader *loader = &u->options->loader;
	enum status st = ST_DENIED;

	if (loader->load)
		st = loader->load(loader->context, op->source.text, add_loaded, &c,
				  u->why);
	else
		st = diag_fail(u->why, ST_DENIED, "LOAD is off here");
	map_release(&c.labels);
	if (st != ST_OK) {
		u->insertions.n = 0;
		return op->silent ? ST_OK : st;
	}
	apply(u);
	return ST_OK;
}

static enum status run_operation(struct updating *u, const struct update *op)
{
	switch (op->kind) {
	case UPDATE_LOAD:
		return run_load(u, op);
	case UPDATE_CLEAR:
	case UPDATE_DROP:
		return run_clear(u, op);
	case UPDATE_CREATE:
		if (graph_exists(u, graph_id(u, &op->graph)) && !op->silent)
			return diag_fail(u->why, ST_EXISTS,
					 "graph <" STR_FMT "> is there already",
					 STR_ARG(op->graph.text));
		return ST_OK; /* a graph is there as soon as something is in it */
	case UPDATE_ADD:
	case UPDATE_MOVE:
	case UPDATE_COPY:
		return run_transfer(u, op);
	case UPDATE_INSERT_DATA:
	case UPDATE_DELETE_DATA:
		run_data(u, op);
		return ST_OK;
	case UPDATE_MODIFY:
		return run_modify(u, op);
	}
	return ST_OK;
}

/* Protocol 2.2.3: the request names the dataset, or its text does, not both. */
static enum status check_datasets(const struct updating *u)
{
	const struct request *r = u->request;

	for (size_t i = 0; u->options->dataset && i < r->n_updates; i++)
		if (r->updates[i].with.kind == TERM_IRI || r->updates[i].using.n_from ||
		    r->updates[i].using.n_named)
			return diag_fail(
				u->why, ST_SYNTAX,
				"using-graph-uri and using-named-graph-uri cannot "
				"be used with WITH or USING");
	return ST_OK;
}

enum status update_run(struct store *s, const struct request *r,
		       const struct query_options *options, struct update_counts *ret,
		       struct diag *why)
{
	static const struct query_options none;
	struct update_counts counts = { 0 };
	struct updating u = { .store = s,
			      .request = r,
			      .options = options ? options : &none,
			      .counts = &counts,
			      .why = why };
	enum status st = ST_OK, end;

	TRY(check_datasets(&u));
	store_begin(s);
	for (size_t i = 0; i < r->n_updates && st == ST_OK; i++)
		st = run_operation(&u, &r->updates[i]);
	end = store_end(s, st == ST_OK, st == ST_OK ? why : NULL);
	free(u.deletions.v);
	free(u.insertions.v);
	if (ret)
		*ret = counts;
	return st != ST_OK ? st : end;
}
