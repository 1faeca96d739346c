/*
 * asked_pages.h - was this page asked for before?  Most pages, at four bytes a slot.
 *
 * A page has one slot, by the low bits of its hash, and what came last stands there: who
 * is forgotten counts as new.  The table is kept so empty that few are, until it has
 * 16 MB.  A zeroed struct is empty.  Not thread-safe.
 */
#ifndef POLICY_ASKED_PAGES_H
#define POLICY_ASKED_PAGES_H

#include "base/base.h"

struct asked_pages {
	uint32_t *slots;
	size_t n, cap; /* noted since the beginning; slots, a power of two or 0 */
};

void asked_pages_release(struct asked_pages *a);
bool asked_pages_has(const struct asked_pages *a, uint64_t page);
void asked_pages_add(struct asked_pages *a, uint64_t page);
void asked_pages_remove(struct asked_pages *a, uint64_t page);
#endif
