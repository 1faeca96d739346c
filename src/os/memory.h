/*
 * memory.h - arrays of many megabytes that are read all over the place.
 *
 * In pages of 4 KB every access to such an array misses the table of addresses as
 * well as the cache; in pages of 2 MB only the cache.  Linux gives those on advice.
 */
#ifndef OS_MEMORY_H
#define OS_MEMORY_H

#include "base/alloc.h"

/* Zeroed, in large pages where the kernel has them; for free() and xrealloc(). */
void *memory_large(size_t count, size_t size);
/* As xrealloc(); what is new is undefined. */
void *memory_large_grow(void *p, size_t count, size_t size);
#endif
