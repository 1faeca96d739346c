/*
 * exec.h - a running query: what its operators share.  Only for this room.
 *
 * Solutions are pushed: a row is one array of ids, a place for every variable of
 * the request (a sub-select has variables of its own), and each operator binds
 * its variables in it, calls what comes after, and takes them back.  A false
 * answer from there means: enough.  Errors are put into `st`, which also says enough.
 */
#ifndef EVAL_EXEC_H
#define EVAL_EXEC_H

#include "base/map.h"
#include "base/rng.h"
#include "eval/cost.h"
#include "eval/query_options.h"
#include "eval/regex.h"

/* Terms of this query that the store does not have. */
struct locals {
	struct term *v;
	size_t n, cap;
	struct map by_hash; /* hash of the key -> place + 1; next in `chain` */
	uint32_t *chain;
	size_t chain_cap;
	struct arena bytes;
};

/* What is known of a pattern, made once; NULL: not yet.  A mark for each variable. */
struct pattern_facts {
	bool *possible;  /* it may bind them */
	bool *certain;   /* it surely binds them */
	bool *mentioned; /* they stand in it anywhere, filters included */
	bool *used;      /* its own expression reads them; see seeds_are_safe() */
	double rows;     /* at most, roughly; see op.c */
	bool rows_known;
};

#define EXISTS_DEPTH 64 /* EXISTS in each other */

struct exec;
struct expr;

/* Whether the pattern of an EXISTS has a solution with this row: given by who runs
 * patterns. */
typedef bool exec_exists_fn(struct exec *x, const struct expr *e, const uint64_t *row);

struct exec {
	exec_exists_fn *exists;
	struct snapshot *snapshot;
	struct store *store; /* of an update; NULL for a query */
	const struct request *request;
	const struct query_options *options;
	const struct clock *clock;
	size_t n_vars;
	struct locals locals;
	struct dict_cursor terms; /* where the last term was read */
	struct arena scratch;     /* terms and strings of the row at hand */
	struct arena tree;        /* the plan */
	uint64_t scratch_uses;
	size_t scratch_bytes;         /* in `scratch`, more or less */
	uint64_t *exists_rows;        /* a row for each EXISTS within another */
	struct arena *exists_scratch; /* and scratch memory for each */
	size_t exists_depth;
	struct pattern_facts *facts; /* of the patterns of the request, by number */
	bool *no_vars;               /* see vars_new() */
	int64_t deadline_ns;         /* 0: none */
	uint64_t memory_bytes;       /* in use by tables */
	uint64_t ticks;
	int64_t now_ms;
	struct rng rng;
	uint64_t next_blank;
	uint64_t epoch, n_epochs;    /* changes where cached tables no longer hold */
	const uint64_t *substituted; /* inside EXISTS: the row around it; else NULL */
	/* The dataset: graphs of the default graph, and those that GRAPH may name. */
	uint64_t *defaults, *named;
	size_t n_defaults, n_named;
	bool all_named; /* GRAPH may name every graph of the store */
	/* The graph that patterns are matched in: one of `named`, or ID_NONE. */
	uint64_t graph;
	bool in_graph;
	struct regexes regexes;
	const struct cost_constants *costs;
	/* BNODE("label"): labels of the solution at hand, and how many solutions there
	 * were. */
	struct map row_blanks;
	uint64_t row_number;
	uint64_t times; /* solutions that the row at hand stands for; see op_collapse() */
	enum status st;
	struct diag *why;
};

struct sink {
	/* False: no more, please. */
	bool (*push)(struct sink *self, uint64_t *row);
};

/* Keep the first error; always false, so that it can be returned from a push. */
bool exec_fail(struct exec *x, enum status st, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Limits of time and memory, and somebody who cancels; false when one is hit. */
bool exec_check(struct exec *x);

#define TICKS_PER_CHECK 4096 /* of some tens of nanoseconds */

/* So many units of work, of some tens of nanoseconds each, were done. */
static inline bool exec_work(struct exec *x, size_t units)
{
	x->ticks += units;
	return x->ticks < TICKS_PER_CHECK ? x->st == ST_OK : exec_check(x);
}
/* To be called in every loop: false when a limit is hit or somebody cancelled. */
static inline bool exec_tick(struct exec *x)
{
	return exec_work(x, 1);
}
/* Count memory of tables; false when it is too much. */
bool exec_take_memory(struct exec *x, size_t bytes);
/* Zeroed memory of the plan, counted; there is always some, even past the limit. */
void *exec_tree(struct exec *x, size_t bytes);

#define STRING_BYTES_MAX ((size_t)256 << 20) /* of one string that a query computes */

/* How long a string may become now. */
size_t exec_string_limit(const struct exec *x);
/*
 * A computed string, copied to scratch memory and counted.  Empty, and the query has
 * failed, when the limit of memory does not allow it or `b` overflowed.
 */
struct str exec_keep(struct exec *x, const struct buf *b);

/* The id of a term for this query: inline, of the store, or local. */
uint64_t exec_intern(struct exec *x, struct term t);
/* The term of an id, in scratch memory. */
struct term exec_term(struct exec *x, uint64_t id);
/* Forget the scratch memory, unless somebody further out still uses it. */
void exec_reset_scratch(struct exec *x);

/* A blank node that is nowhere else. */
uint64_t exec_new_blank(struct exec *x);
/* The same one for the same label within a solution. */
uint64_t exec_row_blank(struct exec *x, struct str label);

/* The graphs in which patterns are matched now. */
size_t exec_graphs(const struct exec *x, const uint64_t **ret);
void exec_init(struct exec *x, struct snapshot *s, const struct request *r,
	       const struct query_options *options, exec_exists_fn *exists,
	       struct diag *why);
void exec_release(struct exec *x);
/* The default graph is all graphs together. */
void exec_set_union(struct exec *x);
/* FROM and FROM NAMED, or USING. */
void exec_set_dataset(struct exec *x, const struct dataset *d);
#endif
