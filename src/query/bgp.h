/* bgp.h - a basic graph pattern as a chain of steps.  Only for this room. */
#ifndef QUERY_BGP_H
#define QUERY_BGP_H

#include "query/cost.h"
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

struct step {
	struct slot s, p, o;
	const struct path *path;
	enum access access;
	enum executor_kind executor;
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
	struct table hash; /* of ACCESS_HASH */
	uint64_t rows, searches;
};

struct bgp {
	struct step *steps;
	size_t n;
	bool *seeds;      /* surely or possibly bound before */
	const bool *read; /* variables that anybody reads afterwards; NULL: all */
	bool planned;
	uint64_t graph; /* for which it was planned */
	double cost;
	bool *bound_after; /* n * n_vars: variables bound after each step */
	const struct expr **filters;
	size_t n_filters, filters_cap;
};

/* Put the steps in order and choose how each reads; counts come from the indexes. */
void bgp_plan(struct exec *x, struct bgp *b);
#endif
