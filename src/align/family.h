/*
 * family.h - which operations make two URLs the same.
 *
 * Given two URLs of one page, the explanation is the set of operations after
 * which they are equal, or none.  It is evidence, not proof: whoever learns
 * from it validates each operation by itself.  Pure.
 */
#ifndef ALIGN_FAMILY_H
#define ALIGN_FAMILY_H

#include "dust/operation.h"

#define EXPLANATION_MAX 12

struct explanation {
	struct operation op[EXPLANATION_MAX]; /* names are slices of the URLs */
	size_t n;
};

/* False when no set of operations makes the URLs equal. */
bool family_explain(struct str a, struct str b, struct explanation *ret);
#endif
