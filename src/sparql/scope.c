/* Which variables are in scope: table 18.2.1, and the notes of the grammar about them. */
#include "sparql/parser.h"

static void see(struct map *visible, uint32_t var)
{
	map_add(visible, var, NULL);
}

static void see_node(const struct node *n, struct map *visible)
{
	if (n->is_var)
		see(visible, n->var);
}

static void see_triples(const struct triples *t, struct map *visible)
{
	for (size_t i = 0; i < t->n; i++) {
		see_node(&t->v[i].subject, visible);
		see_node(&t->v[i].object, visible);
		if (!t->v[i].path)
			see_node(&t->v[i].predicate, visible);
	}
}

void pattern_visible(const struct pattern *t, struct map *visible)
{
	if (!t)
		return;
	pattern_visible(t->left, visible);
	if (t->kind != PATTERN_MINUS)
		pattern_visible(t->right, visible);
	see_triples(&t->triples, visible);
	for (size_t i = 0; i < t->values.n_vars; i++)
		see(visible, t->values.vars[i]);
	if (t->kind == PATTERN_GRAPH || t->kind == PATTERN_SERVICE)
		see_node(&t->name, visible);
	if (t->kind == PATTERN_EXTEND)
		see(visible, t->var);
	for (size_t i = 0; t->select && i < t->select->n_items; i++)
		see(visible, t->outer[i]);
}

/* A variable of an expression of a grouped query must be constant in the group. */
static bool all_grouped(const struct expr *e, const struct map *grouped,
			uint32_t *ret_bad)
{
	if (e->op == EXPR_VAR && !map_find(grouped, e->var)) {
		*ret_bad = e->var;
		return false;
	}
	for (size_t i = 0; i < e->n; i++)
		if (!all_grouped(e->args[i], grouped, ret_bad))
			return false;
	return true;
}

static enum status check_grouping(struct parser *p, struct query *q, struct map *grouped)
{
	uint32_t bad;

	for (size_t i = 0; i < q->n_group_by; i++)
		if (q->group_by[i].var != VAR_NONE)
			see(grouped, q->group_by[i].var);
	for (size_t i = 0; i < q->n_aggregates; i++)
		see(grouped, q->aggregates[i].var);
	for (size_t i = 0; i < q->n_items; i++) {
		struct projection *item = &q->items[i];

		bad = item->var;
		if (item->expr ? !all_grouped(item->expr, grouped, &bad)
			       : !map_find(grouped, item->var))
			return parse_fail_at(p, p->lex.token.at,
					     "?" STR_FMT
					     " is neither grouped nor in an aggregate",
					     STR_ARG(p->request->vars[bad]));
		see(grouped, item->var);
	}
	return ST_OK;
}

static enum status check_items(struct parser *p, struct query *q, struct map *visible,
			       struct map *grouped)
{
	pattern_visible(q->where, visible);
	for (size_t i = 0; i < q->n_items; i++) {
		struct projection *item = &q->items[i];

		if (item->expr && map_find(visible, item->var))
			return parse_fail_at(p, p->lex.token.at,
					     "AS ?" STR_FMT " is bound already",
					     STR_ARG(p->request->vars[item->var]));
		if (item->expr)
			see(visible, item->var);
	}
	if (q->grouped && q->star)
		return parse_fail_at(p, p->lex.token.at,
				     "SELECT * cannot be used with GROUP BY");
	return q->grouped ? check_grouping(p, q, grouped) : ST_OK;
}

enum status check_select_scope(struct parser *p, struct query *q)
{
	cleanup(map_release) struct map visible = { 0 }, grouped = { 0 };

	return check_items(p, q, &visible, &grouped);
}
