/* Groups and what stands in them: rules 53 to 68, made algebra as 18.2.2.6 says. */
#include "sparql/parser.h"

struct pattern *pattern_new(struct parser *p, enum pattern_kind kind)
{
	struct pattern *t = tree_alloc(p, sizeof(*t));

	t->kind = kind;
	t->var = VAR_NONE;
	t->number = p->request->n_patterns++;
	return t;
}

static struct pattern *pattern_two(struct parser *p, enum pattern_kind kind,
				   struct pattern *left, struct pattern *right)
{
	struct pattern *t = pattern_new(p, kind);

	t->left = left;
	t->right = right;
	return t;
}

/* A group as it grows: its algebra so far, its filters, its open triples block. */
struct group {
	struct pattern *so_far;
	struct expr_list filters;
	struct pattern
		*bgp;  /* triples are still added here; NULL once another pattern came */
	size_t levels; /* of stack that running `so_far` takes */
	size_t expr_levels; /* that the deepest of its expressions takes on top */
	struct map visible; /* variables that `so_far` shows, from the first BIND on */
	bool has_bind;
};

static void group_release(struct group *g)
{
	map_release(&g->visible);
}

static enum status add_levels(struct parser *p, struct group *g, size_t levels)
{
	g->levels += levels;
	return check_levels(p, g->levels);
}

/*
 * Join with the unit is the other side, but not for a group with filters in a
 * group: an OPTIONAL around takes the filters of its own group only.
 */
static enum status join(struct parser *p, struct group *g, struct pattern *next)
{
	if (g->has_bind)
		pattern_visible(next, &g->visible);
	if (g->so_far->kind == PATTERN_UNIT && next->kind != PATTERN_FILTER)
		g->so_far = next;
	else
		g->so_far = pattern_two(p, PATTERN_JOIN, g->so_far, next);
	return add_levels(p, g, next->levels + 1);
}

static void end_bgp(struct parser *p, struct group *g)
{
	if (g->bgp && g->has_bind)
		pattern_visible(g->bgp, &g->visible);
	g->bgp = NULL;
	p->bgp = ++p->n_bgps;
}

static enum status add_triples(struct parser *p, struct group *g)
{
	size_t before, levels = 0;

	if (!g->bgp) {
		g->bgp = pattern_new(p, PATTERN_BGP);
		TRY(join(p, g, g->bgp));
	}
	before = g->bgp->triples.n;
	TRY(parse_triples(p, true, &g->bgp->triples));
	for (size_t i = before; i < g->bgp->triples.n; i++) {
		const struct path *path = g->bgp->triples.v[i].path;

		levels += 1 + (path ? path->levels : 0);
	}
	return add_levels(p, g, levels);
}

static enum status add_filter(struct parser *p, struct group *g)
{
	struct expr *e;
	unsigned bgp = p->bgp;

	if (!at_constraint(p))
		return parse_expected(p, "a bracketed expression or a function");
	TRY(parse_constraint(p, &e));
	p->bgp = bgp; /* an EXISTS inside has patterns of its own */
	TREE_ADD(p, g->filters.v, g->filters.n, g->filters.cap, e);
	g->expr_levels = MAX(g->expr_levels, e->levels);
	return ST_OK;
}

static enum status add_optional(struct parser *p, struct group *g)
{
	struct pattern *right, *t;

	TRY(parse_group(p, &right));
	t = pattern_two(p, PATTERN_LEFT_JOIN, g->so_far, right);
	if (right->kind == PATTERN_FILTER) {
		t->expr = right->expr;
		t->right = right->left;
	}
	if (g->has_bind)
		pattern_visible(right, &g->visible);
	g->so_far = t;
	return add_levels(p, g, right->levels + 1);
}

static enum status add_bind(struct parser *p, struct group *g)
{
	struct pattern *t = pattern_new(p, PATTERN_EXTEND);
	size_t at;

	TRY(expect_punct(p, "("));
	TRY(parse_expr(p, &t->expr));
	TRY(expect_word(p, "AS"));
	at = p->lex.token.at;
	TRY(parse_var(p, &t->var));
	TRY(expect_punct(p, ")"));
	if (!g->has_bind)
		pattern_visible(g->so_far, &g->visible);
	g->has_bind = true;
	if (map_find(&g->visible, t->var))
		return parse_fail_at(p, at,
				     "BIND to ?" STR_FMT ", which is bound already",
				     STR_ARG(p->request->vars[t->var]));
	map_add(&g->visible, t->var, NULL);
	g->expr_levels = MAX(g->expr_levels, t->expr->levels);
	t->left = g->so_far;
	g->so_far = t;
	return add_levels(p, g, 1);
}

/* The branches stay in their order; a tree of few levels, however many they are. */
static struct pattern *union_of(struct parser *p, struct pattern *const *v, size_t n)
{
	struct pattern *t;

	if (n == 1)
		return v[0];
	t = pattern_two(p, PATTERN_UNION, union_of(p, v, n / 2),
			union_of(p, v + n / 2, n - n / 2));
	t->levels = MAX(t->left->levels, t->right->levels) + 1;
	return t;
}

static enum status parse_union(struct parser *p, struct pattern **ret)
{
	struct pattern *one, **all = NULL;
	size_t n = 0, cap = 0;

	do {
		TRY(parse_group(p, &one));
		TREE_ADD(p, all, n, cap, one);
	} while (accept_word(p, "UNION"));
	*ret = union_of(p, all, n);
	return ST_OK;
}

static enum status parse_graph(struct parser *p, struct pattern **ret)
{
	struct pattern *t = pattern_new(p, PATTERN_GRAPH);

	TRY(parse_var_or_iri(p, &t->name));
	*ret = t;
	TRY(parse_group(p, &t->left));
	t->levels = t->left->levels + 1;
	return ST_OK;
}

/* The remote side parses the group itself, so it needs our prefixes. */
static struct str service_prologue(struct parser *p)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (p->prologue.n && p->n_prologue == p->n_prefixes)
		return p->prologue;
	if (p->request->base.n)
		buf_addf(&b, "BASE <" STR_FMT ">\n", STR_ARG(p->request->base));
	for (size_t i = 0; i < p->n_prefixes; i++)
		buf_addf(&b, "PREFIX " STR_FMT ": <" STR_FMT ">\n",
			 STR_ARG(p->prefixes[i].name), STR_ARG(p->prefixes[i].iri));
	buf_add(&b, STR("SELECT * "));
	p->n_prologue = p->n_prefixes;
	p->prologue = arena_copy(&p->request->arena, buf_str(&b));
	return p->prologue;
}

static enum status parse_service(struct parser *p, struct pattern **ret)
{
	struct pattern *t = pattern_new(p, PATTERN_SERVICE);
	size_t from, to;

	t->silent = accept_word(p, "SILENT");
	TRY(parse_var_or_iri(p, &t->name));
	from = p->lex.token.at;
	TRY(parse_group(p, &t->left));
	for (to = p->lex.token.at; to > from && p->lex.in.p[to - 1] != '}';)
		to--;
	t->prologue = service_prologue(p);
	t->text = str_slice(p->lex.in, from, to);
	t->levels = t->left->levels + 1;
	*ret = t;
	return ST_OK;
}

static enum status parse_cell(struct parser *p, struct term *ret)
{
	if (accept_word(p, "UNDEF")) {
		*ret = (struct term){ 0 };
		return ST_OK;
	}
	if (at_iri(p))
		return parse_iri(p, ret);
	if (at_literal(p))
		return parse_literal(p, ret);
	return parse_expected(p, "an IRI, a literal or UNDEF");
}

static enum status parse_row(struct parser *p, struct values *v)
{
	size_t at = p->lex.token.at, n = 0;
	struct term cell;

	TRY(expect_punct(p, "("));
	for (; !accept_punct(p, ")"); n++) {
		TRY(parse_cell(p, &cell));
		TREE_ADD(p, v->cells, v->n_cells, v->cells_cap, cell);
	}
	if (n != v->n_vars)
		return parse_fail_at(p, at, "%zu values for %zu variables", n, v->n_vars);
	v->n_rows++;
	return ST_OK;
}

static enum status parse_value_vars(struct parser *p, struct values *v, bool *ret_single)
{
	uint32_t var;

	*ret_single = !at_punct(p, "(");
	if (*ret_single) {
		TRY(parse_var(p, &var));
		TREE_ADD(p, v->vars, v->n_vars, v->vars_cap, var);
		return ST_OK;
	}
	lexer_next(&p->lex);
	while (!accept_punct(p, ")")) {
		TRY(parse_var(p, &var));
		TREE_ADD(p, v->vars, v->n_vars, v->vars_cap, var);
	}
	return ST_OK;
}

enum status parse_values(struct parser *p, struct pattern **ret)
{
	struct pattern *t = pattern_new(p, PATTERN_VALUES);
	struct values *v = &t->values;
	struct term cell;
	bool single;

	TRY(parse_value_vars(p, v, &single));
	TRY(expect_punct(p, "{"));
	while (!accept_punct(p, "}")) {
		if (!single) {
			TRY(parse_row(p, v));
			continue;
		}
		TRY(parse_cell(p, &cell));
		TREE_ADD(p, v->cells, v->n_cells, v->cells_cap, cell);
		v->n_rows++;
	}
	*ret = t;
	return ST_OK;
}

/* What is not triples; ST_NOT_FOUND when nothing of the kind is at hand. */
static enum status add_element(struct parser *p, struct group *g)
{
	struct pattern *next = NULL;

	if (accept_word(p, "FILTER"))
		return add_filter(p, g);
	end_bgp(p, g);
	if (accept_word(p, "OPTIONAL"))
		return add_optional(p, g);
	if (accept_word(p, "BIND"))
		return add_bind(p, g);
	if (accept_word(p, "MINUS")) {
		TRY(parse_group(p, &next));
		g->so_far = pattern_two(p, PATTERN_MINUS, g->so_far, next);
		return add_levels(p, g, next->levels + 1);
	}
	if (accept_word(p, "GRAPH"))
		TRY(parse_graph(p, &next));
	else if (accept_word(p, "SERVICE"))
		TRY(parse_service(p, &next));
	else if (accept_word(p, "VALUES"))
		TRY(parse_values(p, &next));
	else if (at_punct(p, "{"))
		TRY(parse_union(p, &next));
	else
		return parse_expected(p, "a pattern or '}'");
	return join(p, g, next);
}

static enum status parse_elements(struct parser *p, struct pattern **ret)
{
	cleanup(group_release) struct group g = { .so_far =
							  pattern_new(p, PATTERN_UNIT) };

	end_bgp(p, &g);
	while (!accept_punct(p, "}")) {
		if (at_triples(p)) {
			TRY(add_triples(p, &g));
			if (at_triples(p))
				return parse_expected(p, "'.' or '}'");
			continue;
		}
		TRY(add_element(p, &g));
		if (accept_punct(p, ".") && at_punct(p, "."))
			return parse_expected(p, "a pattern or '}'");
	}
	end_bgp(p, &g);
	*ret = g.so_far;
	if (g.filters.n) {
		*ret = pattern_new(p, PATTERN_FILTER);
		(*ret)->left = g.so_far;
		(*ret)->expr = expr_balanced(p, EXPR_AND, g.filters.v, g.filters.n);
		g.expr_levels = MAX(g.expr_levels, (*ret)->expr->levels);
	}
	(*ret)->levels = (uint32_t)(g.levels + g.expr_levels + 1);
	return check_levels(p, (*ret)->levels);
}

#define SELECT_LEVELS 10 /* grouping, ordering and so on */

/* A select has a scope of its own; what it projects gets an outer variable. */
static enum status parse_sub_select(struct parser *p, struct pattern **ret)
{
	struct pattern *t = pattern_new(p, PATTERN_SELECT);
	struct scope *outer = p->scope;
	struct query *outer_query = p->query;
	bool allowed = p->aggregates_allowed, inside = p->inside_aggregate;

	t->select = tree_alloc(p, sizeof(*t->select));
	p->scope = scope_new(p);
	p->aggregates_allowed = p->inside_aggregate = false;
	lexer_next(&p->lex);
	TRY(parse_select(p, t->select));
	p->scope = outer;
	p->query = outer_query;
	p->aggregates_allowed = allowed;
	p->inside_aggregate = inside;
	t->outer = tree_alloc(p, (t->select->n_items + 1) * sizeof(*t->outer));
	for (size_t i = 0; i < t->select->n_items; i++)
		t->outer[i] = var_named(p, p->request->vars[t->select->items[i].var]);
	t->levels = t->select->where->levels + SELECT_LEVELS;
	*ret = t;
	return expect_punct(p, "}");
}

enum status parse_group(struct parser *p, struct pattern **ret)
{
	TRY(enter(p));
	TRY(expect_punct(p, "{"));
	if (at_word(p, "SELECT"))
		TRY(parse_sub_select(p, ret));
	else
		TRY(parse_elements(p, ret));
	leave(p);
	return ST_OK;
}
