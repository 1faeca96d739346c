#include "policy/asked_pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define CAP_MIN  ((size_t)1 << 16)
#define CAP_MAX  ((size_t)1 << 22)
#define SPARSELY 16 /* slots a page */

void asked_pages_release(struct asked_pages *a)
{
	free(a->slots);
	*a = (struct asked_pages){ 0 };
}

static uint32_t *slot_of(const struct asked_pages *a, uint64_t page)
{
	return &a->slots[page & (a->cap - 1)];
}

/* What says that it is this page. */
static uint32_t mark_of(uint64_t page)
{
	return (uint32_t)(page >> 32 | 1);
}

bool asked_pages_has(const struct asked_pages *a, uint64_t page)
{
	return a->cap > 0 && *slot_of(a, page) == mark_of(page);
}

/* One more bit of each hash counts now, and nobody knows it: both places are right. */
static void grow(struct asked_pages *a)
{
	size_t old = a->cap;

	if (old == 0) {
		a->cap = CAP_MIN;
		a->slots = xcalloc(a->cap, sizeof(*a->slots));
		return;
	}
	a->cap = 2 * old;
	a->slots = xrealloc(a->slots, a->cap, sizeof(*a->slots));
	memcpy(a->slots + old, a->slots, old * sizeof(*a->slots));
}

void asked_pages_add(struct asked_pages *a, uint64_t page)
{
	if (a->n >= a->cap / SPARSELY && a->cap < CAP_MAX)
		grow(a);
	a->n += *slot_of(a, page) != mark_of(page);
	*slot_of(a, page) = mark_of(page);
}

void asked_pages_remove(struct asked_pages *a, uint64_t page)
{
	if (asked_pages_has(a, page))
		*slot_of(a, page) = 0;
}
