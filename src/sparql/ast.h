/*
 * ast.h - a parsed SPARQL 1.1 request as a tree.
 *
 * Patterns are the algebra of section 18.2.2 already: the parser joins the
 * elements of a group as it meets them and puts its filters around.  Variables
 * are numbers into request.vars; a sub-select has numbers of its own and says
 * which of them the outside sees.  Blank nodes of a pattern are variables
 * nobody can name.  Everything lives in the arena of the request.
 */
#ifndef SPARQL_AST_H
#define SPARQL_AST_H

#include "rdf/term.h"

#define VAR_NONE UINT32_MAX

/* A position of a triple pattern: a variable, or a term. */
struct node {
	bool is_var;
	uint32_t var;
	struct term term;
};

enum path_kind {
	PATH_IRI,
	PATH_INVERSE,
	PATH_SEQUENCE,
	PATH_ALTERNATIVE,
	PATH_ZERO_OR_MORE,
	PATH_ONE_OR_MORE,
	PATH_ZERO_OR_ONE,
	PATH_NEGATED, /* children are PATH_IRI or PATH_INVERSE of one */
};

struct path {
	enum path_kind kind;
	struct term iri;
	struct path **children;
	size_t n, cap;
	uint32_t levels; /* of stack that walking it takes */
};

struct triple {
	struct node subject, predicate, object;
	struct path *path; /* instead of the predicate; NULL for a plain triple */
};

struct triples {
	struct triple *v;
	size_t n, cap;
};

enum expr_op {
	EXPR_VAR,
	EXPR_TERM,
	EXPR_OR,
	EXPR_AND,
	EXPR_NOT,
	EXPR_EQUAL,
	EXPR_NOT_EQUAL,
	EXPR_LESS,
	EXPR_GREATER,
	EXPR_LESS_EQUAL,
	EXPR_GREATER_EQUAL,
	EXPR_IN,
	EXPR_NOT_IN,
	EXPR_ADD,
	EXPR_SUBTRACT,
	EXPR_MULTIPLY,
	EXPR_DIVIDE,
	EXPR_NEGATE,
	EXPR_PLUS,
	EXPR_BUILTIN,
	EXPR_FUNCTION, /* by IRI: a cast */
	EXPR_EXISTS,
	EXPR_NOT_EXISTS,
};

/* The functions of 17.4, with the number of arguments each takes. */
#define BUILTINS(X)              \
	X(STR, 1, 1)             \
	X(LANG, 1, 1)            \
	X(LANGMATCHES, 2, 2)     \
	X(DATATYPE, 1, 1)        \
	X(BOUND, 1, 1)           \
	X(IRI, 1, 1)             \
	X(URI, 1, 1)             \
	X(BNODE, 0, 1)           \
	X(RAND, 0, 0)            \
	X(ABS, 1, 1)             \
	X(CEIL, 1, 1)            \
	X(FLOOR, 1, 1)           \
	X(ROUND, 1, 1)           \
	X(CONCAT, 0, ARGS_ANY)   \
	X(STRLEN, 1, 1)          \
	X(UCASE, 1, 1)           \
	X(LCASE, 1, 1)           \
	X(ENCODE_FOR_URI, 1, 1)  \
	X(CONTAINS, 2, 2)        \
	X(STRSTARTS, 2, 2)       \
	X(STRENDS, 2, 2)         \
	X(STRBEFORE, 2, 2)       \
	X(STRAFTER, 2, 2)        \
	X(YEAR, 1, 1)            \
	X(MONTH, 1, 1)           \
	X(DAY, 1, 1)             \
	X(HOURS, 1, 1)           \
	X(MINUTES, 1, 1)         \
	X(SECONDS, 1, 1)         \
	X(TIMEZONE, 1, 1)        \
	X(TZ, 1, 1)              \
	X(NOW, 0, 0)             \
	X(UUID, 0, 0)            \
	X(STRUUID, 0, 0)         \
	X(MD5, 1, 1)             \
	X(SHA1, 1, 1)            \
	X(SHA256, 1, 1)          \
	X(SHA384, 1, 1)          \
	X(SHA512, 1, 1)          \
	X(COALESCE, 0, ARGS_ANY) \
	X(IF, 3, 3)              \
	X(STRLANG, 2, 2)         \
	X(STRDT, 2, 2)           \
	X(SAMETERM, 2, 2)        \
	X(ISIRI, 1, 1)           \
	X(ISURI, 1, 1)           \
	X(ISBLANK, 1, 1)         \
	X(ISLITERAL, 1, 1)       \
	X(ISNUMERIC, 1, 1)       \
	X(REGEX, 2, 3)           \
	X(SUBSTR, 2, 3)          \
	X(REPLACE, 3, 4)

#define ARGS_ANY UINT32_MAX

enum builtin {
#define X(name, min, max) FN_##name,
	BUILTINS(X)
#undef X
		FN_COUNT_OF_ALL,
};

struct pattern;

struct expr {
	enum expr_op op;
	enum builtin fn;  /* of EXPR_BUILTIN */
	uint32_t var;     /* of EXPR_VAR */
	struct term term; /* of EXPR_TERM; the IRI of EXPR_FUNCTION */
	uint64_t id;      /* of EXPR_TERM, where it is an inline value; else ID_NONE */
	struct expr **args;
	size_t n, cap;
	struct pattern *pattern; /* of EXPR_EXISTS and EXPR_NOT_EXISTS */
	uint32_t levels;         /* of stack that evaluating it takes */
	void *prepared;          /* room for the executor, by expression */
};

enum aggregate_kind {
	AGGREGATE_COUNT,
	AGGREGATE_SUM,
	AGGREGATE_MIN,
	AGGREGATE_MAX,
	AGGREGATE_AVG,
	AGGREGATE_SAMPLE,
	AGGREGATE_GROUP_CONCAT,
};

/* Its value is bound to `var`, which stands in the expressions in its place. */
struct aggregate {
	enum aggregate_kind kind;
	bool distinct;
	struct expr *arg; /* NULL for COUNT(*) */
	struct str separator;
	uint32_t var;
};

struct projection {
	struct expr *expr; /* NULL for a plain variable */
	uint32_t var;
};

struct order_key {
	struct expr *expr;
	bool descending;
};

struct values {
	uint32_t *vars;
	size_t n_vars, vars_cap;
	struct term *cells; /* n_rows * n_vars; TERM_NONE for UNDEF */
	size_t n_rows, n_cells, cells_cap;
};

enum pattern_kind {
	PATTERN_UNIT, /* {}: one empty solution */
	PATTERN_BGP,
	PATTERN_JOIN,
	PATTERN_LEFT_JOIN, /* condition in `expr`, NULL for true */
	PATTERN_UNION,
	PATTERN_MINUS,
	PATTERN_FILTER,
	PATTERN_EXTEND, /* BIND */
	PATTERN_VALUES,
	PATTERN_GRAPH,
	PATTERN_SERVICE,
	PATTERN_SELECT,
};

struct pattern {
	enum pattern_kind kind;
	struct pattern *left, *right; /* of the two-sided; `left` of the one-sided */
	struct expr *expr;
	uint32_t var; /* of EXTEND */
	struct triples triples;
	struct values values;
	struct node name;    /* of GRAPH and SERVICE */
	bool silent;         /* SERVICE SILENT */
	struct str text;     /* the group of SERVICE as it was written */
	struct str prologue; /* BASE and PREFIX for it */
	struct query *select;
	uint32_t *outer; /* of SELECT: the outer variable of each projection */
	uint32_t number; /* unique in the request, below n_patterns */
	uint32_t levels; /* of stack that running it takes; of a whole group only */
};

enum query_form { QUERY_SELECT, QUERY_CONSTRUCT, QUERY_DESCRIBE, QUERY_ASK };

struct dataset {
	struct term *from, *named;
	size_t n_from, from_cap, n_named, named_cap;
};

struct query {
	enum query_form form;
	bool distinct, reduced, star;
	struct projection *items;
	size_t n_items, items_cap;
	struct dataset dataset;
	struct pattern *where;
	bool grouped; /* GROUP BY was written, or an aggregate is used */
	struct projection *group_by;
	size_t n_group_by, group_by_cap;
	struct aggregate *aggregates;
	size_t n_aggregates, aggregates_cap;
	struct expr **having;
	size_t n_having, having_cap;
	struct order_key *order;
	size_t n_order, order_cap;
	bool has_limit;
	uint64_t limit, offset;
	struct pattern *values;  /* trailing VALUES; NULL for none */
	struct triples template; /* of CONSTRUCT */
	struct node *described;  /* of DESCRIBE */
	size_t n_described, described_cap;
};

enum update_kind {
	UPDATE_LOAD,
	UPDATE_CLEAR,
	UPDATE_DROP,
	UPDATE_CREATE,
	UPDATE_ADD,
	UPDATE_MOVE,
	UPDATE_COPY,
	UPDATE_INSERT_DATA,
	UPDATE_DELETE_DATA,
	UPDATE_MODIFY, /* DELETE WHERE is one with its pattern as template */
};

enum graph_target { TARGET_GRAPH, TARGET_DEFAULT, TARGET_NAMED, TARGET_ALL };

struct quad_template {
	struct triple triple;
	bool has_graph;
	struct node graph;
};

struct quads {
	struct quad_template *v;
	size_t n, cap;
};

struct update {
	enum update_kind kind;
	bool silent;
	struct term
		source; /* of LOAD; the first graph of ADD, MOVE, COPY (NONE: default) */
	enum graph_target target;
	struct term graph; /* of TARGET_GRAPH; TERM_NONE is the default graph */
	struct quads insertions, deletions;
	struct term with; /* TERM_NONE where there is none */
	struct dataset using;
	struct pattern *where;
};

struct request {
	struct arena arena;
	struct str *vars; /* names without '?'; those of blank nodes start with '_' */
	size_t n_vars, vars_cap;
	uint32_t n_patterns;
	struct str base;
	bool is_update;
	struct query *query;
	struct update *updates;
	size_t n_updates, updates_cap;
};
#endif
