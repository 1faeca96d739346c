/* Expressions: rules 110 to 128 of the grammar, one function a precedence. */
#include "rdf/id.h"
#include "sparql/parser.h"

static struct expr *expr_new(struct parser *p, enum expr_op op)
{
	struct expr *e = tree_alloc(p, sizeof(*e));

	e->op = op;
	e->var = VAR_NONE;
	return e;
}

static void add_arg(struct parser *p, struct expr *e, struct expr *arg)
{
	TREE_ADD(p, e->args, e->n, e->cap, arg);
	e->levels = MAX(e->levels, arg->levels + 1);
}

struct expr *expr_two(struct parser *p, enum expr_op op, struct expr *a, struct expr *b)
{
	struct expr *e = expr_new(p, op);

	add_arg(p, e, a);
	add_arg(p, e, b);
	return e;
}

/* The order of the operands stays, so the first that decides is still the first. */
struct expr *expr_balanced(struct parser *p, enum expr_op op, struct expr *const *v,
			   size_t n)
{
	if (n == 1)
		return v[0];
	return expr_two(p, op, expr_balanced(p, op, v, n / 2),
			expr_balanced(p, op, v + n / 2, n - n / 2));
}

struct expr *expr_of_var(struct parser *p, uint32_t var)
{
	struct expr *e = expr_new(p, EXPR_VAR);

	e->var = var;
	return e;
}

static const struct {
	const char *name;
	uint32_t min, max;
} builtins[] = {
#define X(name, min, max) { #name, min, max },
	BUILTINS(X)
#undef X
};

static const char *const aggregate_names[] = { "COUNT", "SUM",    "MIN",         "MAX",
					       "AVG",   "SAMPLE", "GROUP_CONCAT" };

static int find_builtin(const struct parser *p)
{
	for (size_t i = 0; i < COUNT(builtins); i++)
		if (at_word(p, builtins[i].name))
			return (int)i;
	return -1;
}

static int find_aggregate(const struct parser *p)
{
	for (size_t i = 0; i < COUNT(aggregate_names); i++)
		if (at_word(p, aggregate_names[i]))
			return (int)i;
	return -1;
}

/* "(" then expressions between commas up to ")"; NIL is none. */
static enum status parse_args(struct parser *p, struct expr *to)
{
	TRY(expect_punct(p, "("));
	if (accept_punct(p, ")"))
		return ST_OK;
	do {
		struct expr *arg;

		TRY(parse_expr(p, &arg));
		add_arg(p, to, arg);
	} while (accept_punct(p, ","));
	return expect_punct(p, ")");
}

static enum status parse_builtin(struct parser *p, enum builtin fn, struct expr **ret)
{
	struct expr *e = expr_new(p, EXPR_BUILTIN);
	size_t at = p->lex.token.at;

	e->fn = fn;
	lexer_next(&p->lex);
	TRY(parse_args(p, e));
	if (e->n < builtins[fn].min || e->n > builtins[fn].max)
		return parse_fail_at(p, at,
				     "%s takes another number of arguments than %zu",
				     builtins[fn].name, e->n);
	if (fn == FN_BOUND && e->args[0]->op != EXPR_VAR)
		return parse_fail_at(p, at, "BOUND takes a variable");
	*ret = e;
	return ST_OK;
}

static enum status parse_separator(struct parser *p, struct aggregate *a)
{
	a->separator = STR(" ");
	if (!accept_punct(p, ";"))
		return ST_OK;
	TRY(expect_word(p, "SEPARATOR"));
	TRY(expect_punct(p, "="));
	if (p->lex.token.kind != TOKEN_STRING)
		return parse_expected(p, "a string");
	a->separator = p->lex.token.text;
	lexer_next(&p->lex);
	return ST_OK;
}

/* The aggregate goes to the query; a variable stands in its place. */
static enum status parse_aggregate(struct parser *p, enum aggregate_kind kind,
				   struct expr **ret)
{
	struct aggregate a = { .kind = kind };
	size_t at = p->lex.token.at;

	if (!p->query || !p->aggregates_allowed)
		return parse_fail_at(p, at, "no aggregate may stand here");
	if (p->inside_aggregate)
		return parse_fail_at(p, at, "an aggregate inside an aggregate");
	lexer_next(&p->lex);
	TRY(expect_punct(p, "("));
	a.distinct = accept_word(p, "DISTINCT");
	p->inside_aggregate = true;
	if (kind != AGGREGATE_COUNT || !accept_punct(p, "*"))
		TRY(parse_expr(p, &a.arg));
	p->inside_aggregate = false;
	if (kind == AGGREGATE_GROUP_CONCAT)
		TRY(parse_separator(p, &a));
	TRY(expect_punct(p, ")"));
	a.var = var_fresh(p, "agg");
	p->query->grouped = true;
	TREE_ADD(p, p->query->aggregates, p->query->n_aggregates,
		 p->query->aggregates_cap, a);
	*ret = expr_of_var(p, a.var);
	return ST_OK;
}

static enum status parse_exists(struct parser *p, enum expr_op op, struct expr **ret)
{
	*ret = expr_new(p, op);
	TRY(expect_word(p, "EXISTS"));
	TRY(parse_group(p, &(*ret)->pattern));
	(*ret)->levels = (*ret)->pattern->levels + 1;
	return check_levels(p, (*ret)->levels);
}

/* An IRI alone is a term; followed by "(" it is a call. */
static enum status parse_iri_or_function(struct parser *p, bool call_only,
					 struct expr **ret)
{
	struct expr *e = expr_new(p, EXPR_TERM);

	TRY(parse_iri(p, &e->term));
	if (at_punct(p, "(")) {
		e->op = EXPR_FUNCTION;
		/* Custom aggregates would take DISTINCT; a cast does not care. */
		if (str_eq_nocase(lexer_peek(&p->lex).text, STR("DISTINCT")))
			return parse_fail_at(p, p->lex.token.at,
					     "DISTINCT is for aggregates only");
		TRY(parse_args(p, e));
	} else if (call_only) {
		return parse_expected(p, "'('");
	}
	*ret = e;
	return ST_OK;
}

static enum status parse_call(struct parser *p, struct expr **ret)
{
	int i;

	if (at_word(p, "EXISTS"))
		return parse_exists(p, EXPR_EXISTS, ret);
	if (accept_word(p, "NOT"))
		return parse_exists(p, EXPR_NOT_EXISTS, ret);
	if ((i = find_aggregate(p)) >= 0)
		return parse_aggregate(p, (enum aggregate_kind)i, ret);
	if ((i = find_builtin(p)) >= 0)
		return parse_builtin(p, (enum builtin)i, ret);
	return parse_expected(p, "an expression");
}

static enum status parse_bracketed(struct parser *p, struct expr **ret)
{
	TRY(expect_punct(p, "("));
	TRY(parse_expr(p, ret));
	return expect_punct(p, ")");
}

static enum status parse_primary(struct parser *p, struct expr **ret)
{
	if (at_punct(p, "("))
		return parse_bracketed(p, ret);
	if (at_iri(p))
		return parse_iri_or_function(p, false, ret);
	if (p->lex.token.kind == TOKEN_VAR) {
		uint32_t var;

		TRY(parse_var(p, &var));
		*ret = expr_of_var(p, var);
		return ST_OK;
	}
	if (at_literal(p)) {
		*ret = expr_new(p, EXPR_TERM);
		TRY(parse_literal(p, &(*ret)->term));
		(*ret)->id = id_from_literal((*ret)->term);
		return ST_OK;
	}
	return parse_call(p, ret);
}

/* True when the sign at hand belongs to a number that touches it. */
static bool at_signed_number(struct parser *p)
{
	struct token next = lexer_peek(&p->lex);

	return next.at == p->lex.token.end && next.kind >= TOKEN_INTEGER &&
	       next.kind <= TOKEN_DOUBLE;
}

static enum status parse_unary(struct parser *p, struct expr **ret)
{
	enum expr_op op;

	if (at_punct(p, "!"))
		op = EXPR_NOT;
	else if (at_punct(p, "-") && !at_signed_number(p))
		op = EXPR_NEGATE;
	else if (at_punct(p, "+") && !at_signed_number(p))
		op = EXPR_PLUS;
	else
		return parse_primary(p, ret);
	lexer_next(&p->lex);
	struct expr *e = expr_new(p, op), *arg;
	TRY(enter(p));
	TRY(parse_unary(p, &arg));
	leave(p);
	add_arg(p, e, arg);
	*ret = e;
	return ST_OK;
}

static enum status parse_product(struct parser *p, struct expr **ret)
{
	struct expr *right;

	TRY(parse_unary(p, ret));
	while (at_punct(p, "*") || at_punct(p, "/")) {
		enum expr_op op = at_punct(p, "*") ? EXPR_MULTIPLY : EXPR_DIVIDE;

		lexer_next(&p->lex);
		TRY(parse_unary(p, &right));
		*ret = expr_two(p, op, *ret, right);
		TRY(check_levels(p, (*ret)->levels));
	}
	return ST_OK;
}

static enum status parse_sum(struct parser *p, struct expr **ret)
{
	struct expr *right;

	TRY(parse_product(p, ret));
	while (at_punct(p, "+") || at_punct(p, "-")) {
		enum expr_op op = at_punct(p, "+") ? EXPR_ADD : EXPR_SUBTRACT;

		lexer_next(&p->lex);
		TRY(parse_product(p, &right));
		*ret = expr_two(p, op, *ret, right);
		TRY(check_levels(p, (*ret)->levels));
	}
	return ST_OK;
}

static enum status parse_in(struct parser *p, enum expr_op op, struct expr **ret)
{
	struct expr *e = expr_new(p, op);

	add_arg(p, e, *ret);
	*ret = e;
	return parse_args(p, e);
}

static enum status parse_relation(struct parser *p, struct expr **ret)
{
	static const struct {
		const char *text;
		enum expr_op op;
	} ops[] = {
		{ "=", EXPR_EQUAL },       { "!=", EXPR_NOT_EQUAL },
		{ "<", EXPR_LESS },        { ">", EXPR_GREATER },
		{ "<=", EXPR_LESS_EQUAL }, { ">=", EXPR_GREATER_EQUAL },
	};
	struct expr *right;

	TRY(parse_sum(p, ret));
	for (size_t i = 0; i < COUNT(ops); i++) {
		if (!accept_punct(p, ops[i].text))
			continue;
		TRY(parse_sum(p, &right));
		*ret = expr_two(p, ops[i].op, *ret, right);
		return ST_OK;
	}
	if (accept_word(p, "IN"))
		return parse_in(p, EXPR_IN, ret);
	if (at_word(p, "NOT")) {
		lexer_next(&p->lex);
		TRY(expect_word(p, "IN"));
		return parse_in(p, EXPR_NOT_IN, ret);
	}
	return ST_OK;
}

static enum status parse_and(struct parser *p, struct expr **ret)
{
	struct expr *one;
	struct expr_list all = { 0 };

	do {
		TRY(parse_relation(p, &one));
		TREE_ADD(p, all.v, all.n, all.cap, one);
	} while (accept_punct(p, "&&"));
	*ret = expr_balanced(p, EXPR_AND, all.v, all.n);
	return ST_OK;
}

enum status parse_expr(struct parser *p, struct expr **ret)
{
	struct expr_list all = { 0 };
	struct expr *one;

	TRY(enter(p));
	do {
		TRY(parse_and(p, &one));
		TREE_ADD(p, all.v, all.n, all.cap, one);
	} while (accept_punct(p, "||"));
	*ret = expr_balanced(p, EXPR_OR, all.v, all.n);
	leave(p);
	return check_levels(p, (*ret)->levels);
}

bool at_constraint(const struct parser *p)
{
	return at_punct(p, "(") || at_iri(p) || at_word(p, "EXISTS") ||
	       at_word(p, "NOT") || find_builtin(p) >= 0 || find_aggregate(p) >= 0;
}

enum status parse_constraint(struct parser *p, struct expr **ret)
{
	TRY(enter(p));
	if (at_punct(p, "("))
		TRY(parse_bracketed(p, ret));
	else if (at_iri(p))
		TRY(parse_iri_or_function(p, true, ret));
	else
		TRY(parse_call(p, ret));
	leave(p);
	return ST_OK;
}
