/*
 * seen_table.h - a set of 128-bit hashes in memory.
 *
 * Open addressing, 16 bytes a slot, at most three quarters full.  The keys are
 * hashes already; the slot is chosen by the low half, because the seen set
 * splits into bands by the high one.  A zeroed struct is an empty set.  Not
 * thread-safe.
 */
#ifndef FRONTIER_SEEN_TABLE_H
#define FRONTIER_SEEN_TABLE_H

#include "base/hash.h"

struct seen_table {
	struct u128 *slots; /* a power of two of them; {0, 0} = free */
	size_t n, cap;
	bool has_zero; /* the key {0, 0}, which has no slot */
};

void seen_table_release(struct seen_table *t);
/* Room for `n` keys, so that adding them does not move anything. */
void seen_table_reserve(struct seen_table *t, size_t n);
/* True when `key` was not there. */
bool seen_table_add(struct seen_table *t, struct u128 key);
bool seen_table_has(const struct seen_table *t, struct u128 key);
/* Ask the processor for the line of `key`, some keys ahead of its use. */
static inline void seen_table_prefetch(const struct seen_table *t, struct u128 key)
{
	if (t->cap)
		__builtin_prefetch(&t->slots[key.lo & (t->cap - 1)], 1);
}
/* What the table would occupy with `n` keys. */
size_t seen_table_bytes(size_t n);
/* Walk in no particular order: start with *at = 0; false at the end. */
bool seen_table_next(const struct seen_table *t, size_t *at, struct u128 *ret);
#endif
