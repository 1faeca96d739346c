/*
 * query_options.h - what a query may do, and where its answers go.
 */
#ifndef EVAL_QUERY_OPTIONS_H
#define EVAL_QUERY_OPTIONS_H

#include "eval/cost.h"
#include "os/clock.h"
#include "sparql/parse.h"
#include "store/store.h"

struct query_limits {
	uint64_t time_ms;      /* 0: none */
	uint64_t memory_bytes; /* of tables that a query builds; 0: none */
	uint64_t rows;         /* solutions given out; 0: none */
};

/* A remote answer: its variables, then its rows, term by term (TERM_NONE: unbound). */
struct service_sink {
	enum status (*row)(void *context, const struct str *vars,
			   const struct term *terms, size_t n);
	void *context;
};

/* Asks another endpoint; NULL where SERVICE is off. */
struct service {
	enum status (*ask)(void *context, struct str endpoint, struct str query,
			   struct service_sink sink, struct diag *why);
	void *context;
};

/* Fetches and parses a document for LOAD; NULL where that is off. */
struct document_loader {
	enum status (*load)(void *context, struct str iri,
			    enum status (*add)(void *, const struct statement *),
			    void *add_context, struct diag *why);
	void *context;
};

/* Asked now and then, some thousand times a second; NULL: never. */
struct query_cancel {
	bool (*asked)(void *context);
	void *context;
};

/* What patterns outside GRAPH are matched in, where neither FROM nor USING says so. */
enum default_graph {
	DEFAULT_GRAPH_OWN,   /* the graph without a name */
	DEFAULT_GRAPH_UNION, /* all graphs together */
};

struct query_options {
	struct query_limits limits;
	struct query_cancel cancel;
	enum default_graph
		default_graph;         /* of queries; updates see the one without name */
	const struct clock *clock;     /* NULL: the real one */
	uint64_t seed;                 /* of RAND and UUID */
	const struct dataset *dataset; /* of the protocol: replaces FROM; NULL: none */
	struct service service;
	struct document_loader loader;
	const struct cost_constants *costs; /* NULL: the standard ones */
	struct buf
		*explain; /* the plan with estimates and actual rows; NULL: not wanted */
};

/* What a query gives.  The functions may be NULL where the form does not need them. */
struct result_sink {
	/* SELECT: the names, once; then each solution, TERM_NONE where unbound. */
	enum status (*start)(void *context, const struct str *vars, size_t n);
	enum status (*row)(void *context, const struct term *terms, size_t n);
	/* ASK */
	enum status (*answer)(void *context, bool yes);
	/* CONSTRUCT and DESCRIBE: without doubles. */
	enum status (*statement)(void *context, const struct statement *s);
	void *context;
};
#endif
