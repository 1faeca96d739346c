/* Triples and property paths: rules 52 to 109 of the grammar. */
#include "base/hash.h"
#include "sparql/parser.h"

static struct node node_var(uint32_t var)
{
	return (struct node){ .is_var = true, .var = var };
}

static struct node node_term(struct term t)
{
	return (struct node){ .term = t };
}

static const struct label *find_label(const struct parser *p, struct str name)
{
	const uint64_t *at = map_find(&p->label_at, hash64(name));

	if (at && str_eq(p->labels[*at - 1].name, name))
		return &p->labels[*at - 1];
	for (size_t i = 0; at && i < p->n_labels; i++)
		if (str_eq(p->labels[i].name, name))
			return &p->labels[i];
	return NULL;
}

static const struct label *add_label(struct parser *p, struct str name)
{
	struct label l = { name, var_fresh(p, "blank"), p->bgp, p->operation };
	bool is_new;

	TREE_ADD(p, p->labels, p->n_labels, p->labels_cap, l);
	uint64_t *at = map_add(&p->label_at, hash64(name), &is_new);
	if (is_new)
		*at = p->n_labels;
	return &p->labels[p->n_labels - 1];
}

/*
 * A label means one thing in one basic graph pattern, and may not be used in
 * another (4.1.4); in updates, neither in another operation.
 */
static enum status parse_label(struct parser *p, struct node *ret)
{
	struct str name = p->lex.token.text;
	size_t at = p->lex.token.at;

	if (p->no_blanks)
		return parse_fail_at(p, at, "no blank node may stand in DELETE");
	lexer_next(&p->lex);
	const struct label *l = find_label(p, name);
	if (!l)
		l = add_label(p, name);
	if (l->operation != p->operation || l->bgp != p->bgp)
		return parse_fail_at(p, at, "label _:" STR_FMT " was used in another %s",
				     STR_ARG(name),
				     l->operation != p->operation ? "operation"
								  : "group");
	*ret = node_var(l->var);
	return ST_OK;
}

static enum status fresh_blank(struct parser *p, struct node *ret)
{
	if (p->no_blanks)
		return parse_fail_at(p, p->lex.token.at,
				     "no blank node may stand in DELETE");
	*ret = node_var(var_fresh(p, "blank"));
	return ST_OK;
}

enum status parse_var_or_iri(struct parser *p, struct node *ret)
{
	*ret = (struct node){ 0 };
	if (p->lex.token.kind == TOKEN_VAR) {
		ret->is_var = true;
		return parse_var(p, &ret->var);
	}
	if (!at_iri(p))
		return parse_expected(p, "a variable or an IRI");
	return parse_iri(p, &ret->term);
}

static bool next_is(struct parser *p, const char *punct)
{
	struct token t = lexer_peek(&p->lex);

	return t.kind == TOKEN_PUNCT && str_eq(t.text, str_from(punct));
}

enum status parse_var_or_term(struct parser *p, struct node *ret)
{
	*ret = (struct node){ 0 };
	if (p->lex.token.kind == TOKEN_BLANK)
		return parse_label(p, ret);
	if (at_punct(p, "[") && next_is(p, "]")) {
		lexer_next(&p->lex);
		lexer_next(&p->lex);
		return fresh_blank(p, ret);
	}
	if (at_punct(p, "(") && next_is(p, ")")) {
		lexer_next(&p->lex);
		lexer_next(&p->lex);
		*ret = node_term(term_iri(STR(RDF "nil")));
		return ST_OK;
	}
	if (at_literal(p))
		return parse_literal(p, &ret->term);
	return parse_var_or_iri(p, ret);
}

bool at_triples(const struct parser *p)
{
	return p->lex.token.kind == TOKEN_VAR || at_iri(p) ||
	       p->lex.token.kind == TOKEN_BLANK || at_literal(p) || at_punct(p, "[") ||
	       at_punct(p, "(");
}

/* --- paths --- */

static enum status parse_path(struct parser *p, struct path **ret);

/* The parts of a sequence are walked inside each other, those of a choice in turn. */
static void add_child(struct parser *p, struct path *path, struct path *child)
{
	TREE_ADD(p, path->children, path->n, path->cap, child);
	path->levels = path->kind == PATH_SEQUENCE ? path->levels + child->levels + 1
						   : MAX(path->levels, child->levels + 1);
}

static struct path *path_new(struct parser *p, enum path_kind kind, struct path *child)
{
	struct path *path = tree_alloc(p, sizeof(*path));

	path->kind = kind;
	path->levels = 1;
	if (child)
		add_child(p, path, child);
	return path;
}

/* "a" or an IRI. */
static enum status parse_path_iri(struct parser *p, struct path **ret)
{
	*ret = path_new(p, PATH_IRI, NULL);
	if (p->lex.token.kind == TOKEN_WORD && str_eq(p->lex.token.text, STR("a"))) {
		lexer_next(&p->lex);
		(*ret)->iri = term_iri(STR(RDF "type"));
		return ST_OK;
	}
	if (!at_iri(p))
		return parse_expected(p,
				      "a predicate: a variable, an IRI, 'a' or a path");
	return parse_iri(p, &(*ret)->iri);
}

static enum status parse_negated_one(struct parser *p, struct path *set)
{
	bool inverse = accept_punct(p, "^");
	struct path *one;

	TRY(parse_path_iri(p, &one));
	if (inverse)
		one = path_new(p, PATH_INVERSE, one);
	add_child(p, set, one);
	return ST_OK;
}

static enum status parse_negated(struct parser *p, struct path **ret)
{
	*ret = path_new(p, PATH_NEGATED, NULL);
	if (!accept_punct(p, "("))
		return parse_negated_one(p, *ret);
	if (accept_punct(p, ")"))
		return ST_OK;
	do
		TRY(parse_negated_one(p, *ret));
	while (accept_punct(p, "|"));
	return expect_punct(p, ")");
}

static enum status parse_path_element(struct parser *p, struct path **ret)
{
	if (accept_punct(p, "(")) {
		TRY(parse_path(p, ret));
		TRY(expect_punct(p, ")"));
	} else if (accept_punct(p, "!")) {
		TRY(parse_negated(p, ret));
	} else {
		TRY(parse_path_iri(p, ret));
	}
	if (accept_punct(p, "*"))
		*ret = path_new(p, PATH_ZERO_OR_MORE, *ret);
	else if (accept_punct(p, "+"))
		*ret = path_new(p, PATH_ONE_OR_MORE, *ret);
	else if (accept_punct(p, "?"))
		*ret = path_new(p, PATH_ZERO_OR_ONE, *ret);
	return ST_OK;
}

static enum status parse_path_sequence(struct parser *p, struct path **ret)
{
	struct path *sequence = path_new(p, PATH_SEQUENCE, NULL);

	do {
		bool inverse = accept_punct(p, "^");
		struct path *one;

		TRY(parse_path_element(p, &one));
		if (inverse)
			one = path_new(p, PATH_INVERSE, one);
		add_child(p, sequence, one);
		TRY(check_levels(p, sequence->levels));
	} while (accept_punct(p, "/"));
	*ret = sequence->n == 1 ? sequence->children[0] : sequence;
	return ST_OK;
}

static enum status parse_path(struct parser *p, struct path **ret)
{
	struct path *alternative = path_new(p, PATH_ALTERNATIVE, NULL), *one;

	TRY(enter(p));
	do {
		TRY(parse_path_sequence(p, &one));
		add_child(p, alternative, one);
	} while (accept_punct(p, "|"));
	leave(p);
	*ret = alternative->n == 1 ? alternative->children[0] : alternative;
	return ST_OK;
}

/* --- triples --- */

static void add_triple(struct parser *p, struct triples *to, struct node s, struct node v,
		       struct node o)
{
	TREE_ADD(p, to->v, to->n, to->cap, (struct triple){ s, v, o, NULL });
}

/*
 * 18.2.2.4: a plain IRI, an inverse and a sequence become triples again, with
 * fresh variables between; what repeats or chooses stays a path.
 */
static void add_path(struct parser *p, struct triples *to, struct node s,
		     struct path *path, struct node o)
{
	if (path->kind == PATH_IRI) {
		add_triple(p, to, s, node_term(path->iri), o);
	} else if (path->kind == PATH_INVERSE) {
		add_path(p, to, o, path->children[0], s);
	} else if (path->kind == PATH_SEQUENCE) {
		for (size_t i = 0; i < path->n; i++) {
			struct node end =
				i + 1 == path->n ? o : node_var(var_fresh(p, "path"));

			add_path(p, to, s, path->children[i], end);
			s = end;
		}
	} else {
		TREE_ADD(p, to->v, to->n, to->cap,
			 (struct triple){ .subject = s, .object = o, .path = path });
	}
}

static enum status parse_properties(struct parser *p, bool paths, struct node subject,
				    struct triples *to);
static enum status parse_object_node(struct parser *p, bool paths, struct triples *to,
				     struct node *ret);

static enum status parse_collection(struct parser *p, bool paths, struct triples *to,
				    struct node *ret)
{
	struct node first = node_term(term_iri(STR(RDF "first")));
	struct node rest = node_term(term_iri(STR(RDF "rest")));
	struct node at, item, next;

	TRY(fresh_blank(p, &at));
	*ret = at;
	for (;;) {
		TRY(parse_object_node(p, paths, to, &item));
		add_triple(p, to, at, first, item);
		if (accept_punct(p, ")"))
			break;
		TRY(fresh_blank(p, &next));
		add_triple(p, to, at, rest, next);
		at = next;
	}
	add_triple(p, to, at, rest, node_term(term_iri(STR(RDF "nil"))));
	return ST_OK;
}

static enum status parse_bracketed(struct parser *p, bool paths, struct triples *to,
				   struct node *ret)
{
	TRY(fresh_blank(p, ret));
	TRY(parse_properties(p, paths, *ret, to));
	return expect_punct(p, "]");
}

/* A term, or a collection or bracket, whose triples are added. */
static enum status parse_object_node(struct parser *p, bool paths, struct triples *to,
				     struct node *ret)
{
	TRY(enter(p));
	if (at_punct(p, "(") && !next_is(p, ")")) {
		lexer_next(&p->lex);
		TRY(parse_collection(p, paths, to, ret));
	} else if (at_punct(p, "[") && !next_is(p, "]")) {
		lexer_next(&p->lex);
		TRY(parse_bracketed(p, paths, to, ret));
	} else {
		TRY(parse_var_or_term(p, ret));
	}
	leave(p);
	return ST_OK;
}

static enum status parse_objects(struct parser *p, bool paths, struct node subject,
				 struct node verb, struct path *path, struct triples *to)
{
	do {
		struct node object;

		TRY(parse_object_node(p, paths, to, &object));
		if (path)
			add_path(p, to, subject, path, object);
		else
			add_triple(p, to, subject, verb, object);
	} while (accept_punct(p, ","));
	return ST_OK;
}

static bool at_verb(const struct parser *p, bool paths)
{
	if (p->lex.token.kind == TOKEN_VAR || at_iri(p))
		return true;
	if (p->lex.token.kind == TOKEN_WORD && str_eq(p->lex.token.text, STR("a")))
		return true;
	return paths && (at_punct(p, "^") || at_punct(p, "!") || at_punct(p, "("));
}

static enum status parse_properties(struct parser *p, bool paths, struct node subject,
				    struct triples *to)
{
	do {
		struct node verb = { 0 };
		struct path *path = NULL;

		if (!at_verb(p, paths)) {
			if (at_punct(p, ";"))
				continue;
			break;
		}
		if (p->lex.token.kind == TOKEN_VAR)
			TRY(parse_var_or_iri(p, &verb));
		else if (paths)
			TRY(parse_path(p, &path));
		else
			TRY(parse_path_iri(p, &path));
		TRY(parse_objects(p, paths, subject, verb, path, to));
	} while (accept_punct(p, ";"));
	return ST_OK;
}

/* One subject with its properties. */
static enum status parse_same_subject(struct parser *p, bool paths, struct triples *to)
{
	struct node subject;
	size_t before = to->n;

	TRY(parse_object_node(p, paths, to, &subject));
	bool needs_verb = to->n == before; /* a bracket or list may stand alone */
	if (needs_verb && !at_verb(p, paths))
		return parse_expected(p,
				      "a predicate: a variable, an IRI, 'a' or a path");
	return parse_properties(p, paths, subject, to);
}

enum status parse_triples(struct parser *p, bool paths, struct triples *to)
{
	do {
		if (!at_triples(p))
			return ST_OK;
		TRY(parse_same_subject(p, paths, to));
	} while (accept_punct(p, "."));
	return ST_OK;
}
