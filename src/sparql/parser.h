/*
 * parser.h - what the files of the parser share; nobody else includes it.
 *
 * Recursive descent, one token ahead.  Functions consume what they
 * recognise; an error is put into the diag where it is found and forwarded.
 */
#ifndef SPARQL_PARSER_H
#define SPARQL_PARSER_H

#include "base/alloc.h"
#include "base/map.h"
#include "sparql/lexer.h"
#include "sparql/parse.h"

struct prefix {
	struct str name, iri;
};

/* The name of a variable in the scope of one select, and its number. */
struct scope_var {
	struct str name;
	uint32_t var;
};

/* A blank node label and the basic graph pattern (or operation) it belongs to. */
struct label {
	struct str name;
	uint32_t var;
	unsigned bgp;
	unsigned operation;
};

struct scope {
	struct scope_var *v;
	size_t n, cap;
	uint64_t number;
};

struct parser {
	struct lexer lex;
	struct request *request;
	struct prefix *prefixes;
	size_t n_prefixes, prefixes_cap;
	struct str prologue; /* of n_prologue prefixes, as text; see service_text() */
	size_t n_prologue;
	/* Hash of a name -> place + 1 in prefixes, in the variables of a scope, in
	 * labels. A name whose hash is another's is found by walking: rare, but never
	 * wrong. */
	struct map prefix_at, var_at, label_at;
	uint64_t n_scopes;
	struct scope *scope; /* of the select being read */
	struct query *query; /* the same; NULL in an update */
	struct label *labels;
	size_t n_labels, labels_cap;
	unsigned bgp,
		n_bgps;     /* number of the current basic graph pattern, and how many */
	unsigned operation; /* number of the current update operation */
	unsigned depth;
	unsigned n_fresh;
	bool aggregates_allowed, inside_aggregate;
	bool ground;    /* in DATA: no variables */
	bool no_blanks; /* in DELETE: no blank nodes */
	struct diag *why;
};

/* parse.c */
must_use enum status parse_expected(struct parser *p, const char *what);
must_use enum status parse_fail_at(struct parser *p, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool at_punct(const struct parser *p, const char *text);
bool at_word(const struct parser *p, const char *word);
bool accept_punct(struct parser *p, const char *text);
bool accept_word(struct parser *p, const char *word);
must_use enum status expect_punct(struct parser *p, const char *text);
must_use enum status expect_word(struct parser *p, const char *word);
must_use enum status enter(struct parser *p);
static inline void leave(struct parser *p)
{
	p->depth--;
}
/* The memory of arrays that end up in the tree: moved to the arena at the end. */
must_use enum status check_levels(struct parser *p, size_t levels);
/* A new scope of variables. */
struct scope *scope_new(struct parser *p);
void labels_reset(struct parser *p);
void *tree_alloc(struct parser *p, size_t size);
void *tree_grow(struct parser *p, const void *v, size_t n, size_t size, size_t *cap);
#define TREE_ADD(p, v, n, cap, ...)                                           \
	do {                                                                  \
		if ((n) == (cap))                                             \
			(v) = tree_grow((p), (v), (n), sizeof(*(v)), &(cap)); \
		(v)[(n)++] = (__VA_ARGS__);                                   \
	} while (0)
uint32_t var_named(struct parser *p, struct str name);
uint32_t var_fresh(struct parser *p, const char *kind);
must_use enum status parse_prologue(struct parser *p);
must_use enum status parse_var(struct parser *p, uint32_t *ret);
must_use enum status parse_iri(struct parser *p, struct term *ret);
bool at_iri(const struct parser *p);
must_use enum status parse_literal(struct parser *p, struct term *ret);
bool at_literal(const struct parser *p);

/* parse_query.c */
must_use enum status parse_select(struct parser *p, struct query *q);
must_use enum status parse_query_form(struct parser *p, struct query *q);

/* parse_pattern.c */
must_use enum status parse_group(struct parser *p, struct pattern **ret);
must_use enum status parse_values(struct parser *p, struct pattern **ret);
struct pattern *pattern_new(struct parser *p, enum pattern_kind kind);

/* parse_triples.c: `paths` allows property paths; stops before '}' or a keyword. */
must_use enum status parse_triples(struct parser *p, bool paths, struct triples *to);
must_use enum status parse_var_or_term(struct parser *p, struct node *ret);
must_use enum status parse_var_or_iri(struct parser *p, struct node *ret);
bool at_triples(const struct parser *p);

/* parse_expr.c */
must_use enum status parse_expr(struct parser *p, struct expr **ret);
/* A bracketed expression or a call, as FILTER, HAVING and ORDER BY want it. */
must_use enum status parse_constraint(struct parser *p, struct expr **ret);
bool at_constraint(const struct parser *p);
struct expr *expr_of_var(struct parser *p, uint32_t var);
struct expr *expr_two(struct parser *p, enum expr_op op, struct expr *a, struct expr *b);
struct expr_list {
	struct expr **v;
	size_t n, cap;
};
/* `op` between all of `v`, at least one, as a tree of few levels. */
struct expr *expr_balanced(struct parser *p, enum expr_op op, struct expr *const *v,
			   size_t n);

/* parse_update.c */
must_use enum status parse_updates(struct parser *p);

/* scope.c: which variables a pattern binds, as the notes of the grammar count. */
void pattern_visible(const struct pattern *t, struct map *visible);
must_use enum status check_select_scope(struct parser *p, struct query *q);
#endif
