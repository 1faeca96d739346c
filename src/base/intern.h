/*
 * intern.h - strings to small numbers and back: each distinct string once.
 *
 * Ids are dense, from 0, in the order of first appearance.  The strings live
 * until release.  A zeroed struct is empty.  Not thread-safe.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"

#define INTERN_NONE UINT32_MAX

struct intern {
	struct str *strings; /* by id */
	size_t n, cap;
	uint32_t *slots; /* id + 1, open addressing; 0 = free */
	uint32_t *tags;  /* upper hash bits of each slot, to compare less */
	size_t slot_cap;
	struct arena bytes;
};

void intern_release(struct intern *t);
/* The id of `s`, added (copied) if it was not there. */
uint32_t intern_add(struct intern *t, struct str s);
/* The id of `s`, or INTERN_NONE. */
uint32_t intern_find(const struct intern *t, struct str s);
static inline struct str intern_str(const struct intern *t, uint32_t id)
{
	return t->strings[id];
}
#endif
