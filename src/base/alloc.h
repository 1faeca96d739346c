/*
 * alloc.h - memory that never fails.
 *
 * Every size driven by remote input is bounded before it reaches an
 * allocator, so exhaustion means a wrong configuration, not a bad page:
 * these functions print the size and abort().
 *
 * Arrays of many megabytes are mostly tables that are read all over the place.  In pages
 * of 4 KB every access misses the table of addresses as well as the cache; so zeroed
 * ones are in pages of 2 MB where the kernel has them.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include "base/base.h"

/* Room for `count` elements of `size` bytes, contents kept, rest undefined. */
void *xrealloc(void *p, size_t count, size_t size);
/* The same, in large pages. */
void *xrealloc_large(void *p, size_t count, size_t size);
/* Zeroed memory. */
void *xcalloc(size_t count, size_t size);
/* The same for a table that will be looked up all over before it is written: its large
 * pages are there at once, instead of one shared page of zeros that every first write
 * replaces, on all processors. */
void *xcalloc_table(size_t count, size_t size);

#define NEW(type) ((type *)xcalloc(1, sizeof(type)))

/* Make room for `need` elements in `v`, doubling `cap`. */
#define VEC_RESERVE(v, cap, need)                                 \
	do {                                                      \
		if ((need) > (cap)) {                             \
			(cap) = (cap) ? 2 * (cap) : 8;            \
			if ((cap) < (need))                       \
				(cap) = (need);                   \
			(v) = xrealloc((v), (cap), sizeof(*(v))); \
		}                                                 \
	} while (0)

/* Append one element to the array `v` of `n` elements. */
#define VEC_ADD(v, n, cap, ...)                   \
	do {                                      \
		VEC_RESERVE((v), (cap), (n) + 1); \
		(v)[(n)++] = (__VA_ARGS__);       \
	} while (0)
#endif
