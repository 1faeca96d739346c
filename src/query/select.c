/*
 * From the solutions of the pattern to those of the query (18.2.4, 18.2.5): a
 * chain of sinks, in this order: group, HAVING, VALUES, expressions, ORDER BY,
 * DISTINCT, OFFSET and LIMIT.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/sorter.h"
#include "query/group.h"
#include "query/op.h"

struct select_plan {
	const struct query *query;
	struct op *where, *values;
	uint32_t *vars; /* what is projected */
	size_t n_vars;
	uint64_t *tuple; /* room for one solution */
};

struct select_plan *select_compile(struct exec *x, const struct query *q)
{
	struct select_plan *s = exec_tree(x, sizeof(*s));
	const bool *visible, *more;

	s->query = q;
	s->where = op_compile(x, q->where, NULL);
	if (x->st == ST_OK)
		assert_op(x, s->where);
	op_collapse(x, s->where, q);
	if (q->values)
		s->values = op_compile(x, q->values, NULL);
	size_t most = q->form == QUERY_SELECT ? q->n_items : x->n_vars;
	s->vars = exec_tree(x, (most + 1) * sizeof(*s->vars));
	s->tuple = exec_tree(x, (most + 1) * sizeof(*s->tuple));
	if (q->form == QUERY_SELECT) {
		for (size_t i = 0; i < q->n_items; i++)
			s->vars[s->n_vars++] = q->items[i].var;
		return s;
	}
	visible = vars_possible(x, q->where);
	more = q->values ? vars_possible(x, q->values) : visible;
	for (size_t i = 0; i < x->n_vars; i++)
		if (visible[i] || more[i])
			s->vars[s->n_vars++] = (uint32_t)i;
	return s;
}

static void release_expr(const struct expr *e)
{
	if (e)
		expr_release_prepared(e);
}

void select_release(struct select_plan *s)
{
	const struct query *q = s->query;

	op_release(s->where);
	op_release(s->values);
	for (size_t i = 0; i < q->n_items; i++)
		release_expr(q->items[i].expr);
	for (size_t i = 0; i < q->n_group_by; i++)
		release_expr(q->group_by[i].expr);
	for (size_t i = 0; i < q->n_aggregates; i++)
		release_expr(q->aggregates[i].arg);
	for (size_t i = 0; i < q->n_having; i++)
		release_expr(q->having[i]);
	for (size_t i = 0; i < q->n_order; i++)
		release_expr(q->order[i].expr);
}

struct stage {
	struct sink base;
	struct exec *x;
	struct select_plan *plan;
	struct sink *next;
	struct grouping grouping;
	struct sorter sorter;
	struct row_set seen;
	uint64_t skipped, given;
	bool enough; /* LIMIT is reached: not the caller's wish to stop */
};

static bool push_slice(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;
	const struct query *q = s->plan->query;

	if (s->skipped < q->offset) {
		s->skipped++;
		return true;
	}
	if (q->has_limit && s->given >= q->limit) {
		s->enough = true;
		return false;
	}
	s->given++;
	if (!s->next->push(s->next, row))
		return false;
	s->enough = q->has_limit && s->given == q->limit;
	return !s->enough;
}

static bool push_distinct(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;
	uint64_t *cells = s->plan->tuple;
	bool is_new;

	for (size_t i = 0; i < s->plan->n_vars; i++)
		cells[i] = row[s->plan->vars[i]];
	if (row_set_add(s->x, &s->seen, cells, &is_new) == SIZE_MAX)
		return false;
	return is_new ? s->next->push(s->next, row) : exec_tick(s->x);
}

static bool push_order(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;

	return sorter_add(s->x, &s->sorter, row);
}

static bool push_items(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;
	const struct query *q = s->plan->query;
	bool go_on, any = false;

	if (q->grouped)
		s->x->row_number++;
	for (size_t i = 0; i < q->n_items; i++) {
		if (!q->items[i].expr)
			continue;
		struct value v = expr_eval(s->x, q->items[i].expr, row);

		row[q->items[i].var] = value_id(s->x, &v);
		any = true;
	}
	if (any)
		exec_reset_scratch(s->x);
	go_on = s->next->push(s->next, row);
	for (size_t i = 0; i < q->n_items; i++)
		if (q->items[i].expr)
			row[q->items[i].var] = ID_NONE;
	return go_on;
}

static bool push_values(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;

	return op_run(s->x, s->plan->values, row, s->next);
}

static bool push_having(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;

	for (size_t i = 0; i < s->plan->query->n_having; i++)
		if (!expr_holds(s->x, s->plan->query->having[i], row))
			return s->x->st == ST_OK;
	return s->next->push(s->next, row);
}

static bool push_group(struct sink *self, uint64_t *row)
{
	struct stage *s = (struct stage *)self;

	return grouping_add(s->x, &s->grouping, row);
}

/* Put a stage before `*chain`. */
static struct stage *prepend(struct exec *x, struct select_plan *plan, struct stage *s,
			     bool (*push)(struct sink *, uint64_t *), struct sink **chain)
{
	*s = (struct stage){ .base = { push }, .x = x, .plan = plan, .next = *chain };
	*chain = &s->base;
	return s;
}

bool select_run(struct exec *x, struct select_plan *plan, uint64_t *row,
		struct sink *next)
{
	const struct query *q = plan->query;
	struct stage slice, distinct, order, items, values, having, group;
	struct sink *chain = next;
	bool go_on;

	prepend(x, plan, &slice, push_slice, &chain);
	if (q->distinct || q->reduced)
		prepend(x, plan, &distinct, push_distinct, &chain)->seen.width =
			plan->n_vars;
	struct sink *after_order = chain;
	if (q->n_order)
		sorter_start(&prepend(x, plan, &order, push_order, &chain)->sorter, q,
			     plan->vars, plan->n_vars);
	prepend(x, plan, &items, push_items, &chain);
	if (plan->values)
		prepend(x, plan, &values, push_values, &chain);
	if (q->n_having)
		prepend(x, plan, &having, push_having, &chain);
	struct sink *after_group = chain;
	if (q->grouped)
		grouping_start(x, &prepend(x, plan, &group, push_group, &chain)->grouping,
			       q);

	go_on = (q->has_limit && q->limit == 0) || op_run(x, plan->where, row, chain);
	if (q->grouped) {
		if (go_on)
			go_on = grouping_end(x, &group.grouping, row, after_group);
		grouping_release(&group.grouping);
	}
	if (q->n_order) {
		if (go_on)
			go_on = sorter_end(x, &order.sorter, row, after_order);
		sorter_release(&order.sorter);
	}
	if (q->distinct || q->reduced)
		row_set_release(&distinct.seen);
	return (go_on || slice.enough) && x->st == ST_OK;
}

void select_explain(struct exec *x, const struct select_plan *s, int depth,
		    struct buf *to)
{
	const struct query *q = s->query;

	buf_addf(to, "%*sselect%s%s%s%s%s\n", 2 * depth, "", q->grouped ? " group" : "",
		 q->n_having ? " having" : "", q->n_order ? " order" : "",
		 q->distinct ? " distinct" : "", q->has_limit ? " limit" : "");
	op_explain(x, s->where, depth + 1, to);
	if (s->values)
		op_explain(x, s->values, depth + 1, to);
}
