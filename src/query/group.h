/* group.h - GROUP BY and the aggregates (11, 18.5.1).  Only for this room. */
#ifndef QUERY_GROUP_H
#define QUERY_GROUP_H

#include "eval/expr.h"
#include "eval/row_set.h"

struct grouping {
	const struct query *query;
	struct row_set keys;
	struct aggregate_state *states; /* n_aggregates a group */
	size_t states_cap;
	struct row_set all; /* of COUNT(DISTINCT *): whole rows with the group's number */
	uint64_t *tuple;
};

void grouping_start(struct exec *x, struct grouping *g, const struct query *q);
bool grouping_add(struct exec *x, struct grouping *g, uint64_t *row);
/* Each group as a row with its keys and the variables of the aggregates. */
bool grouping_end(struct exec *x, struct grouping *g, uint64_t *row, struct sink *next);
void grouping_release(struct grouping *g);
#endif
