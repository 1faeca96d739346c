#include "os/memory.h"

#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

static void advise(const void *p, size_t bytes)
{
	uintptr_t from = ((uintptr_t)p + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1),
		  to = ((uintptr_t)p + bytes) & ~(LARGE_PAGE - 1);

	/* Advice that is not taken is no failure. */
	if (from < to)
		(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
}

void *memory_large(size_t count, size_t size)
{
	void *p = xcalloc(count, size);

	advise(p, count * size);
	return p;
}

void *memory_large_grow(void *p, size_t count, size_t size)
{
	p = xrealloc(p, count, size);
	advise(p, count * size);
	return p;
}
