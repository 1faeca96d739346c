#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

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

/* Linux gives large pages on advice; advice that is not taken is no failure. */
static void advise_large(const void *p, size_t bytes)
{
	uintptr_t from = ((uintptr_t)p + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1),
		  to = ((uintptr_t)p + bytes) & ~(LARGE_PAGE - 1);

	if (bytes >= 2 * LARGE_PAGE && from < to)
		(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
}

void *xrealloc_large(void *p, size_t count, size_t size)
{
	p = xrealloc(p, count, size);
	advise_large(p, count * size);
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		out_of_memory(count, size);
	advise_large(p, count * size);
	return p;
}

void *xcalloc_table(size_t count, size_t size)
{
	void *p = xcalloc(count, size);
	volatile char *bytes = p;

	if (count * size >= 2 * LARGE_PAGE)
		for (size_t at = 0; at < count * size; at += LARGE_PAGE)
			bytes[at] = 0;
	return p;
}
