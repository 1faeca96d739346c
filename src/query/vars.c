#include <string.h>

#include "query/op.h"

bool *vars_new(struct exec *x)
{
	bool *v = arena_alloc(&x->tree, x->n_vars + 1);

	memset(v, 0, x->n_vars + 1);
	return v;
}

void vars_of_expr(const struct expr *e, bool *to)
{
	if (!e)
		return;
	if (e->op == EXPR_VAR)
		to[e->var] = true;
	for (size_t i = 0; i < e->n; i++)
		vars_of_expr(e->args[i], to);
	if (e->pattern)
		vars_possible(e->pattern, to);
}

/* Everything that is mentioned inside an EXISTS counts, filters included. */
static void vars_mentioned(const struct pattern *p, bool *to)
{
	if (!p)
		return;
	vars_possible(p, to);
	vars_of_expr(p->expr, to);
	vars_mentioned(p->left, to);
	vars_mentioned(p->right, to);
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

void vars_possible(const struct pattern *p, bool *to)
{
	if (!p)
		return;
	vars_of_triples(&p->triples, to);
	vars_possible(p->left, to);
	if (p->kind != PATTERN_MINUS)
		vars_possible(p->right, to);
	if (p->kind == PATTERN_EXTEND)
		to[p->var] = true;
	if (p->kind == PATTERN_GRAPH || p->kind == PATTERN_SERVICE)
		see(&p->name, to);
	for (size_t i = 0; i < p->values.n_vars; i++)
		to[p->values.vars[i]] = true;
	for (size_t i = 0; p->select && i < p->select->n_items; i++)
		to[p->outer[i]] = true;
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
	bool *a = vars_new(x), *b = vars_new(x);

	vars_certain(x, p->left, a);
	vars_certain(x, p->right, b);
	for (size_t i = 0; i < x->n_vars; i++)
		to[i] |= a[i] && b[i];
}

static void certain_select(struct exec *x, const struct pattern *p, bool *to)
{
	bool *inner = vars_new(x);

	if (p->select->grouped)
		return;
	vars_certain(x, p->select->where, inner);
	for (size_t i = 0; i < p->select->n_items; i++)
		if (!p->select->items[i].expr && inner[p->select->items[i].var])
			to[p->outer[i]] = true;
}

void vars_certain(struct exec *x, const struct pattern *p, bool *to)
{
	switch (p->kind) {
	case PATTERN_UNIT:
	case PATTERN_SERVICE:
		break;
	case PATTERN_BGP:
		vars_of_triples(&p->triples, to);
		break;
	case PATTERN_JOIN:
		vars_certain(x, p->left, to);
		vars_certain(x, p->right, to);
		break;
	case PATTERN_LEFT_JOIN:
	case PATTERN_MINUS:
	case PATTERN_FILTER:
	case PATTERN_EXTEND:
		vars_certain(x, p->left, to);
		break;
	case PATTERN_UNION:
		certain_union(x, p, to);
		break;
	case PATTERN_VALUES:
		certain_values(&p->values, to);
		break;
	case PATTERN_GRAPH:
		vars_certain(x, p->left, to);
		see(&p->name, to);
		break;
	case PATTERN_SELECT:
		certain_select(x, p, to);
		break;
	}
}

/* Every seed that `used` mentions is bound by `p` itself. */
static bool bound_inside(struct exec *x, const struct pattern *p, const bool *seeds,
			 const bool *used)
{
	bool *certain = vars_new(x);

	vars_certain(x, p, certain);
	for (size_t i = 0; i < x->n_vars; i++)
		if (seeds[i] && used[i] && !certain[i])
			return false;
	return true;
}

static void vars_used_by(const struct expr *e, bool *to)
{
	if (!e)
		return;
	vars_of_expr(e, to);
	for (size_t i = 0; i < e->n; i++)
		vars_used_by(e->args[i], to);
	if (e->pattern)
		vars_mentioned(e->pattern, to);
}

bool seeds_are_safe(struct exec *x, const struct pattern *p, const bool *seeds)
{
	bool *used = vars_new(x);

	switch (p->kind) {
	case PATTERN_JOIN:
	case PATTERN_UNION:
		return seeds_are_safe(x, p->left, seeds) &&
		       seeds_are_safe(x, p->right, seeds);
	case PATTERN_GRAPH:
		return seeds_are_safe(x, p->left, seeds);
	case PATTERN_FILTER:
	case PATTERN_EXTEND:
		vars_used_by(p->expr, used);
		return seeds_are_safe(x, p->left, seeds) &&
		       bound_inside(x, p->left, seeds, used);
	case PATTERN_LEFT_JOIN:
		vars_used_by(p->expr, used);
		vars_mentioned(p->right, used);
		return seeds_are_safe(x, p->left, seeds) &&
		       bound_inside(x, p->left, seeds, used);
	case PATTERN_MINUS:
		vars_possible(p->right, used);
		return seeds_are_safe(x, p->left, seeds) &&
		       bound_inside(x, p->left, seeds, used);
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
