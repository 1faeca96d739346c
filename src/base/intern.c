#include "base/intern.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

void intern_release(struct intern *t)
{
	free(t->strings);
	free(t->slots);
	free(t->tags);
	arena_release(&t->bytes);
	*t = (struct intern){ 0 };
}

/* The slot that holds `s`, or the free one where it belongs. */
static size_t slot_of(const struct intern *t, struct str s, uint64_t h)
{
	size_t mask = t->slot_cap - 1, i = h & mask;
	uint32_t tag = (uint32_t)(h >> 32);

	while (t->slots[i] &&
	       (t->tags[i] != tag || !str_eq(t->strings[t->slots[i] - 1], s)))
		i = (i + 1) & mask;
	return i;
}

static void grow(struct intern *t)
{
	t->slot_cap = t->slot_cap ? 2 * t->slot_cap : 32;
	free(t->slots);
	free(t->tags);
	t->slots = xcalloc_table(t->slot_cap, sizeof(*t->slots));
	t->tags = xcalloc_table(t->slot_cap, sizeof(*t->tags));
	for (size_t id = 0; id < t->n; id++) {
		uint64_t h = hash64(t->strings[id]);
		size_t i = slot_of(t, t->strings[id], h);

		t->slots[i] = (uint32_t)id + 1;
		t->tags[i] = (uint32_t)(h >> 32);
	}
}

uint32_t intern_add(struct intern *t, struct str s)
{
	if (t->n >= t->slot_cap / 4 * 3)
		grow(t);
	uint64_t h = hash64(s);
	size_t i = slot_of(t, s, h);

	if (!t->slots[i]) {
		assert(t->n < INTERN_NONE - 1);
		VEC_ADD(t->strings, t->n, t->cap, arena_copy(&t->bytes, s));
		t->slots[i] = (uint32_t)t->n;
		t->tags[i] = (uint32_t)(h >> 32);
	}
	return t->slots[i] - 1;
}

uint32_t intern_find(const struct intern *t, struct str s)
{
	if (t->n == 0)
		return INTERN_NONE;
	size_t i = slot_of(t, s, hash64(s));

	return t->slots[i] ? t->slots[i] - 1 : INTERN_NONE;
}
