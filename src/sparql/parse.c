#include "sparql/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "rdf/iri.h"
#include "sparql/parser.h"

enum status parse_fail_at(struct parser *p, size_t at, const char *fmt, ...)
{
	unsigned line, column;
	char text[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	lexer_position(&p->lex, at, &line, &column);
	return diag_fail(p->why, ST_SYNTAX, "line %u column %u: %s", line, column, text);
}

enum status parse_expected(struct parser *p, const char *what)
{
	const struct token *t = &p->lex.token;
	struct str found = str_slice(p->lex.in, t->at, MIN(t->end, t->at + 40));

	if (t->kind == TOKEN_BAD)
		return parse_fail_at(p, p->lex.at, STR_FMT, STR_ARG(t->text));
	if (t->kind == TOKEN_END)
		return parse_fail_at(p, t->at, "expected %s, found the end", what);
	return parse_fail_at(p, t->at, "expected %s, found '" STR_FMT "'", what,
			     STR_ARG(found));
}

bool at_punct(const struct parser *p, const char *text)
{
	return p->lex.token.kind == TOKEN_PUNCT &&
	       str_eq(p->lex.token.text, str_from(text));
}

bool at_word(const struct parser *p, const char *word)
{
	return p->lex.token.kind == TOKEN_WORD &&
	       str_eq_nocase(p->lex.token.text, str_from(word));
}

bool accept_punct(struct parser *p, const char *text)
{
	bool yes = at_punct(p, text);

	if (yes)
		lexer_next(&p->lex);
	return yes;
}

bool accept_word(struct parser *p, const char *word)
{
	bool yes = at_word(p, word);

	if (yes)
		lexer_next(&p->lex);
	return yes;
}

enum status expect_punct(struct parser *p, const char *text)
{
	char want[16];

	if (accept_punct(p, text))
		return ST_OK;
	snprintf(want, sizeof(want), "'%s'", text);
	return parse_expected(p, want);
}

enum status expect_word(struct parser *p, const char *word)
{
	return accept_word(p, word) ? ST_OK : parse_expected(p, word);
}

enum status enter(struct parser *p)
{
	if (++p->depth > SPARQL_DEPTH_MAX)
		return parse_fail_at(p, p->lex.token.at, "nested more than %d deep",
				     SPARQL_DEPTH_MAX);
	return ST_OK;
}

enum status check_levels(struct parser *p, size_t levels)
{
	if (levels > SPARQL_LEVELS_MAX)
		return parse_fail_at(
			p, p->lex.token.at,
			"more than %d levels: triples, OPTIONALs or operands "
			"that follow each other",
			SPARQL_LEVELS_MAX);
	return ST_OK;
}

void *tree_alloc(struct parser *p, size_t size)
{
	void *m = arena_alloc(&p->request->arena, size);

	memset(m, 0, size);
	return m;
}

void *tree_grow(struct parser *p, const void *v, size_t n, size_t size, size_t *cap)
{
	size_t more = *cap ? 2 * *cap : 4;
	void *m = arena_alloc(&p->request->arena, more * size);

	if (n)
		memcpy(m, v, n * size);
	*cap = more;
	return m;
}

static uint32_t add_var(struct parser *p, struct str name)
{
	struct request *r = p->request;

	TREE_ADD(p, r->vars, r->n_vars, r->vars_cap, arena_copy(&r->arena, name));
	return (uint32_t)(r->n_vars - 1);
}

struct scope *scope_new(struct parser *p)
{
	struct scope *s = tree_alloc(p, sizeof(*s));

	s->number = ++p->n_scopes;
	return s;
}

void labels_reset(struct parser *p)
{
	p->n_labels = 0;
	map_reset(&p->label_at);
}

uint32_t var_named(struct parser *p, struct str name)
{
	struct scope *s = p->scope;
	bool is_new;
	uint64_t *at = map_add(&p->var_at, hash64_seeded(name, s->number), &is_new);

	if (!is_new && *at <= s->n && str_eq(s->v[*at - 1].name, name))
		return s->v[*at - 1].var;
	for (size_t i = 0; !is_new && i < s->n; i++)
		if (str_eq(s->v[i].name, name))
			return s->v[i].var;
	TREE_ADD(p, s->v, s->n, s->cap, (struct scope_var){ name, add_var(p, name) });
	if (is_new)
		*at = s->n;
	return s->v[s->n - 1].var;
}

uint32_t var_fresh(struct parser *p, const char *kind)
{
	char name[40];

	snprintf(name, sizeof(name), "_%s%u", kind, p->n_fresh++);
	return add_var(p, str_from(name));
}

static struct str resolve(struct parser *p, struct str reference)
{
	cleanup(buf_release) struct buf b = { 0 };

	iri_resolve(p->request->base, reference, &b);
	return arena_copy(&p->request->arena, buf_str(&b));
}

static enum status parse_prefix(struct parser *p)
{
	struct str name = p->lex.token.text;

	if (p->lex.token.kind != TOKEN_PNAME || p->lex.token.local.n)
		return parse_expected(p, "a prefix and ':'");
	lexer_next(&p->lex);
	if (p->lex.token.kind != TOKEN_IRI)
		return parse_expected(p, "an IRI in '<>'");
	TREE_ADD(p, p->prefixes, p->n_prefixes, p->prefixes_cap,
		 (struct prefix){ name, resolve(p, p->lex.token.text) });
	*map_add(&p->prefix_at, hash64(name), NULL) = p->n_prefixes;
	lexer_next(&p->lex);
	return ST_OK;
}

enum status parse_prologue(struct parser *p)
{
	for (;;) {
		if (accept_word(p, "PREFIX")) {
			TRY(parse_prefix(p));
		} else if (accept_word(p, "BASE")) {
			if (p->lex.token.kind != TOKEN_IRI)
				return parse_expected(p, "an IRI in '<>'");
			p->request->base = resolve(p, p->lex.token.text);
			p->prologue = (struct str){ 0 };
			lexer_next(&p->lex);
		} else {
			return ST_OK;
		}
	}
}

enum status parse_var(struct parser *p, uint32_t *ret)
{
	if (p->lex.token.kind != TOKEN_VAR)
		return parse_expected(p, "a variable");
	if (p->ground)
		return parse_fail_at(p, p->lex.token.at, "no variable may stand in DATA");
	*ret = var_named(p, p->lex.token.text);
	lexer_next(&p->lex);
	return ST_OK;
}

bool at_iri(const struct parser *p)
{
	return p->lex.token.kind == TOKEN_IRI || p->lex.token.kind == TOKEN_PNAME;
}

/* The latest declaration counts. */
static const struct prefix *find_prefix(const struct parser *p, struct str name)
{
	const uint64_t *at = map_find(&p->prefix_at, hash64(name));

	if (at && str_eq(p->prefixes[*at - 1].name, name))
		return &p->prefixes[*at - 1];
	for (size_t i = at ? p->n_prefixes : 0; i-- > 0;)
		if (str_eq(p->prefixes[i].name, name))
			return &p->prefixes[i];
	return NULL;
}

enum status parse_iri(struct parser *p, struct term *ret)
{
	const struct prefix *prefix;
	const struct token *t = &p->lex.token;
	cleanup(buf_release) struct buf b = { 0 };

	if (t->kind == TOKEN_IRI) {
		*ret = term_iri(resolve(p, t->text));
		lexer_next(&p->lex);
		return ST_OK;
	}
	if (t->kind != TOKEN_PNAME)
		return parse_expected(p, "an IRI");
	prefix = find_prefix(p, t->text);
	if (!prefix)
		return parse_fail_at(p, t->at, "prefix '" STR_FMT ":' is not declared",
				     STR_ARG(t->text));
	buf_add(&b, prefix->iri);
	buf_add(&b, t->local);
	*ret = term_iri(arena_copy(&p->request->arena, buf_str(&b)));
	lexer_next(&p->lex);
	return ST_OK;
}

bool at_literal(const struct parser *p)
{
	enum token_kind k = p->lex.token.kind;

	return k == TOKEN_STRING || (k >= TOKEN_INTEGER && k <= TOKEN_DOUBLE) ||
	       at_word(p, "true") || at_word(p, "false") || at_punct(p, "+") ||
	       at_punct(p, "-");
}

static enum status parse_string(struct parser *p, struct term *ret)
{
	struct term datatype;

	*ret = term_string(p->lex.token.text);
	lexer_next(&p->lex);
	if (p->lex.token.kind == TOKEN_LANG) {
		ret->lang = p->lex.token.text;
		lexer_next(&p->lex);
	} else if (accept_punct(p, "^^")) {
		TRY(parse_iri(p, &datatype));
		*ret = term_typed(ret->text, datatype.text);
	}
	return ST_OK;
}

/* A sign must touch its number: "- 1" is no literal. */
static enum status parse_number(struct parser *p, struct term *ret)
{
	static const char *const types[] = { XSD "integer", XSD "decimal", XSD "double" };
	size_t at = p->lex.token.at;

	if (at_punct(p, "+") || at_punct(p, "-")) {
		size_t end = p->lex.token.end;

		lexer_next(&p->lex);
		if (p->lex.token.at != end)
			return parse_expected(p, "a number right after its sign");
	}
	enum token_kind kind = p->lex.token.kind;
	if (kind < TOKEN_INTEGER || kind > TOKEN_DOUBLE)
		return parse_expected(p, "a number");
	*ret = term_typed(str_slice(p->lex.in, at, p->lex.token.end),
			  str_from(types[kind - TOKEN_INTEGER]));
	lexer_next(&p->lex);
	return ST_OK;
}

enum status parse_literal(struct parser *p, struct term *ret)
{
	if (p->lex.token.kind == TOKEN_STRING)
		return parse_string(p, ret);
	if (at_word(p, "true") || at_word(p, "false")) {
		*ret = term_typed(at_word(p, "true") ? STR("true") : STR("false"),
				  STR(XSD "boolean"));
		lexer_next(&p->lex);
		return ST_OK;
	}
	return parse_number(p, ret);
}

/* Move the request out, or forget it, after `st`. */
static enum status finish(struct parser *p, enum status st, struct request *ret)
{
	struct request *r = p->request;

	map_release(&p->prefix_at);
	map_release(&p->var_at);
	map_release(&p->label_at);
	if (st != ST_OK) {
		request_release(r);
		return st;
	}
	*ret = *r;
	return ST_OK;
}

static enum status start(struct parser *p, struct str text, struct str base)
{
	struct request *r = p->request;
	struct str in;

	if (!utf8_valid(text))
		return diag_fail(p->why, ST_SYNTAX, "byte %zu: not UTF-8",
				 utf8_valid_prefix(text) + 1);
	text = arena_copy(&r->arena, text);
	TRY(sparql_undo_codepoints(text, &r->arena, &in, p->why));
	r->base = arena_copy(&r->arena, base);
	p->scope = scope_new(p);
	lexer_start(&p->lex, in, &r->arena);
	return ST_OK;
}

static enum status parse_whole_query(struct parser *p, struct str text, struct str base)
{
	TRY(start(p, text, base));
	TRY(parse_prologue(p));
	p->request->query = tree_alloc(p, sizeof(struct query));
	TRY(parse_query_form(p, p->request->query));
	return p->lex.token.kind == TOKEN_END ? ST_OK
					      : parse_expected(p, "the end of the query");
}

enum status sparql_parse_query(struct str text, struct str base, struct request *ret,
			       struct diag *why)
{
	struct request r = { 0 };
	struct parser p = { .request = &r, .why = why };

	return finish(&p, parse_whole_query(&p, text, base), ret);
}

static enum status parse_whole_update(struct parser *p, struct str text, struct str base)
{
	TRY(start(p, text, base));
	p->request->is_update = true;
	TRY(parse_updates(p));
	return p->lex.token.kind == TOKEN_END ? ST_OK
					      : parse_expected(p, "an update operation");
}

enum status sparql_parse_update(struct str text, struct str base, struct request *ret,
				struct diag *why)
{
	struct request r = { 0 };
	struct parser p = { .request = &r, .why = why };

	return finish(&p, parse_whole_update(&p, text, base), ret);
}

void request_release(struct request *r)
{
	arena_release(&r->arena);
	*r = (struct request){ 0 };
}
