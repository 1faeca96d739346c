/*
 * exec.h - a running query: what its operators share.  Only for this room.
 *
 * Solutions are pushed: a row is one array of ids, a place for every variable of
 * the request (a sub-select has variables of its own), and each operator binds
 * its variables in it, calls what comes after, and takes them back.  A false
 * answer from there means: enough.  Errors are put into `st`, which also says enough.
 */
#ifndef QUERY_EXEC_H
#define QUERY_EXEC_H

#include "base/map.h"
#include "base/rng.h"
#include "query/cost.h"
#include "query/query.h"
#include "query/regex.h"

/* Terms of this query that the store does not have. */
struct locals {
	struct term *v;
	size_t n, cap;
	struct map by_hash; /* hash of the key -> place + 1; next in `chain` */
	uint32_t *chain;
	size_t chain_cap;
	struct arena bytes;
};

struct exec {
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
	uint64_t *exists_rows; /* a row for each EXISTS within another */
	size_t exists_depth;
	int64_t deadline_ns;   /* 0: none */
	uint64_t memory_bytes; /* in use by tables */
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
/* To be called in every loop: false when a limit is hit or somebody cancelled. */
bool exec_tick(struct exec *x);
/* Count memory of tables; false when it is too much. */
bool exec_take_memory(struct exec *x, size_t bytes);

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
	       const struct query_options *options, struct diag *why);
void exec_release(struct exec *x);
/* FROM and FROM NAMED, or USING. */
void exec_set_dataset(struct exec *x, const struct dataset *d);
#endif
