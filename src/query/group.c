#include "query/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct aggregate_state {
	uint64_t count; /* values so far */
	struct number sum;
	bool error;          /* a value had no number */
	uint64_t best;       /* of MIN, MAX and SAMPLE */
	struct buf text;     /* of GROUP_CONCAT */
	struct row_set seen; /* of DISTINCT */
};

void grouping_start(struct exec *x, struct grouping *g, const struct query *q)
{
	*g = (struct grouping){ .query = q };
	g->keys.width = q->n_group_by;
	g->all.width = x->n_vars + 1;
	g->tuple = xcalloc(x->n_vars + 2, sizeof(*g->tuple));
}

void grouping_release(struct grouping *g)
{
	for (size_t i = 0; i < g->keys.n * g->query->n_aggregates; i++) {
		buf_release(&g->states[i].text);
		row_set_release(&g->states[i].seen);
	}
	row_set_release(&g->keys);
	row_set_release(&g->all);
	free(g->states);
	free(g->tuple);
	*g = (struct grouping){ 0 };
}

static void add_sum(struct exec *x, struct aggregate_state *s, const struct value *v)
{
	struct number n;

	if (!value_number(x, v, &n) || (s->count > 1 && !number_add(s->sum, n, &n)))
		s->error = true;
	s->sum = n;
}

static void add_extreme(struct exec *x, const struct aggregate *a,
			struct aggregate_state *s, const struct value *v)
{
	struct value best = value_from_id(s->best);
	uint64_t id = value_id(x, v);

	if (s->best) {
		struct compared p = value_compared(x, v), q = value_compared(x, &best);
		int order = compared_order(&p, &q);

		if (a->kind == AGGREGATE_MIN ? order >= 0 : order <= 0)
			return;
	}
	s->best = id;
}

static void add_text(struct exec *x, const struct aggregate *a, struct aggregate_state *s,
		     const struct value *v)
{
	struct term t = value_term(x, v);

	if (t.kind == TERM_BLANK) {
		s->error = true;
		return;
	}
	if (!exec_take_memory(x, t.text.n + a->separator.n))
		return;
	if (s->count > 1)
		buf_add(&s->text, a->separator);
	buf_add(&s->text, t.text);
	if (s->text.overflow)
		exec_fail(x, ST_TOO_LARGE,
			  "GROUP_CONCAT makes a string of more than %zu bytes",
			  BUF_LIMIT_DEFAULT);
}

static void add_value(struct exec *x, const struct aggregate *a,
		      struct aggregate_state *s, const struct value *v, uint64_t times)
{
	bool is_new;

	if (v->kind == VALUE_ERROR) {
		s->error |= a->kind == AGGREGATE_SUM || a->kind == AGGREGATE_AVG;
		return;
	}
	if (a->distinct) {
		uint64_t id = value_id(x, v);

		s->seen.width = 1;
		if (row_set_add(x, &s->seen, &id, &is_new) == SIZE_MAX || !is_new)
			return;
		times = 1;
	}
	s->count += times;
	switch (a->kind) {
	case AGGREGATE_COUNT:
		break;
	case AGGREGATE_SUM:
	case AGGREGATE_AVG:
		add_sum(x, s, v);
		break;
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		add_extreme(x, a, s, v);
		break;
	case AGGREGATE_SAMPLE:
		if (!s->best)
			s->best = value_id(x, v);
		break;
	case AGGREGATE_GROUP_CONCAT:
		add_text(x, a, s, v);
		break;
	}
}

/* COUNT(*), and COUNT(DISTINCT *) over the whole solution. */
static void add_row(struct exec *x, struct grouping *g, const struct aggregate *a,
		    struct aggregate_state *s, size_t group, const uint64_t *row,
		    uint64_t times)
{
	bool is_new;

	if (a->distinct) {
		memcpy(g->tuple, row, x->n_vars * sizeof(*row));
		g->tuple[x->n_vars] = group;
		if (row_set_add(x, &g->all, g->tuple, &is_new) == SIZE_MAX)
			return;
		times = is_new;
	}
	s->count += times;
}

static struct aggregate_state *states_of(struct exec *x, struct grouping *g, size_t group,
					 bool is_new)
{
	size_t n = g->query->n_aggregates;

	if (is_new) {
		VEC_RESERVE(g->states, g->states_cap, (group + 1) * n + 1);
		memset(g->states + group * n, 0, n * sizeof(*g->states));
		(void)!exec_take_memory(x, n * sizeof(*g->states));
	}
	return g->states + group * n;
}

bool grouping_add(struct exec *x, struct grouping *g, uint64_t *row)
{
	const struct query *q = g->query;
	uint64_t times = x->times;
	struct aggregate_state *s;
	bool is_new;

	x->times = 1; /* for groups within our own expressions */
	for (size_t i = 0; i < q->n_group_by; i++) {
		if (q->group_by[i].expr) {
			struct value v = expr_eval(x, q->group_by[i].expr, row);

			row[q->group_by[i].var] = value_id(x, &v);
		}
		g->tuple[i] = row[q->group_by[i].var];
	}
	size_t group = row_set_add(x, &g->keys, g->tuple, &is_new);
	if (group == SIZE_MAX)
		return false; /* memory: nothing goes on */
	s = states_of(x, g, group, is_new);
	for (size_t i = 0; i < q->n_aggregates; i++) {
		const struct aggregate *a = &q->aggregates[i];

		if (a->arg) {
			struct value v = expr_eval(x, a->arg, row);

			add_value(x, a, &s[i], &v, times);
		} else {
			add_row(x, g, a, &s[i], group, row, times);
		}
	}
	for (size_t i = 0; i < q->n_group_by; i++)
		if (q->group_by[i].expr)
			row[q->group_by[i].var] = ID_NONE;
	exec_reset_scratch(x);
	x->times = times;
	return exec_tick(x);
}

static uint64_t result_of(struct exec *x, const struct aggregate *a,
			  const struct aggregate_state *s)
{
	struct number n = number_from_int((int64_t)s->count);
	struct value v;

	switch (a->kind) {
	case AGGREGATE_COUNT:
		v = value_from_number(n);
		return value_id(x, &v);
	case AGGREGATE_SUM:
	case AGGREGATE_AVG:
		if (s->error)
			return ID_NONE;
		if (s->count == 0)
			n = number_from_int(0);
		else if (a->kind == AGGREGATE_SUM)
			n = s->sum;
		else if (!number_divide(s->sum, n, &n))
			return ID_NONE;
		v = value_from_number(n);
		return value_id(x, &v);
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
	case AGGREGATE_SAMPLE:
		return s->best;
	case AGGREGATE_GROUP_CONCAT:
		v = value_from_string(buf_str(&s->text));
		return s->error ? ID_NONE : value_id(x, &v);
	}
	return ID_NONE;
}

bool grouping_end(struct exec *x, struct grouping *g, uint64_t *row, struct sink *next)
{
	const struct query *q = g->query;
	bool is_new, go_on = true;

	/* Without GROUP BY there is one group even of nothing. */
	if (g->keys.n == 0 && q->n_group_by == 0) {
		(void)!row_set_add(x, &g->keys, g->tuple, &is_new);
		(void)states_of(x, g, 0, true);
	}
	for (size_t i = 0; go_on && i < g->keys.n && exec_tick(x); i++) {
		const uint64_t *key = row_set_at(&g->keys, i);
		const struct aggregate_state *s = g->states + i * q->n_aggregates;

		for (size_t k = 0; k < q->n_group_by; k++)
			row[q->group_by[k].var] = key[k];
		for (size_t k = 0; k < q->n_aggregates; k++)
			row[q->aggregates[k].var] =
				result_of(x, &q->aggregates[k], &s[k]);
		exec_reset_scratch(x);
		go_on = next->push(next, row);
	}
	for (size_t k = 0; k < q->n_group_by; k++)
		row[q->group_by[k].var] = ID_NONE;
	for (size_t k = 0; k < q->n_aggregates; k++)
		row[q->aggregates[k].var] = ID_NONE;
	return go_on;
}
