/* The four forms of a query and their modifiers: rules 7 to 28. */
#include "sparql/parser.h"

static enum status parse_item(struct parser *p, struct query *q)
{
	struct projection item = { 0 };

	if (accept_punct(p, "(")) {
		TRY(parse_expr(p, &item.expr));
		TRY(expect_word(p, "AS"));
		TRY(parse_var(p, &item.var));
		TRY(expect_punct(p, ")"));
	} else {
		TRY(parse_var(p, &item.var));
	}
	TREE_ADD(p, q->items, q->n_items, q->items_cap, item);
	return ST_OK;
}

static enum status parse_select_clause(struct parser *p, struct query *q)
{
	q->distinct = accept_word(p, "DISTINCT");
	q->reduced = !q->distinct && accept_word(p, "REDUCED");
	if (accept_punct(p, "*")) {
		q->star = true;
		return ST_OK;
	}
	p->aggregates_allowed = true;
	do
		TRY(parse_item(p, q));
	while (p->lex.token.kind == TOKEN_VAR || at_punct(p, "("));
	p->aggregates_allowed = false;
	return ST_OK;
}

static enum status parse_dataset(struct parser *p, struct dataset *d)
{
	while (accept_word(p, "FROM")) {
		bool named = accept_word(p, "NAMED");
		struct term iri;

		TRY(parse_iri(p, &iri));
		if (named)
			TREE_ADD(p, d->named, d->n_named, d->named_cap, iri);
		else
			TREE_ADD(p, d->from, d->n_from, d->from_cap, iri);
	}
	return ST_OK;
}

static enum status parse_where(struct parser *p, struct query *q)
{
	if (!accept_word(p, "WHERE") && !at_punct(p, "{"))
		return parse_expected(p, "WHERE or '{'");
	return parse_group(p, &q->where);
}

static enum status parse_group_key(struct parser *p, struct query *q)
{
	struct projection key = { .var = VAR_NONE };

	if (p->lex.token.kind == TOKEN_VAR) {
		TRY(parse_var(p, &key.var));
	} else if (accept_punct(p, "(")) {
		TRY(parse_expr(p, &key.expr));
		if (accept_word(p, "AS"))
			TRY(parse_var(p, &key.var));
		TRY(expect_punct(p, ")"));
	} else {
		TRY(parse_constraint(p, &key.expr));
	}
	/* A key is computed once a row, into a variable of its own where it has none. */
	if (key.var == VAR_NONE)
		key.var = var_fresh(p, "key");
	TREE_ADD(p, q->group_by, q->n_group_by, q->group_by_cap, key);
	return ST_OK;
}

static enum status parse_grouping(struct parser *p, struct query *q)
{
	if (accept_word(p, "GROUP")) {
		TRY(expect_word(p, "BY"));
		q->grouped = true;
		do
			TRY(parse_group_key(p, q));
		while (p->lex.token.kind == TOKEN_VAR || at_constraint(p));
	}
	p->aggregates_allowed = true;
	if (accept_word(p, "HAVING")) {
		q->grouped = true;
		do {
			struct expr *e;

			TRY(parse_constraint(p, &e));
			TREE_ADD(p, q->having, q->n_having, q->having_cap, e);
		} while (at_constraint(p));
	}
	return ST_OK;
}

static bool at_order_key(const struct parser *p)
{
	return p->lex.token.kind == TOKEN_VAR || at_word(p, "ASC") ||
	       at_word(p, "DESC") || at_constraint(p);
}

static enum status parse_order_key(struct parser *p, struct query *q)
{
	struct order_key key = { 0 };
	uint32_t var;

	if (at_word(p, "ASC") || at_word(p, "DESC")) {
		key.descending = at_word(p, "DESC");
		lexer_next(&p->lex);
		TRY(expect_punct(p, "("));
		TRY(parse_expr(p, &key.expr));
		TRY(expect_punct(p, ")"));
	} else if (p->lex.token.kind == TOKEN_VAR) {
		TRY(parse_var(p, &var));
		key.expr = expr_of_var(p, var);
	} else {
		TRY(parse_constraint(p, &key.expr));
	}
	TREE_ADD(p, q->order, q->n_order, q->order_cap, key);
	return ST_OK;
}

static enum status parse_count(struct parser *p, uint64_t *ret)
{
	if (p->lex.token.kind != TOKEN_INTEGER ||
	    !str_to_uint(p->lex.token.text, UINT64_MAX, ret))
		return parse_expected(p, "a whole number");
	lexer_next(&p->lex);
	return ST_OK;
}

static enum status parse_slice(struct parser *p, struct query *q)
{
	bool has_offset = false;

	for (;;) {
		if (!q->has_limit && accept_word(p, "LIMIT")) {
			TRY(parse_count(p, &q->limit));
			q->has_limit = true;
		} else if (!has_offset && accept_word(p, "OFFSET")) {
			TRY(parse_count(p, &q->offset));
			has_offset = true;
		} else {
			return ST_OK;
		}
	}
}

static enum status parse_modifiers(struct parser *p, struct query *q)
{
	TRY(parse_grouping(p, q));
	if (accept_word(p, "ORDER")) {
		TRY(expect_word(p, "BY"));
		if (!at_order_key(p))
			return parse_expected(p, "a key to order by");
		while (at_order_key(p))
			TRY(parse_order_key(p, q));
	}
	p->aggregates_allowed = false;
	TRY(parse_slice(p, q));
	if (accept_word(p, "VALUES"))
		return parse_values(p, &q->values);
	return ST_OK;
}

/* SELECT * is all that the pattern shows, in the order of first mention. */
static void expand_star(struct parser *p, struct query *q)
{
	cleanup(map_release) struct map visible = { 0 };

	pattern_visible(q->where, &visible);
	if (q->values)
		pattern_visible(q->values, &visible);
	for (size_t i = 0; i < p->scope->n; i++)
		if (map_find(&visible, p->scope->v[i].var))
			TREE_ADD(p, q->items, q->n_items, q->items_cap,
				 (struct projection){ .var = p->scope->v[i].var });
}

/* After the word SELECT. */
enum status parse_select(struct parser *p, struct query *q)
{
	q->form = QUERY_SELECT;
	p->query = q;
	TRY(parse_select_clause(p, q));
	TRY(parse_dataset(p, &q->dataset));
	TRY(parse_where(p, q));
	TRY(parse_modifiers(p, q));
	TRY(check_select_scope(p, q));
	if (q->star)
		expand_star(p, q);
	return ST_OK;
}

/* CONSTRUCT WHERE { triples }: the pattern is the template. */
static enum status parse_short_construct(struct parser *p, struct query *q)
{
	TRY(expect_word(p, "WHERE"));
	TRY(expect_punct(p, "{"));
	q->where = pattern_new(p, PATTERN_BGP);
	p->bgp = ++p->n_bgps;
	TRY(parse_triples(p, false, &q->where->triples));
	TRY(check_levels(p, q->where->triples.n));
	q->template = q->where->triples;
	return expect_punct(p, "}");
}

static enum status parse_construct(struct parser *p, struct query *q)
{
	q->form = QUERY_CONSTRUCT;
	if (accept_punct(p, "{")) {
		p->bgp = ++p->n_bgps;
		TRY(parse_triples(p, false, &q->template));
		TRY(expect_punct(p, "}"));
		labels_reset(p); /* a template's have nothing to do with the pattern */
		TRY(parse_dataset(p, &q->dataset));
		TRY(parse_where(p, q));
	} else {
		TRY(parse_dataset(p, &q->dataset));
		TRY(parse_short_construct(p, q));
	}
	return parse_modifiers(p, q);
}

static enum status parse_describe(struct parser *p, struct query *q)
{
	q->form = QUERY_DESCRIBE;
	if (accept_punct(p, "*")) {
		q->star = true;
	} else {
		do {
			struct node n;

			TRY(parse_var_or_iri(p, &n));
			TREE_ADD(p, q->described, q->n_described, q->described_cap, n);
		} while (p->lex.token.kind == TOKEN_VAR || at_iri(p));
	}
	TRY(parse_dataset(p, &q->dataset));
	if (at_word(p, "WHERE") || at_punct(p, "{"))
		TRY(parse_where(p, q));
	else
		q->where = pattern_new(p, PATTERN_UNIT);
	TRY(parse_modifiers(p, q));
	if (q->star) {
		expand_star(p, q);
		for (size_t i = 0; i < q->n_items; i++)
			TREE_ADD(p, q->described, q->n_described, q->described_cap,
				 (struct node){ .is_var = true, .var = q->items[i].var });
	}
	return ST_OK;
}

enum status parse_query_form(struct parser *p, struct query *q)
{
	p->query = q;
	if (accept_word(p, "SELECT"))
		return parse_select(p, q);
	if (accept_word(p, "CONSTRUCT"))
		return parse_construct(p, q);
	if (accept_word(p, "DESCRIBE"))
		return parse_describe(p, q);
	TRY(accept_word(p, "ASK")
		    ? ST_OK
		    : parse_expected(p, "SELECT, CONSTRUCT, DESCRIBE or ASK"));
	q->form = QUERY_ASK;
	TRY(parse_dataset(p, &q->dataset));
	TRY(parse_where(p, q));
	return parse_modifiers(p, q);
}
