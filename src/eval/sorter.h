/*
 * sorter.h - ORDER BY: solutions kept with their keys.  Only for this room.
 *
 * With a limit, what cannot be among the first is dropped on the way.
 */
#ifndef EVAL_SORTER_H
#define EVAL_SORTER_H

#include "eval/value.h"

struct sorter {
	const struct query *query;
	const uint32_t *vars; /* the variables that are kept */
	size_t width;
	uint64_t keep; /* as many as can be asked for; UINT64_MAX: all */
	struct sorted_row *rows;
	size_t n, cap;
	uint64_t seq;
	struct compared *keys; /* of the row at hand */
	uint64_t *cells;
	const struct compared *last; /* keys of the last of those kept, once full */
	struct arena bytes;
};

void sorter_start(struct sorter *s, const struct query *q, const uint32_t *vars,
		  size_t width);
bool sorter_add(struct exec *x, struct sorter *s, const uint64_t *row);
bool sorter_end(struct exec *x, struct sorter *s, uint64_t *row, struct sink *next);
void sorter_release(struct sorter *s);
#endif
