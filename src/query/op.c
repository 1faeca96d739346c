#include "query/op.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* --- compiling --- */

static struct op *op_new(struct exec *x, const struct pattern *p)
{
	struct op *o = exec_tree(x, sizeof(*o));

	o->kind = p->kind;
	o->pattern = p;
	o->expr = p->expr;
	o->possible = vars_possible(x, p);
	o->certain = vars_certain(x, p);
	return o;
}

static bool *with(struct exec *x, const bool *a, const bool *b)
{
	bool *both = vars_new(x);

	for (size_t i = 0; i < x->n_vars; i++)
		both[i] = (a && a[i]) || (b && b[i]);
	return both;
}

/* The right side of a join: seeded where that is the same, else a table. */
static void compile_right(struct exec *x, struct op *o, const struct pattern *right,
			  const bool *seeds)
{
	bool *all = with(x, seeds, o->left->possible), *keys = vars_new(x);

	if (seeds_are_safe(x, right, all)) {
		o->right = op_compile(x, right, all);
		return;
	}
	o->right_alone = true;
	o->right = op_compile(x, right, NULL);
	for (size_t i = 0; i < x->n_vars; i++)
		keys[i] = o->left->certain[i] && o->right->certain[i];
	table_init(x, &o->table, o->right->possible, keys);
}

static double rough_rows(struct exec *x, const struct pattern *p);

static double count_rough_rows(struct exec *x, const struct pattern *p)
{
	switch (p->kind) {
	case PATTERN_BGP:
		return bgp_rough_rows(x, &p->triples);
	case PATTERN_UNION:
		return rough_rows(x, p->left) + rough_rows(x, p->right);
	case PATTERN_JOIN:
		return MIN(rough_rows(x, p->left), rough_rows(x, p->right));
	case PATTERN_VALUES:
		return (double)p->values.n_rows;
	case PATTERN_FILTER:
	case PATTERN_EXTEND:
	case PATTERN_LEFT_JOIN:
	case PATTERN_MINUS:
		return rough_rows(x, p->left);
	default:
		return 1e6;
	}
}

/* Rows of a pattern at most, roughly: the rarest triple of it. */
static double rough_rows(struct exec *x, const struct pattern *p)
{
	struct pattern_facts *facts = &x->facts[p->number];

	if (!facts->rows_known) {
		facts->rows = exec_tick(x) ? count_rough_rows(x, p) : 0;
		facts->rows_known = true;
	}
	return facts->rows;
}

/* A join may begin with either side: the rarer one, when the other can be seeded. */
static void compile_join(struct exec *x, struct op *o, const bool *seeds)
{
	const struct pattern *left = o->pattern->left, *right = o->pattern->right;

	if (2 * rough_rows(x, right) < rough_rows(x, left) &&
	    seeds_are_safe(x, left, with(x, seeds, vars_possible(x, right))))
		SWAP(left, right);
	o->left = op_compile(x, left, seeds);
	compile_right(x, o, right, seeds);
}

static void compile_minus(struct exec *x, struct op *o, const struct pattern *right)
{
	bool *keys = vars_new(x);

	o->right = op_compile(x, right, NULL);
	o->shared = vars_new(x);
	for (size_t i = 0; i < x->n_vars; i++) {
		keys[i] = o->left->certain[i] && o->right->certain[i];
		o->shared[i] = o->left->possible[i] && o->right->possible[i];
	}
	table_init(x, &o->table, o->right->possible, keys);
}

/* The name is joined to what the inside finds; bound before only where that is the same.
 */
static void compile_graph(struct exec *x, struct op *o, const bool *seeds)
{
	const struct node *name = &o->pattern->name;
	bool *own = vars_new(x);

	if (name->is_var) {
		own[name->var] = true;
		o->name_after = !seeds_are_safe(x, o->pattern->left, own);
	}
	o->left = op_compile(x, o->pattern->left,
			     o->name_after ? seeds : with(x, seeds, own));
}

static void compile_service(struct exec *x, struct op *o)
{
	table_init(x, &o->table, vars_possible(x, o->pattern->left), NULL);
}

static void compile_select(struct exec *x, struct op *o)
{
	const struct pattern *p = o->pattern;

	o->select = select_compile(x, p->select);
	table_init(x, &o->table, o->possible, NULL);
}

static bool subset(const struct exec *x, const bool *a, const bool *of)
{
	for (size_t i = 0; i < x->n_vars; i++)
		if (a[i] && !of[i])
			return false;
	return true;
}

/*
 * A condition whose variables a pattern surely binds holds there as well as
 * outside; the sooner it is asked, the fewer rows go on.
 */
static bool push_down(struct exec *x, struct op *o, const struct expr *e,
		      const bool *vars)
{
	if (!exec_work(x, 1 + x->n_vars / 16) || !subset(x, vars, o->certain))
		return false;
	switch (o->kind) {
	case PATTERN_BGP:
		bgp_add_filter(x, o->bgp, e);
		return true;
	case PATTERN_JOIN:
		if (push_down(x, o->left, e, vars))
			return true;
		return !o->right_alone && push_down(x, o->right, e, vars);
	case PATTERN_LEFT_JOIN:
	case PATTERN_MINUS:
	case PATTERN_FILTER:
	case PATTERN_EXTEND:
		return push_down(x, o->left, e, vars);
	default:
		return false;
	}
}

/* Move each conjunct as deep as it goes; true when nothing is left. */
static bool push_conjuncts(struct exec *x, struct op *o, const struct expr *e)
{
	bool *vars, any = false;

	if (e->op == EXPR_AND) {
		bool a = push_conjuncts(x, o, e->args[0]),
		     b = push_conjuncts(x, o, e->args[1]);

		return a && b;
	}
	vars = vars_new(x);
	vars_of_expr(x, e, vars);
	for (size_t i = 0; i < x->n_vars; i++)
		any |= vars[i];
	return any && expr_is_deterministic(e) && push_down(x, o, e, vars);
}

struct op *op_compile(struct exec *x, const struct pattern *p, const bool *seeds)
{
	struct op *o = op_new(x, p);

	if (x->st != ST_OK) {
		/* A limit was hit while planning: nothing of this will be run. */
		o->kind = PATTERN_UNIT;
		return o;
	}
	switch (p->kind) {
	case PATTERN_UNIT:
	case PATTERN_VALUES:
		break;
	case PATTERN_BGP:
		o->bgp = bgp_new(x, &p->triples, seeds);
		break;
	case PATTERN_JOIN:
		compile_join(x, o, seeds);
		break;
	case PATTERN_LEFT_JOIN:
		o->left = op_compile(x, p->left, seeds);
		compile_right(x, o, p->right, seeds);
		break;
	case PATTERN_UNION:
		o->left = op_compile(x, p->left, seeds);
		o->right = op_compile(x, p->right, seeds);
		break;
	case PATTERN_MINUS:
		o->left = op_compile(x, p->left, seeds);
		compile_minus(x, o, p->right);
		break;
	case PATTERN_FILTER:
		o->left = op_compile(x, p->left, seeds);
		if (push_conjuncts(x, o->left, p->expr))
			o->expr = NULL;
		break;
	case PATTERN_EXTEND:
		o->left = op_compile(x, p->left, seeds);
		break;
	case PATTERN_GRAPH:
		compile_graph(x, o, seeds);
		break;
	case PATTERN_SERVICE:
		compile_service(x, o);
		break;
	case PATTERN_SELECT:
		compile_select(x, o);
		break;
	}
	return o;
}

void op_release(struct op *o)
{
	if (!o)
		return;
	op_release(o->left);
	op_release(o->right);
	table_release(&o->table);
	if (o->expr)
		expr_release_prepared(o->expr);
	if (o->kind == PATTERN_FILTER && o->pattern->expr)
		expr_release_prepared(o->pattern->expr);
	if (o->bgp)
		bgp_release(o->bgp);
	if (o->select)
		select_release(o->select);
}

/* --- running --- */

struct op_sink {
	struct sink base;
	struct exec *x;
	struct op *o;
	struct sink *next;
	bool any; /* of LEFT_JOIN: the left row found a partner */
	uint64_t graph;
	bool in_graph;
};

static bool pass_on(struct op *o, struct sink *next, uint64_t *row)
{
	o->rows++;
	return next->push(next, row);
}

/* Bind the cells of a table row; false, nothing bound, when they disagree. */
static bool merge(const struct table *t, const uint64_t *cells, uint64_t *row,
		  bool *bound)
{
	for (size_t i = 0; i < t->n_vars; i++) {
		uint64_t had = row[t->vars[i]];

		if (cells[i] && had && had != cells[i])
			return false;
	}
	for (size_t i = 0; i < t->n_vars; i++) {
		bound[i] = cells[i] && !row[t->vars[i]];
		if (bound[i])
			row[t->vars[i]] = cells[i];
	}
	return true;
}

static void unmerge(const struct table *t, uint64_t *row, const bool *bound)
{
	for (size_t i = 0; i < t->n_vars; i++)
		if (bound[i])
			row[t->vars[i]] = ID_NONE;
}

/* All rows of the table that agree with `row`, given to `next`. */
static bool join_table(struct exec *x, const struct table *t, uint64_t *row,
		       struct sink *next)
{
	bool *bound = xcalloc(t->n_vars + 1, 1), go_on = true;
	const uint64_t *cells;
	size_t at = 0;

	while (go_on && table_next(t, row, &at, &cells)) {
		if (!exec_tick(x)) {
			go_on = false;
		} else if (merge(t, cells, row, bound)) {
			go_on = next->push(next, row);
			unmerge(t, row, bound);
		}
	}
	free(bound);
	return go_on;
}

static const uint64_t *base_row(const struct exec *x)
{
	return x->substituted;
}

static bool push_join_left(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;

	if (!s->o->right_alone)
		return op_run(s->x, s->o->right, row, s->next);
	return join_table(s->x, &s->o->table, row, s->next);
}

struct counting_sink {
	struct sink base;
	struct op *o;
	struct sink *next;
};

static bool push_counted(struct sink *self, uint64_t *row)
{
	struct counting_sink *c = (struct counting_sink *)self;

	return pass_on(c->o, c->next, row);
}

static bool run_join(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct counting_sink counted = { { push_counted }, o, next };
	struct op_sink s = { { push_join_left }, x, o, &counted.base, false, 0, false };

	if (o->right_alone && !table_fill(x, o->right, &o->table, base_row(x)))
		return false;
	return op_run(x, o->left, row, &s.base);
}

static bool push_left_join_right(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;

	if (s->o->expr && !expr_holds(s->x, s->o->expr, row))
		return s->x->st == ST_OK;
	s->any = true;
	return pass_on(s->o, s->next, row);
}

static bool push_left_join_left(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;
	struct op_sink right = {
		{ push_left_join_right }, s->x, s->o, s->next, false, 0, false
	};
	bool go_on = s->o->right_alone ? join_table(s->x, &s->o->table, row, &right.base)
				       : op_run(s->x, s->o->right, row, &right.base);

	if (go_on && !right.any && s->x->st == ST_OK)
		return pass_on(s->o, s->next, row);
	return go_on;
}

static bool run_left_join(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct op_sink s = { { push_left_join_left }, x, o, next, false, 0, false };

	if (o->right_alone && !table_fill(x, o->right, &o->table, base_row(x)))
		return false;
	return op_run(x, o->left, row, &s.base);
}

/* Compatible, and at least one variable bound on both sides (8.3). */
static bool is_removed(struct exec *x, const struct op *o, const uint64_t *row)
{
	const struct table *t = &o->table;
	const uint64_t *cells;
	size_t at = 0;

	while (exec_tick(x) && table_next(t, row, &at, &cells)) {
		bool overlap = false, agree = true;

		for (size_t i = 0; agree && i < t->n_vars; i++) {
			uint64_t had = o->shared[t->vars[i]] ? row[t->vars[i]] : ID_NONE;

			if (!had || !cells[i])
				continue;
			overlap = true;
			agree = had == cells[i];
		}
		if (agree && overlap)
			return true;
	}
	return false;
}

static bool push_minus(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;

	bool removed = is_removed(s->x, s->o, row);

	if (s->x->st != ST_OK)
		return false;
	return removed || pass_on(s->o, s->next, row);
}

static bool run_minus(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct op_sink s = { { push_minus }, x, o, next, false, 0, false };

	if (!table_fill(x, o->right, &o->table, base_row(x)))
		return false;
	return op_run(x, o->left, row, &s.base);
}

static bool push_filter(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;

	if (s->o->expr && !expr_holds(s->x, s->o->expr, row))
		return exec_tick(s->x);
	return pass_on(s->o, s->next, row);
}

static bool push_extend(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;
	uint32_t var = s->o->pattern->var;
	struct value v = expr_eval(s->x, s->o->expr, row);
	uint64_t id = value_id(s->x, &v), had = row[var];
	bool go_on;

	exec_reset_scratch(s->x);
	if (s->x->st != ST_OK)
		return false;
	if (had && id && had != id)
		return exec_tick(s->x);
	row[var] = id ? id : had;
	go_on = pass_on(s->o, s->next, row);
	row[var] = had;
	return go_on;
}

static bool run_values(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	const struct values *v = &o->pattern->values;
	bool go_on = true, *bound = xcalloc(v->n_vars + 1, sizeof(*bound));

	for (size_t r = 0; go_on && r < v->n_rows; r++) {
		bool agree = true;
		size_t c = 0;

		x->row_number++;
		for (; agree && c < v->n_vars; c++) {
			uint64_t id = exec_intern(x, v->cells[r * v->n_vars + c]);
			uint64_t *cell = &row[v->vars[c]];

			agree = !id || !*cell || *cell == id;
			bound[c] = agree && id && !*cell;
			if (bound[c])
				*cell = id;
		}
		go_on = exec_work(x, c + 1) && (!agree || pass_on(o, next, row));
		while (c-- > 0)
			if (bound[c])
				row[v->vars[c]] = ID_NONE;
	}
	free(bound);
	return go_on;
}

static bool pass_on_named(struct op_sink *s, uint64_t *row, uint64_t graph)
{
	uint64_t *cell = &row[s->o->pattern->name.var], had = *cell;
	bool go_on;

	if (had && had != graph)
		return true;
	*cell = graph;
	go_on = pass_on(s->o, s->next, row);
	*cell = had;
	return go_on;
}

/* What comes after GRAPH is matched in the graph around it. */
static bool push_graph(struct sink *self, uint64_t *row)
{
	struct op_sink *s = (struct op_sink *)self;
	struct exec *x = s->x;
	uint64_t graph = x->graph;
	bool in_graph = x->in_graph, go_on;

	x->graph = s->graph;
	x->in_graph = s->in_graph;
	go_on = s->o->name_after ? pass_on_named(s, row, graph)
				 : pass_on(s->o, s->next, row);
	x->graph = graph;
	x->in_graph = in_graph;
	return go_on;
}

static bool may_name(const struct exec *x, uint64_t graph)
{
	if (x->all_named)
		return graph != ID_NONE && snapshot_has_graph(x->snapshot, graph);
	for (size_t i = 0; i < x->n_named; i++)
		if (x->named[i] == graph)
			return true;
	return false;
}

static bool run_in_graph(struct exec *x, struct op *o, uint64_t graph, uint64_t *row,
			 struct sink *next)
{
	struct op_sink s = { { push_graph }, x, o, next, false, x->graph, x->in_graph };
	bool go_on;

	x->graph = graph;
	x->in_graph = true;
	go_on = op_run(x, o->left, row, &s.base);
	x->graph = s.graph;
	x->in_graph = s.in_graph;
	return go_on;
}

static bool run_graph(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	const struct node *name = &o->pattern->name;
	uint64_t *graphs = NULL,
		 fixed = name->is_var ? row[name->var] : exec_intern(x, name->term);
	bool go_on = true;
	size_t n;

	if (fixed)
		return may_name(x, fixed) ? run_in_graph(x, o, fixed, row, next) : true;
	n = x->all_named ? snapshot_graphs(x->snapshot, &graphs) : x->n_named;
	for (size_t i = 0; go_on && i < n; i++) {
		uint64_t graph = x->all_named ? graphs[i] : x->named[i];

		if (!o->name_after)
			row[name->var] = graph;
		go_on = run_in_graph(x, o, graph, row, next);
		row[name->var] = ID_NONE;
	}
	free(graphs);
	return go_on;
}

/* --- sub-selects and services: tables, joined --- */

struct select_sink {
	struct sink base;
	struct exec *x;
	struct op *o;
	uint64_t *outer;
};

static bool push_select(struct sink *self, uint64_t *row)
{
	struct select_sink *s = (struct select_sink *)self;
	const struct pattern *p = s->o->pattern;

	for (size_t i = 0; i < p->select->n_items; i++)
		s->outer[p->outer[i]] = row[p->select->items[i].var];
	return exec_tick(s->x) && table_add(s->x, &s->o->table, s->outer);
}

/* The inside knows nothing of the bindings outside: evaluated once. */
static bool fill_select(struct exec *x, struct op *o)
{
	struct table *t = &o->table;
	struct select_sink s = { { push_select }, x, o, NULL };
	uint64_t *row;

	if (t->made && t->epoch == x->epoch && t->graph == x->graph &&
	    t->in_graph == x->in_graph)
		return true;
	table_clear(t);
	row = xcalloc(x->n_vars + 1, sizeof(*row));
	s.outer = xcalloc(x->n_vars + 1, sizeof(*s.outer));
	select_run(x, o->select, row, &s.base);
	free(row);
	free(s.outer);
	table_index(t);
	t->made = true;
	t->epoch = x->epoch;
	t->graph = x->graph;
	t->in_graph = x->in_graph;
	return x->st == ST_OK;
}

static bool run_select(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct counting_sink counted = { { push_counted }, o, next };

	return fill_select(x, o) && join_table(x, &o->table, row, &counted.base);
}

struct service_context {
	struct exec *x;
	struct op *o;
	uint64_t *row;
};

static uint32_t find_var(const struct op *o, const struct exec *x, struct str name)
{
	for (size_t i = 0; i < o->table.n_vars; i++)
		if (str_eq(x->request->vars[o->table.vars[i]], name))
			return o->table.vars[i];
	return VAR_NONE;
}

static enum status add_service_row(void *context, const struct str *vars,
				   const struct term *terms, size_t n)
{
	struct service_context *c = context;

	memset(c->row, 0, c->x->n_vars * sizeof(*c->row));
	for (size_t i = 0; i < n; i++) {
		uint32_t var = find_var(c->o, c->x, vars[i]);

		if (var != VAR_NONE)
			c->row[var] = exec_intern(c->x, terms[i]);
	}
	return table_add(c->x, &c->o->table, c->row) ? ST_OK : c->x->st;
}

static bool ask_service(struct exec *x, struct op *o, struct str endpoint)
{
	const struct service *service = &x->options->service;
	struct service_context c = { x, o, xcalloc(x->n_vars + 1, sizeof(uint64_t)) };
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why = { "SERVICE is off: allow the host first" };
	enum status st = ST_DENIED;

	buf_add(&text, o->pattern->prologue);
	buf_add(&text, o->pattern->text);
	if (service->ask)
		st = service->ask(service->context, endpoint, buf_str(&text),
				  (struct service_sink){ add_service_row, &c }, &why);
	if (st != ST_OK && o->pattern->silent) {
		/* One solution that binds nothing. */
		table_clear(&o->table);
		memset(c.row, 0, x->n_vars * sizeof(*c.row));
		st = table_add(x, &o->table, c.row) ? ST_OK : x->st;
	}
	free(c.row);
	table_index(&o->table);
	return st == ST_OK ||
	       exec_fail(x, st, "SERVICE <" STR_FMT ">: %s", STR_ARG(endpoint), why.text);
}

static bool run_service(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct counting_sink counted = { { push_counted }, o, next };
	const struct node *name = &o->pattern->name;
	struct term endpoint = name->is_var ? exec_term(x, row[name->var]) : name->term;

	if (endpoint.kind != TERM_IRI && !o->pattern->silent)
		return exec_fail(x, ST_UNSUPPORTED,
				 "SERVICE needs an endpoint that is bound");
	if (!o->table.made || name->is_var || o->table.epoch != x->epoch) {
		table_clear(&o->table);
		if (!ask_service(x, o, endpoint.text))
			return false;
		o->table.made = true;
		o->table.epoch = x->epoch;
	}
	return join_table(x, &o->table, row, &counted.base);
}

bool op_run(struct exec *x, struct op *o, uint64_t *row, struct sink *next)
{
	struct op_sink s = { { push_filter }, x, o, next, false, 0, false };

	if (x->st != ST_OK)
		return false;
	switch (o->kind) {
	case PATTERN_UNIT:
		return pass_on(o, next, row);
	case PATTERN_BGP:
		return bgp_run(x, o, row, next);
	case PATTERN_JOIN:
		return run_join(x, o, row, next);
	case PATTERN_LEFT_JOIN:
		return run_left_join(x, o, row, next);
	case PATTERN_UNION:
		return op_run(x, o->left, row, next) && op_run(x, o->right, row, next);
	case PATTERN_MINUS:
		return run_minus(x, o, row, next);
	case PATTERN_FILTER:
		return op_run(x, o->left, row, &s.base);
	case PATTERN_EXTEND:
		s.base.push = push_extend;
		return op_run(x, o->left, row, &s.base);
	case PATTERN_VALUES:
		return run_values(x, o, row, next);
	case PATTERN_GRAPH:
		return run_graph(x, o, row, next);
	case PATTERN_SERVICE:
		return run_service(x, o, row, next);
	case PATTERN_SELECT:
		return run_select(x, o, row, next);
	}
	return true;
}

/* --- EXISTS --- */

struct found_sink {
	struct sink base;
	bool found;
};

static bool push_found(struct sink *self, uint64_t *row)
{
	(void)row;
	((struct found_sink *)self)->found = true;
	return false;
}

/* Room for a row, one for each level; those of the levels above stay in place. */
static uint64_t *exists_row(struct exec *x)
{
	if (x->exists_depth == EXISTS_DEPTH)
		return NULL;
	if (!x->exists_rows) {
		x->exists_rows =
			xcalloc(EXISTS_DEPTH * (x->n_vars + 1), sizeof(*x->exists_rows));
		x->exists_scratch = xcalloc(EXISTS_DEPTH, sizeof(*x->exists_scratch));
	}
	return x->exists_rows + x->exists_depth++ * (x->n_vars + 1);
}

/* 18.6: the pattern with the variables of the row replaced by their values. */
bool exec_exists(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct found_sink f = { { push_found }, false };
	struct expr *cache = (struct expr *)(uintptr_t)e;
	uint64_t *copy = exists_row(x), epoch = x->epoch, uses = x->scratch_uses;
	const uint64_t *outer = x->substituted;
	size_t depth = x->exists_depth - 1, bytes = x->scratch_bytes;

	if (!copy)
		return exec_fail(x, ST_TOO_LARGE, "more than %d EXISTS in each other",
				 EXISTS_DEPTH);
	if (!e->prepared) {
		cache->prepared = op_compile(x, e->pattern, NULL);
		if (x->st == ST_OK)
			assert_op(x, cache->prepared);
	}
	memcpy(copy, row, x->n_vars * sizeof(*copy));
	x->epoch = ++x->n_epochs;
	x->substituted = row;
	/* Values of the row around stay where they are; those inside come and go. */
	SWAP(x->scratch, x->exists_scratch[depth]);
	x->scratch_uses = 0;
	op_run(x, e->prepared, copy, &f.base);
	arena_reset(&x->scratch);
	SWAP(x->scratch, x->exists_scratch[depth]);
	x->scratch_uses = uses;
	x->scratch_bytes = bytes;
	x->substituted = outer;
	x->epoch = epoch;
	x->exists_depth--;
	return f.found;
}

void expr_release_prepared(const struct expr *e)
{
	struct expr *cache = (struct expr *)(uintptr_t)e;

	if (e->prepared)
		op_release(e->prepared);
	cache->prepared = NULL;
	for (size_t i = 0; i < e->n; i++)
		expr_release_prepared(e->args[i]);
}
