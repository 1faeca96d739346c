/* bgp.h - a basic graph pattern as a chain of steps.  Only for this room. */
#ifndef QUERY_BGP_H
#define QUERY_BGP_H

#include "eval/cost.h"
#include "query/op.h"

struct slot {
	bool is_var;
	uint32_t var;
	uint64_t id;
};

enum access {
	ACCESS_SCAN,  /* the first pattern, or one that shares nothing: all its rows */
	ACCESS_MERGE, /* keys come in the order of the index: each search is near the last
		       */
	ACCESS_SEEK,  /* a search anywhere for every row so far */
	ACCESS_HASH,  /* all rows of the pattern hashed once, then looked up */
	ACCESS_PATH,
};

/* Objects that a filter can accept, by id; ends included. */
struct id_range {
	uint64_t low, high;
};

/* Rows that wait for a step; see bgp_batch.c. */
struct step_batch {
	size_t size;    /* as many wait; 0: none does */
	uint32_t *vars; /* bound before the step */
	size_t n_vars;
	uint32_t key; /* the variable by which they are searched in order; or VAR_NONE */
	uint64_t *cells;
	size_t n;
};

struct step {
	struct slot s, p, o;
	const struct path *path;
	enum access access;
	double estimate; /* rows after this step */
	double count;    /* rows of the pattern alone */
	const struct expr **filters;
	size_t n_filters, filters_cap;
	struct id_range ranges[4]; /* ascending; of an object that a filter compares */
	size_t n_ranges;
	struct scan scans[ORDERS];
	bool open[ORDERS];
	struct scan counter; /* of a collapsed step: counts while the other one walks */
	bool counter_open;
	enum order lookup; /* the order in which a whole triple is looked up */
	const bool *read;  /* what later steps and the end read; NULL: all is read */
	struct table hash; /* of ACCESS_HASH */
	struct step_batch batch;
	uint64_t rows, searches;
};

struct bgp {
	struct step *steps;
	size_t n;
	bool *seeds;       /* surely or possibly bound before */
	enum order lookup; /* the order in which a whole triple is looked up */
	const bool *read;  /* variables that anybody reads at the end; NULL: all */
	bool planned;
	uint64_t graph; /* for which it was planned */
	double cost;
	bool *bound_after; /* n * n_vars: variables bound after each step */
	const struct expr **filters;
	size_t n_filters, filters_cap;
};

struct bgp_run {
	struct exec *x;
	struct op *o;
	struct bgp *b;
	uint64_t *row;
	struct sink *next;
};

/* One triple of step `at`: bind, ask the filters, go on with the next step. */
bool bgp_take(struct bgp_run *r, size_t at, uint64_t s, uint64_t p, uint64_t o);
/* The row as it is against the triples of a step. */
bool bgp_run_step(struct bgp_run *r, size_t at);
struct scan *bgp_scan(struct bgp_run *r, struct step *t, enum order order);
bool bgp_is_damaged(struct exec *x);

/* bgp_alike.c */
bool bgp_is_collapsed(const struct step *t, enum order order, unsigned bound);
bool bgp_scan_alike(struct bgp_run *r, size_t at, const struct row *key, enum order order,
		    unsigned bound);

/* bgp_batch.c */
bool bgp_batch_add(struct bgp_run *r, size_t at);
/* What still waits goes on, unless somebody had enough. */
bool bgp_batch_end(struct bgp_run *r, bool go_on);

/* Put the steps in order and choose how each reads; counts come from the indexes. */
void bgp_plan(struct exec *x, struct bgp *b);
#endif
