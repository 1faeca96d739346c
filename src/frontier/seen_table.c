#include "frontier/seen_table.h"

#include <stdlib.h>

#include "base/alloc.h"

#define CAP_MIN 1024

static bool is_zero(struct u128 k)
{
	return (k.hi | k.lo) == 0;
}

void seen_table_release(struct seen_table *t)
{
	free(t->slots);
	*t = (struct seen_table){ 0 };
}

static size_t cap_for(size_t n)
{
	size_t cap = CAP_MIN;

	while (n > cap / 4 * 3)
		cap *= 2;
	return cap;
}

size_t seen_table_bytes(size_t n)
{
	return cap_for(n) * sizeof(struct u128);
}

/* The slot of `key`, or the free one where it belongs. */
static struct u128 *slot_of(struct u128 *slots, size_t cap, struct u128 key)
{
	size_t i = key.lo & (cap - 1);

	while (!is_zero(slots[i]) && !u128_eq(slots[i], key))
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

void seen_table_reserve(struct seen_table *t, size_t n)
{
	size_t cap = cap_for(n);

	if (cap <= t->cap)
		return;
	struct u128 *fresh = xcalloc_table(cap, sizeof(*fresh));
	for (size_t i = 0; i < t->cap; i++)
		if (!is_zero(t->slots[i]))
			*slot_of(fresh, cap, t->slots[i]) = t->slots[i];
	free(t->slots);
	t->slots = fresh;
	t->cap = cap;
}

bool seen_table_add(struct seen_table *t, struct u128 key)
{
	if (is_zero(key)) {
		bool fresh = !t->has_zero;

		t->has_zero = true;
		return fresh;
	}
	if (t->n >= t->cap / 4 * 3)
		seen_table_reserve(t, t->n + 1);
	struct u128 *slot = slot_of(t->slots, t->cap, key);
	if (!is_zero(*slot))
		return false;
	*slot = key;
	t->n++;
	return true;
}

bool seen_table_has(const struct seen_table *t, struct u128 key)
{
	if (is_zero(key))
		return t->has_zero;
	return t->cap != 0 && !is_zero(*slot_of(t->slots, t->cap, key));
}

bool seen_table_next(const struct seen_table *t, size_t *at, struct u128 *ret)
{
	/* Position 0 stands for the zero key, i + 1 for slot i. */
	if (*at == 0) {
		*at = 1;
		if (t->has_zero) {
			*ret = (struct u128){ 0 };
			return true;
		}
	}
	for (; *at <= t->cap; ++*at) {
		if (is_zero(t->slots[*at - 1]))
			continue;
		*ret = t->slots[(*at)++ - 1];
		return true;
	}
	return false;
}
