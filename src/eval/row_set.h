/* row_set.h - distinct tuples of ids, each with a number.  Only for this room. */
#ifndef EVAL_ROW_SET_H
#define EVAL_ROW_SET_H

#include "eval/exec.h"

struct row_set {
	size_t width;
	uint64_t *cells;
	size_t n, cap;
	uint32_t *slots; /* number + 1 */
	size_t n_slots;
};

void row_set_release(struct row_set *s);
/* The number of the tuple; `*ret_new` when it was not there.  SIZE_MAX at a limit. */
size_t row_set_add(struct exec *x, struct row_set *s, const uint64_t *cells,
		   bool *ret_new);
static inline const uint64_t *row_set_at(const struct row_set *s, size_t i)
{
	return s->cells + i * s->width;
}
#endif
