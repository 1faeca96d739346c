/*
 * summary.h - how much a knowledge base holds, and of what: all of it, also what is
 * in the log only.
 */
#ifndef KB_SUMMARY_H
#define KB_SUMMARY_H

#include "store/store.h"

struct graph_size {
	uint64_t graph; /* ID_NONE: the one without a name */
	uint64_t statements;
};

struct summary {
	uint64_t statements, terms, stars;
	/* Distinct subjects and objects are exact within a run and summed over the runs.
	 */
	struct predicate_stats *predicates; /* most statements first */
	size_t n_predicates, predicates_cap;
	struct graph_size *graphs; /* with anything in them, most statements first */
	size_t n_graphs;
};

void summary_make(struct summary *ret, const struct snapshot *s);
void summary_release(struct summary *s);
#endif
