/*
 * Which variables a pattern binds.  Made once for each pattern and kept with the
 * query: a planner that asked anew at every level would take the square of the time.
 */
#include "query/op.h"

bool *vars_new(struct exec *x)
{
	/* Past a limit nothing is read any more: one set of marks does for all. */
	if (x->no_vars)
		return x->no_vars;
	bool *marks = exec_tree(x, x->n_vars + 1);
	if (x->st != ST_OK)
		x->no_vars = marks;
	return marks;
}

static void add(const struct exec *x, const bool *more, bool *to)
{
	for (size_t i = 0; i < x->n_vars; i++)
		to[i] |= more[i];
}

void vars_of_expr(struct exec *x, const struct expr *e, bool *to)
{
	if (!e)
		return;
	if (e->op == EXPR_VAR)
		to[e->var] = true;
	for (size_t i = 0; i < e->n; i++)
		vars_of_expr(x, e->args[i], to);
	if (e->pattern)
		add(x, vars_possible(x, e->pattern), to);
}

static void see(const struct node *n, bool *to)
{
	if (n->is_var)
		to[n->var] = true;
}

static void vars_of_triples(const struct triples *t, bool *to)
{
	for (size_t i = 0; i < t->n; i++) {
		see(&t->v[i].subject, to);
		see(&t->v[i].object, to);
		if (!t->v[i].path)
			see(&t->v[i].predicate, to);
	}
}

const bool *vars_possible(struct exec *x, const struct pattern *p)
{
	struct pattern_facts *facts = &x->facts[p->number];
	bool *to;

	if (facts->possible)
		return facts->possible;
	if (x->no_vars)
		return x->no_vars;
	to = facts->possible = vars_new(x);
	vars_of_triples(&p->triples, to);
	if (p->left)
		add(x, vars_possible(x, p->left), to);
	if (p->right && p->kind != PATTERN_MINUS)
		add(x, vars_possible(x, p->right), to);
	if (p->kind == PATTERN_EXTEND)
		to[p->var] = true;
	if (p->kind == PATTERN_GRAPH || p->kind == PATTERN_SERVICE)
		see(&p->name, to);
	for (size_t i = 0; i < p->values.n_vars; i++)
		to[p->values.vars[i]] = true;
	for (size_t i = 0; p->select && i < p->select->n_items; i++)
		to[p->outer[i]] = true;
	return to;
}

static void certain_values(const struct values *v, bool *to)
{
	for (size_t c = 0; c < v->n_vars; c++) {
		bool all = true;

		for (size_t r = 0; r < v->n_rows; r++)
			all &= v->cells[r * v->n_vars + c].kind != TERM_NONE;
		to[v->vars[c]] |= all;
	}
}

static void certain_union(struct exec *x, const struct pattern *p, bool *to)
{
	const bool *a = vars_certain(x, p->left), *b = vars_certain(x, p->right);

	for (size_t i = 0; i < x->n_vars; i++)
		to[i] = a[i] && b[i];
}

static void certain_select(struct exec *x, const struct pattern *p, bool *to)
{
	const bool *inner;

	if (p->select->grouped)
		return;
	inner = vars_certain(x, p->select->where);
	for (size_t i = 0; i < p->select->n_items; i++)
		if (!p->select->items[i].expr && inner[p->select->items[i].var])
			to[p->outer[i]] = true;
}

const bool *vars_certain(struct exec *x, const struct pattern *p)
{
	struct pattern_facts *facts = &x->facts[p->number];
	bool *to;

	if (facts->certain)
		return facts->certain;
	if (x->no_vars)
		return x->no_vars;
	to = facts->certain = vars_new(x);
	switch (p->kind) {
	case PATTERN_UNIT:
	case PATTERN_SERVICE:
		break;
	case PATTERN_BGP:
		vars_of_triples(&p->triples, to);
		break;
	case PATTERN_JOIN:
		add(x, vars_certain(x, p->right), to);
		__attribute__((fallthrough));
	case PATTERN_LEFT_JOIN:
	case PATTERN_MINUS:
	case PATTERN_FILTER:
	case PATTERN_EXTEND:
		add(x, vars_certain(x, p->left), to);
		break;
	case PATTERN_UNION:
		certain_union(x, p, to);
		break;
	case PATTERN_VALUES:
		certain_values(&p->values, to);
		break;
	case PATTERN_GRAPH:
		add(x, vars_certain(x, p->left), to);
		see(&p->name, to);
		break;
	case PATTERN_SELECT:
		certain_select(x, p, to);
		break;
	}
	return to;
}

static void vars_used_by(struct exec *x, const struct expr *e, bool *to);

/* Everything that is mentioned inside an EXISTS counts, filters included. */
static const bool *vars_mentioned(struct exec *x, const struct pattern *p)
{
	struct pattern_facts *facts = &x->facts[p->number];
	bool *to;

	if (facts->mentioned)
		return facts->mentioned;
	if (x->no_vars)
		return x->no_vars;
	to = facts->mentioned = vars_new(x);
	add(x, vars_possible(x, p), to);
	vars_used_by(x, p->expr, to);
	if (p->left)
		add(x, vars_mentioned(x, p->left), to);
	if (p->right)
		add(x, vars_mentioned(x, p->right), to);
	return to;
}

static void vars_used_by(struct exec *x, const struct expr *e, bool *to)
{
	if (!e)
		return;
	if (e->op == EXPR_VAR)
		to[e->var] = true;
	for (size_t i = 0; i < e->n; i++)
		vars_used_by(x, e->args[i], to);
	if (e->pattern)
		add(x, vars_mentioned(x, e->pattern), to);
}

/* What a pattern looks at beside its left side. */
static const bool *vars_used(struct exec *x, const struct pattern *p)
{
	struct pattern_facts *facts = &x->facts[p->number];
	bool *to;

	if (facts->used)
		return facts->used;
	if (x->no_vars)
		return x->no_vars;
	to = facts->used = vars_new(x);
	vars_used_by(x, p->expr, to);
	if (p->kind == PATTERN_LEFT_JOIN)
		add(x, vars_mentioned(x, p->right), to);
	if (p->kind == PATTERN_MINUS)
		add(x, vars_possible(x, p->right), to);
	return to;
}

/* Every seed that `p` looks at is bound by its left side itself. */
static bool bound_inside(struct exec *x, const struct pattern *p, const bool *seeds)
{
	const bool *used = vars_used(x, p), *certain = vars_certain(x, p->left);

	for (size_t i = 0; i < x->n_vars; i++)
		if (seeds[i] && used[i] && !certain[i])
			return false;
	return true;
}

bool seeds_are_safe(struct exec *x, const struct pattern *p, const bool *seeds)
{
	if (!exec_work(x, 1 + x->n_vars / 16))
		return false;
	switch (p->kind) {
	case PATTERN_JOIN:
	case PATTERN_UNION:
		return seeds_are_safe(x, p->left, seeds) &&
		       seeds_are_safe(x, p->right, seeds);
	case PATTERN_GRAPH:
		return seeds_are_safe(x, p->left, seeds);
	case PATTERN_FILTER:
	case PATTERN_EXTEND:
	case PATTERN_LEFT_JOIN:
	case PATTERN_MINUS:
		return seeds_are_safe(x, p->left, seeds) && bound_inside(x, p, seeds);
	case PATTERN_UNIT:
	case PATTERN_BGP:
	case PATTERN_VALUES:
	case PATTERN_SERVICE:
	case PATTERN_SELECT:
		return true;
	}
	return false;
}

bool expr_is_deterministic(const struct expr *e)
{
	if (e->op == EXPR_EXISTS || e->op == EXPR_NOT_EXISTS)
		return false;
	if (e->op == EXPR_BUILTIN && (e->fn == FN_RAND || e->fn == FN_UUID ||
				      e->fn == FN_STRUUID || e->fn == FN_BNODE))
		return false;
	for (size_t i = 0; i < e->n; i++)
		if (!expr_is_deterministic(e->args[i]))
			return false;
	return true;
}
