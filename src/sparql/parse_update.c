/* SPARQL 1.1 Update: rules 29 to 52. */
#include "sparql/parser.h"

/* GRAPH iri, or an IRI alone where `keyword_optional`. */
static enum status parse_graph_iri(struct parser *p, struct term *ret)
{
	TRY(expect_word(p, "GRAPH"));
	return parse_iri(p, ret);
}

static enum status parse_load(struct parser *p, struct update *u)
{
	u->kind = UPDATE_LOAD;
	u->silent = accept_word(p, "SILENT");
	TRY(parse_iri(p, &u->source));
	if (accept_word(p, "INTO"))
		return parse_graph_iri(p, &u->graph);
	return ST_OK;
}

static enum status parse_target(struct parser *p, enum update_kind kind, struct update *u)
{
	u->kind = kind;
	u->silent = accept_word(p, "SILENT");
	if (accept_word(p, "DEFAULT"))
		u->target = TARGET_DEFAULT;
	else if (accept_word(p, "NAMED"))
		u->target = TARGET_NAMED;
	else if (accept_word(p, "ALL"))
		u->target = TARGET_ALL;
	else if (at_word(p, "GRAPH"))
		return parse_graph_iri(p, &u->graph);
	else
		return parse_expected(p, "GRAPH, DEFAULT, NAMED or ALL");
	return ST_OK;
}

/* DEFAULT, or a graph with or without the keyword. */
static enum status parse_graph_or_default(struct parser *p, struct term *ret)
{
	*ret = (struct term){ 0 };
	if (accept_word(p, "DEFAULT"))
		return ST_OK;
	(void)accept_word(p, "GRAPH");
	return parse_iri(p, ret);
}

static enum status parse_transfer(struct parser *p, enum update_kind kind,
				  struct update *u)
{
	u->kind = kind;
	u->silent = accept_word(p, "SILENT");
	TRY(parse_graph_or_default(p, &u->source));
	TRY(expect_word(p, "TO"));
	return parse_graph_or_default(p, &u->graph);
}

static void add_quads(struct parser *p, struct quads *to, const struct triples *from,
		      const struct node *graph)
{
	for (size_t i = 0; i < from->n; i++) {
		struct quad_template q = { .triple = from->v[i] };

		if (graph) {
			q.has_graph = true;
			q.graph = *graph;
		}
		TREE_ADD(p, to->v, to->n, to->cap, q);
	}
}

static enum status parse_quads_in_graph(struct parser *p, struct quads *to)
{
	struct triples triples = { 0 };
	struct node graph;

	TRY(parse_var_or_iri(p, &graph));
	TRY(expect_punct(p, "{"));
	TRY(parse_triples(p, false, &triples));
	add_quads(p, to, &triples, &graph);
	return expect_punct(p, "}");
}

static enum status parse_quads(struct parser *p, struct quads *to)
{
	p->bgp = ++p->n_bgps; /* one scope of labels for the whole template */
	TRY(expect_punct(p, "{"));
	while (!accept_punct(p, "}")) {
		struct triples triples = { 0 };

		if (accept_word(p, "GRAPH")) {
			TRY(parse_quads_in_graph(p, to));
			(void)accept_punct(p, ".");
		} else if (at_triples(p)) {
			TRY(parse_triples(p, false, &triples));
			add_quads(p, to, &triples, NULL);
			if (!at_word(p, "GRAPH") && !at_punct(p, "}"))
				return parse_expected(p, "'.' or '}'");
		} else {
			return parse_expected(p, "triples, GRAPH or '}'");
		}
	}
	return ST_OK;
}

static enum status parse_data(struct parser *p, enum update_kind kind, struct update *u)
{
	enum status st;

	u->kind = kind;
	p->ground = true;
	p->no_blanks = kind == UPDATE_DELETE_DATA;
	st = parse_quads(p, kind == UPDATE_DELETE_DATA ? &u->deletions : &u->insertions);
	p->ground = p->no_blanks = false;
	return st;
}

static enum status parse_deletions(struct parser *p, struct update *u)
{
	enum status st;

	p->no_blanks = true;
	st = parse_quads(p, &u->deletions);
	p->no_blanks = false;
	return st;
}

/* The quads of DELETE WHERE as a pattern. */
static struct pattern *pattern_of_quads(struct parser *p, const struct quads *quads)
{
	struct pattern *all = pattern_new(p, PATTERN_UNIT);

	for (size_t i = 0; i < quads->n; i++) {
		struct pattern *one = pattern_new(p, PATTERN_BGP), *both;

		TREE_ADD(p, one->triples.v, one->triples.n, one->triples.cap,
			 quads->v[i].triple);
		if (quads->v[i].has_graph) {
			struct pattern *graph = pattern_new(p, PATTERN_GRAPH);

			graph->name = quads->v[i].graph;
			graph->left = one;
			one = graph;
		}
		both = pattern_new(p, PATTERN_JOIN);
		both->left = all;
		both->right = one;
		all = all->kind == PATTERN_UNIT ? one : both;
	}
	return all;
}

static enum status parse_using(struct parser *p, struct dataset *d)
{
	while (accept_word(p, "USING")) {
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

/* After the templates. */
static enum status parse_modify_rest(struct parser *p, struct update *u)
{
	u->kind = UPDATE_MODIFY;
	TRY(parse_using(p, &u->using));
	TRY(expect_word(p, "WHERE"));
	return parse_group(p, &u->where);
}

static enum status parse_delete(struct parser *p, struct update *u)
{
	if (accept_word(p, "DATA"))
		return parse_data(p, UPDATE_DELETE_DATA, u);
	if (accept_word(p, "WHERE")) {
		u->kind = UPDATE_MODIFY;
		TRY(parse_deletions(p, u));
		u->where = pattern_of_quads(p, &u->deletions);
		return check_levels(p, 2 * u->deletions.n);
	}
	TRY(parse_deletions(p, u));
	if (accept_word(p, "INSERT")) {
		TRY(parse_quads(p, &u->insertions));
		labels_reset(p);
	}
	return parse_modify_rest(p, u);
}

static enum status parse_insert(struct parser *p, struct update *u)
{
	if (accept_word(p, "DATA"))
		return parse_data(p, UPDATE_INSERT_DATA, u);
	TRY(parse_quads(p, &u->insertions));
	labels_reset(p); /* those of a template have nothing to do with the pattern */
	return parse_modify_rest(p, u);
}

static enum status parse_with(struct parser *p, struct update *u)
{
	TRY(parse_iri(p, &u->with));
	if (at_word(p, "DELETE") || at_word(p, "INSERT")) {
		struct token next = lexer_peek(&p->lex);

		if (next.kind == TOKEN_WORD)
			return parse_fail_at(p, next.at, "expected '{' after WITH ... %s",
					     at_word(p, "DELETE") ? "DELETE" : "INSERT");
	}
	if (accept_word(p, "DELETE"))
		return parse_delete(p, u);
	TRY(expect_word(p, "INSERT"));
	return parse_insert(p, u);
}

static enum status parse_operation(struct parser *p, struct update *u)
{
	if (accept_word(p, "LOAD"))
		return parse_load(p, u);
	if (accept_word(p, "CLEAR"))
		return parse_target(p, UPDATE_CLEAR, u);
	if (accept_word(p, "DROP"))
		return parse_target(p, UPDATE_DROP, u);
	if (accept_word(p, "CREATE")) {
		u->kind = UPDATE_CREATE;
		u->silent = accept_word(p, "SILENT");
		return parse_graph_iri(p, &u->graph);
	}
	if (accept_word(p, "ADD"))
		return parse_transfer(p, UPDATE_ADD, u);
	if (accept_word(p, "MOVE"))
		return parse_transfer(p, UPDATE_MOVE, u);
	if (accept_word(p, "COPY"))
		return parse_transfer(p, UPDATE_COPY, u);
	if (accept_word(p, "WITH"))
		return parse_with(p, u);
	if (accept_word(p, "DELETE"))
		return parse_delete(p, u);
	if (accept_word(p, "INSERT"))
		return parse_insert(p, u);
	return parse_expected(p, "an update operation");
}

enum status parse_updates(struct parser *p)
{
	struct request *r = p->request;

	for (;;) {
		struct update u = { 0 };

		TRY(parse_prologue(p));
		if (p->lex.token.kind == TOKEN_END)
			return ST_OK;
		p->operation++;
		p->scope = scope_new(p);
		TRY(parse_operation(p, &u));
		TREE_ADD(p, r->updates, r->n_updates, r->updates_cap, u);
		if (!accept_punct(p, ";"))
			return ST_OK;
	}
}
