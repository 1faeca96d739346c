/*
 * Solutions that differ only in variables that nobody reads are counted, not listed:
 * COUNT(*) of one triple asks the index how many there are, and a GROUP BY over
 * an ordered scan leaps from one key to the next.  Only patterns at the very end are
 * collapsed, where what comes behind them takes `times` into account.
 */
#include "query/op.h"

/* False when the expression may give another value each time, or looks at patterns. */
static bool read_by_expr(struct exec *x, const struct expr *e, bool *read)
{
	if (!expr_is_deterministic(e))
		return false;
	vars_of_expr(x, e, read);
	return true;
}

/* What the groups look at; false when they need every solution. */
static bool read_by_groups(struct exec *x, const struct query *q, const bool *certain,
			   bool *read)
{
	for (size_t i = 0; i < q->n_group_by; i++) {
		if (!q->group_by[i].expr)
			read[q->group_by[i].var] = true;
		else if (!read_by_expr(x, q->group_by[i].expr, read))
			return false;
	}
	for (size_t i = 0; i < q->n_aggregates; i++) {
		const struct aggregate *a = &q->aggregates[i];

		if (!a->arg && a->distinct)
			return false; /* of whole solutions */
		/* Sums of doubles depend on how they are added up. */
		if (!a->distinct &&
		    (a->kind == AGGREGATE_SUM || a->kind == AGGREGATE_AVG ||
		     a->kind == AGGREGATE_GROUP_CONCAT))
			return false;
		/* COUNT of what is always bound is COUNT(*). */
		if (a->kind == AGGREGATE_COUNT && !a->distinct && a->arg &&
		    a->arg->op == EXPR_VAR && certain[a->arg->var])
			continue;
		if (a->arg && !read_by_expr(x, a->arg, read))
			return false;
	}
	return true;
}

static bool read_by_distinct(struct exec *x, const struct query *q, bool *read)
{
	for (size_t i = 0; i < q->n_items; i++) {
		if (!q->items[i].expr)
			read[q->items[i].var] = true;
		else if (!read_by_expr(x, q->items[i].expr, read))
			return false;
	}
	for (size_t i = 0; i < q->n_order; i++)
		if (!read_by_expr(x, q->order[i].expr, read))
			return false;
	return true;
}

/* To the patterns whose solutions go straight to the end. */
static void collapse(struct op *o, const bool *read)
{
	switch (o->kind) {
	case PATTERN_BGP:
		bgp_collapse(o->bgp, read);
		break;
	case PATTERN_JOIN:
		if (!o->right_alone)
			collapse(o->right, read);
		break;
	case PATTERN_UNION:
		collapse(o->left, read);
		collapse(o->right, read);
		break;
	case PATTERN_FILTER:
		if (!o->expr)
			collapse(o->left, read);
		break;
	case PATTERN_GRAPH:
		if (!o->name_after)
			collapse(o->left, read);
		break;
	default:
		break;
	}
}

void op_collapse(struct exec *x, struct op *where, const struct query *q)
{
	bool *read = vars_new(x);

	if (q->form != QUERY_SELECT || q->values)
		return;
	if (q->grouped ? read_by_groups(x, q, where->certain, read)
		       : q->distinct && read_by_distinct(x, q, read))
		collapse(where, read);
}
