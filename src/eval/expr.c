#include "eval/expr.h"

static struct value logical_or(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value a = expr_eval(x, e->args[0], row), b;
	bool p = false, q = false, p_known = value_truth(x, &a, &p), q_known;

	if (p_known && p)
		return value_from_bool(true);
	b = expr_eval(x, e->args[1], row);
	q_known = value_truth(x, &b, &q);
	if (q_known && q)
		return value_from_bool(true);
	return p_known && q_known ? value_from_bool(false) : VALUE_NONE;
}

static struct value logical_and(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value a = expr_eval(x, e->args[0], row), b;
	bool p = false, q = false, p_known = value_truth(x, &a, &p), q_known;

	if (p_known && !p)
		return value_from_bool(false);
	b = expr_eval(x, e->args[1], row);
	q_known = value_truth(x, &b, &q);
	if (q_known && !q)
		return value_from_bool(false);
	return p_known && q_known ? value_from_bool(true) : VALUE_NONE;
}

static struct value compare(struct exec *x, enum expr_op op, const struct value *a,
			    const struct value *b)
{
	int order;

	if (op == EXPR_EQUAL || op == EXPR_NOT_EQUAL) {
		int equal = value_equal(x, a, b);

		return equal < 0 ? VALUE_NONE
				 : value_from_bool(equal == (op == EXPR_EQUAL));
	}
	if (!value_order(x, a, b, &order))
		return VALUE_NONE;
	if (order == 2)
		return value_from_bool(false);
	return value_from_bool(op == EXPR_LESS         ? order < 0
			       : op == EXPR_GREATER    ? order > 0
			       : op == EXPR_LESS_EQUAL ? order <= 0
						       : order >= 0);
}

static struct value arithmetic(struct exec *x, enum expr_op op, const struct value *a,
			       const struct value *b)
{
	struct number m, n, r;
	bool ok;

	if (!value_number(x, a, &m) || !value_number(x, b, &n))
		return VALUE_NONE;
	switch (op) {
	case EXPR_ADD:
		ok = number_add(m, n, &r);
		break;
	case EXPR_SUBTRACT:
		ok = number_subtract(m, n, &r);
		break;
	case EXPR_MULTIPLY:
		ok = number_multiply(m, n, &r);
		break;
	default:
		ok = number_divide(m, n, &r);
	}
	return ok ? value_from_number(r) : VALUE_NONE;
}

/* x IN (a, b): x = a || x = b, with its errors. */
static struct value in_list(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value v = expr_eval(x, e->args[0], row), item;
	bool error = false, negated = e->op == EXPR_NOT_IN;

	for (size_t i = 1; i < e->n; i++) {
		item = expr_eval(x, e->args[i], row);
		int equal = value_equal(x, &v, &item);

		if (equal == 1)
			return value_from_bool(!negated);
		error |= equal < 0;
	}
	return error ? VALUE_NONE : value_from_bool(negated);
}

static struct value unary(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value v = expr_eval(x, e->args[0], row);
	struct number n;
	bool b;

	if (e->op == EXPR_NOT)
		return value_truth(x, &v, &b) ? value_from_bool(!b) : VALUE_NONE;
	if (!value_number(x, &v, &n))
		return VALUE_NONE;
	return value_from_number(e->op == EXPR_NEGATE ? number_negate(n) : n);
}

static struct value if_then(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value v = expr_eval(x, e->args[0], row);
	bool yes;

	if (!value_truth(x, &v, &yes))
		return VALUE_NONE;
	return expr_eval(x, e->args[yes ? 1 : 2], row);
}

static struct value coalesce(struct exec *x, const struct expr *e, const uint64_t *row)
{
	for (size_t i = 0; i < e->n; i++) {
		struct value v = expr_eval(x, e->args[i], row);

		if (v.kind != VALUE_ERROR)
			return v;
	}
	return VALUE_NONE;
}

#define ARGS_ON_STACK 8

/* All arguments must have values; CONCAT alone may have many. */
static struct value call(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value few[ARGS_ON_STACK], *args = few;

	if (e->fn == FN_BOUND)
		return value_from_bool(row[e->args[0]->var] != ID_NONE);
	if (e->fn == FN_IF)
		return if_then(x, e, row);
	if (e->fn == FN_COALESCE)
		return coalesce(x, e, row);
	if (e->n > ARGS_ON_STACK)
		args = arena_alloc(&x->scratch, e->n * sizeof(*args));
	for (size_t i = 0; i < e->n; i++) {
		args[i] = expr_eval(x, e->args[i], row);
		if (args[i].kind == VALUE_ERROR)
			return VALUE_NONE;
	}
	return builtin_call(x, e, args);
}

struct value expr_eval(struct exec *x, const struct expr *e, const uint64_t *row)
{
	struct value a, b;

	if (e->n && !exec_tick(x))
		return VALUE_NONE;
	switch (e->op) {
	case EXPR_VAR:
		return value_from_id(row[e->var]);
	case EXPR_TERM:
		return e->id ? value_from_id(e->id) : value_from_term(e->term);
	case EXPR_OR:
		return logical_or(x, e, row);
	case EXPR_AND:
		return logical_and(x, e, row);
	case EXPR_NOT:
	case EXPR_NEGATE:
	case EXPR_PLUS:
		return unary(x, e, row);
	case EXPR_EQUAL:
	case EXPR_NOT_EQUAL:
	case EXPR_LESS:
	case EXPR_GREATER:
	case EXPR_LESS_EQUAL:
	case EXPR_GREATER_EQUAL:
		a = expr_eval(x, e->args[0], row);
		b = expr_eval(x, e->args[1], row);
		return compare(x, e->op, &a, &b);
	case EXPR_IN:
	case EXPR_NOT_IN:
		return in_list(x, e, row);
	case EXPR_ADD:
	case EXPR_SUBTRACT:
	case EXPR_MULTIPLY:
	case EXPR_DIVIDE:
		a = expr_eval(x, e->args[0], row);
		b = expr_eval(x, e->args[1], row);
		return arithmetic(x, e->op, &a, &b);
	case EXPR_BUILTIN:
		return call(x, e, row);
	case EXPR_FUNCTION:
		if (e->n != 1)
			return VALUE_NONE;
		a = expr_eval(x, e->args[0], row);
		return a.kind == VALUE_ERROR ? VALUE_NONE
					     : cast_call(x, e->term.text, &a);
	case EXPR_EXISTS:
	case EXPR_NOT_EXISTS:
		return value_from_bool(x->exists(x, e, row) == (e->op == EXPR_EXISTS));
	}
	return VALUE_NONE;
}

/* A variable against a constant, both inline integers: their ids compare alike. */
static bool is_integer_test(const struct expr *e, const uint64_t *row)
{
	return e->op >= EXPR_EQUAL && e->op <= EXPR_GREATER_EQUAL &&
	       e->args[0]->op == EXPR_VAR && e->args[1]->op == EXPR_TERM &&
	       id_tag(e->args[1]->id) == TAG_INTEGER &&
	       id_tag(row[e->args[0]->var]) == TAG_INTEGER;
}

static bool integer_test(enum expr_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case EXPR_EQUAL:
		return a == b;
	case EXPR_NOT_EQUAL:
		return a != b;
	case EXPR_LESS:
		return a < b;
	case EXPR_GREATER:
		return a > b;
	case EXPR_LESS_EQUAL:
		return a <= b;
	default:
		return a >= b;
	}
}

bool expr_holds(struct exec *x, const struct expr *e, const uint64_t *row)
{
	if (is_integer_test(e, row))
		return integer_test(e->op, row[e->args[0]->var], e->args[1]->id);

	struct value v = expr_eval(x, e, row);
	bool yes = false, known = value_truth(x, &v, &yes);

	exec_reset_scratch(x);
	return known && yes;
}
