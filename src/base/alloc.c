#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

static _Noreturn void out_of_memory(size_t count, size_t size)
{
	fprintf(stderr, "out of memory: %zu x %zu bytes\n", count, size);
	abort();
}

void *xrealloc(void *p, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		out_of_memory(count, size);
	/* realloc(p, 0) may free and return NULL; an empty array is not an error. */
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		out_of_memory(count, size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		out_of_memory(count, size);
	return p;
}
