/*
 * map.h - the one hash table: 64-bit key to 64-bit value, open addressing.
 *
 * For keys that are already hashes or ids; strings go through `struct intern`.
 * A zeroed struct is an empty map.  Not thread-safe.  Pointers to values live
 * until the next map_add().
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/base.h"

struct map_slot {
	uint64_t key, value;
};

struct map {
	struct map_slot *slots; /* power of two, at most 3/4 full; key 0 = free */
	size_t n, cap;
	uint64_t zero_value; /* the value of key 0, which has no slot */
	bool has_zero;
};

void map_release(struct map *m);
/* Forget the contents, keep the memory. */
void map_reset(struct map *m);
void map_reserve(struct map *m, size_t n);
/* The value of `key`, or NULL. */
uint64_t *map_find(const struct map *m, uint64_t key);
/* A map_find() of `key` will come soon: ask the memory for it. */
void map_fetch(const struct map *m, uint64_t key);
/* The value of `key`; 0 when it was not there, and then `*ret_new` (may be NULL) is true.
 */
uint64_t *map_add(struct map *m, uint64_t key, bool *ret_new);
/* False when it was not there. */
bool map_remove(struct map *m, uint64_t key);
/* Walk in no particular order: start with *at = 0; false at the end. */
bool map_next(const struct map *m, size_t *at, struct map_slot *ret);
#endif
