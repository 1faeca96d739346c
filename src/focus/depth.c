/* depth.c - near to a seed is near to what the user named. */
#include <math.h>

#include "focus/focus.h"

#define HALF_AT 4.0f /* so many links away it is worth half */

void module_depth(struct focus_page *p)
{
	for (size_t k = 0; k < p->in->n; k++)
		focus_scores_set(&p->links[k], PART_DEPTH,
				 exp2f(-(float)p->in->links[k].depth / HALF_AT));
}
