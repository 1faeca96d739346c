/*
 * op.h - patterns made ready to run.  Only for this room.
 *
 * SPARQL is defined from the inside out; we run from the left to the right and
 * hand each pattern the bindings found so far (seeds).  That is the same only
 * where the pattern cannot tell a seed from a binding of its own; where it could
 * (a filter on a variable bound outside, an OPTIONAL that shares an unbound
 * variable), it is evaluated alone into a table and joined.
 */
#ifndef QUERY_OP_H
#define QUERY_OP_H

#include "eval/expr.h"

struct bgp;
struct select_plan;

/* Solutions kept: the cells of some variables, hashed by those that are always bound. */
struct table {
	uint32_t *vars;
	size_t n_vars;
	uint64_t *cells;
	size_t n_rows, rows_cap;
	uint32_t *keys; /* places in `vars` */
	size_t n_keys;
	uint32_t *heads, *chain; /* row + 1 by hash; the next of the same hash */
	size_t n_heads;
	/* Of a single column that is the key, where ids are dense: a bit for each. */
	uint64_t *bits;
	uint64_t first_bit, n_bits;
	bool made;
	uint64_t epoch, graph; /* for which it was made */
	bool in_graph;
};

struct op {
	enum pattern_kind kind;
	const struct pattern *pattern;
	struct op *left, *right;
	const struct expr *expr;
	const bool *possible, *certain; /* variables that it may bind, and surely binds */
	bool *shared;                   /* of MINUS: possible on both sides */
	bool right_alone; /* the right side is evaluated alone, into `table` */
	bool name_after;  /* of GRAPH: its variable is bound only outside */
	struct table table;
	struct bgp *bgp;
	struct select_plan *select;
	const struct expr **filters; /* of a BGP: conditions that were moved into it */
	size_t n_filters, filters_cap;
	uint64_t rows; /* given out, for EXPLAIN */
};

/* op_assert.c: the invariants of a plan, and of a BGP once it is planned. */
void assert_op(const struct exec *x, const struct op *o);
void assert_bgp(const struct bgp *b);

/* `seeds`: variables that may be bound before; NULL for none. */
struct op *op_compile(struct exec *x, const struct pattern *p, const bool *seeds);
/* Solutions of `o` that agree with `row`; false when `next` had enough. */
bool op_run(struct exec *x, struct op *o, uint64_t *row, struct sink *next);
void op_release(struct op *o);
void op_explain(struct exec *x, const struct op *o, int depth, struct buf *to);

/*
 * collapse.c: let the last step of `where` count solutions that `q` cannot tell
 * apart; `times` of the exec says how many the row at hand stands for.
 */
void op_collapse(struct exec *x, struct op *where, const struct query *q);

/* vars.c */
bool *vars_new(struct exec *x);
void vars_of_expr(struct exec *x, const struct expr *e, bool *to);
/* False for RAND() and the like, and for EXISTS. */
bool expr_is_deterministic(const struct expr *e);
const bool *vars_possible(struct exec *x, const struct pattern *p);
const bool *vars_certain(struct exec *x, const struct pattern *p);
bool seeds_are_safe(struct exec *x, const struct pattern *p, const bool *seeds);

/* bgp_plan.c, bgp.c */
struct bgp *bgp_new(struct exec *x, const struct triples *t, const bool *seeds);
/* Rows of its rarest triple, in the graph at hand. */
double bgp_rough_rows(struct exec *x, const struct triples *t);
bool bgp_run(struct exec *x, struct op *o, uint64_t *row, struct sink *next);
void bgp_release(struct bgp *b);
void bgp_explain(struct exec *x, const struct bgp *b, int depth, struct buf *to);
/* Nobody reads the other variables. */
void bgp_collapse(struct bgp *b, const bool *read);
/* Hand a filter of its variables to the patterns. */
void bgp_add_filter(struct exec *x, struct bgp *b, const struct expr *e);

/* What `exists` of struct exec is. */
exec_exists_fn exec_exists;

/* path.c: pairs joined by the path; an end that is ID_NONE is free. */
struct path_sink {
	bool (*pair)(struct path_sink *self, uint64_t s, uint64_t o);
};
bool path_run(struct exec *x, const struct path *p, uint64_t s, uint64_t o,
	      struct path_sink *to);

/* table.c */
void table_init(struct exec *x, struct table *t, const bool *vars, const bool *keys);
bool table_add(struct exec *x, struct table *t, const uint64_t *row);
void table_index(struct table *t);
void table_clear(struct table *t);
void table_release(struct table *t);
/* All rows of `o`, made again where the cached ones no longer hold. */
bool table_fill(struct exec *x, struct op *o, struct table *t, const uint64_t *base);
/* Rows whose keys agree with `row`: start with *at = 0; false at the end. */
bool table_next(const struct table *t, const uint64_t *row, size_t *at,
		const uint64_t **ret);
/* Bring what table_next() will look at into the cache: stage 0, then stage 1. */
void table_fetch(const struct table *t, const uint64_t *row, int stage);

/* select.c */
struct select_plan *select_compile(struct exec *x, const struct query *q);
/* Rows with the projected variables set. */
bool select_run(struct exec *x, struct select_plan *s, uint64_t *row, struct sink *next);
void select_release(struct select_plan *s);
void select_explain(struct exec *x, const struct select_plan *s, int depth,
		    struct buf *to);
#endif
