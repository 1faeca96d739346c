/* hash_list.h - hashes in the order in which they came.  A zeroed struct is empty. */
#ifndef SKETCH_HASH_LIST_H
#define SKETCH_HASH_LIST_H

#include "base/base.h"

struct hash_list {
	uint64_t *v;
	size_t n, cap;
};

void hash_list_release(struct hash_list *l);
#endif
