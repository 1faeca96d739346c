/*
 * shingle_set.h - a set of 32-bit shingle values, asked far more often than filled.
 *
 * Holds what many documents share, so that it can be left out of a comparison.  Most
 * answers are no, given by one bit of a small table.  A zeroed struct is empty.
 */
#ifndef SKETCH_SHINGLE_SET_H
#define SKETCH_SHINGLE_SET_H

#include "base/map.h"

#define SHINGLE_SET_BITS 18

struct shingle_set {
	struct map values;
	uint64_t *may; /* 2^SHINGLE_SET_BITS bits, by the lowest bits of the values */
};

void shingle_set_release(struct shingle_set *s);
void shingle_set_add(struct shingle_set *s, uint32_t value);
static inline bool shingle_set_has(const struct shingle_set *s, uint32_t value)
{
	uint32_t low = value & ((1u << SHINGLE_SET_BITS) - 1);

	return s->may && s->may[low >> 6] >> (low & 63) & 1 &&
	       map_find(&s->values, value);
}
static inline bool shingle_set_is_empty(const struct shingle_set *s)
{
	return !s || !s->may;
}
#endif
