/*
 * heap.h - the one binary heap, made for a type at compile time.
 *
 *   HEAP_DEFINE(timer_heap, struct timer, fires_before)
 *
 * gives struct timer_heap { struct timer *v; size_t n, cap; } and the
 * functions timer_heap_add(), _take() and _release().  The element for which
 * `goes_before(const T *, const T *)` is true against all others is v[0].
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdlib.h>

#include "base/alloc.h"

#define HEAP_DEFINE(name, type, goes_before)                                        \
	struct name {                                                               \
		type *v;                                                            \
		size_t n, cap;                                                      \
	};                                                                          \
	static __attribute__((unused)) void name##_up(struct name *h, size_t i)     \
	{                                                                           \
		while (i > 0 && goes_before(&h->v[i], &h->v[(i - 1) / 2])) {        \
			SWAP(h->v[i], h->v[(i - 1) / 2]);                           \
			i = (i - 1) / 2;                                            \
		}                                                                   \
	}                                                                           \
	static __attribute__((unused)) void name##_down(struct name *h, size_t i)   \
	{                                                                           \
		for (;;) {                                                          \
			size_t best = i, left = 2 * i + 1, right = left + 1;        \
                                                                                    \
			if (left < h->n && goes_before(&h->v[left], &h->v[best]))   \
				best = left;                                        \
			if (right < h->n && goes_before(&h->v[right], &h->v[best])) \
				best = right;                                       \
			if (best == i)                                              \
				return;                                             \
			SWAP(h->v[i], h->v[best]);                                  \
			i = best;                                                   \
		}                                                                   \
	}                                                                           \
	static __attribute__((unused)) void name##_add(struct name *h, type x)      \
	{                                                                           \
		VEC_ADD(h->v, h->n, h->cap, x);                                     \
		name##_up(h, h->n - 1);                                             \
	}                                                                           \
	/* False when the heap is empty. */                                         \
	static __attribute__((unused)) bool name##_take(struct name *h, type *ret)  \
	{                                                                           \
		if (h->n == 0)                                                      \
			return false;                                               \
		*ret = h->v[0];                                                     \
		h->v[0] = h->v[--h->n];                                             \
		name##_down(h, 0);                                                  \
		return true;                                                        \
	}                                                                           \
	static __attribute__((unused)) void name##_release(struct name *h)          \
	{                                                                           \
		free(h->v);                                                         \
		*h = (struct name){ 0 };                                            \
	}
#endif
