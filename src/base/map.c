#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define CAP_MIN 16

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}

void map_reset(struct map *m)
{
	if (m->slots)
		memset(m->slots, 0, m->cap * sizeof(*m->slots));
	m->n = 0;
	m->has_zero = false;
}

static struct map_slot *slot_of(const struct map *m, uint64_t key)
{
	size_t mask = m->cap - 1, i = hash_mix(key) & mask;

	while (m->slots[i].key && m->slots[i].key != key)
		i = (i + 1) & mask;
	return &m->slots[i];
}

static void rehash(struct map *m, size_t cap)
{
	struct map old = *m;

	m->cap = cap;
	m->slots = xcalloc_table(cap, sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].key)
			*slot_of(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

void map_reserve(struct map *m, size_t n)
{
	size_t cap = m->cap ? m->cap : CAP_MIN;

	while (cap / 4 * 3 < n)
		cap *= 2;
	if (cap != m->cap)
		rehash(m, cap);
}

uint64_t *map_find(const struct map *m, uint64_t key)
{
	if (key == 0)
		return m->has_zero ? (uint64_t *)(uintptr_t)&m->zero_value : NULL;
	if (m->n == 0)
		return NULL;
	struct map_slot *s = slot_of(m, key);

	return s->key ? &s->value : NULL;
}

void map_fetch(const struct map *m, uint64_t key)
{
	if (m->cap > 0)
		__builtin_prefetch(&m->slots[hash_mix(key) & (m->cap - 1)]);
}

uint64_t *map_add(struct map *m, uint64_t key, bool *ret_new)
{
	bool unused;
	bool *fresh = ret_new ? ret_new : &unused;

	if (key == 0) {
		*fresh = !m->has_zero;
		m->zero_value = m->has_zero ? m->zero_value : 0;
		m->has_zero = true;
		return &m->zero_value;
	}
	map_reserve(m, m->n + 1);
	struct map_slot *s = slot_of(m, key);

	*fresh = s->key == 0;
	if (*fresh) {
		*s = (struct map_slot){ .key = key };
		m->n++;
	}
	return &s->value;
}

/* Shift the cluster behind the hole back, so that no tombstone is needed. */
static void close_hole(struct map *m, size_t hole)
{
	size_t mask = m->cap - 1;

	for (size_t i = (hole + 1) & mask; m->slots[i].key; i = (i + 1) & mask) {
		size_t home = hash_mix(m->slots[i].key) & mask;

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->slots[hole] = (struct map_slot){ 0 };
}

bool map_remove(struct map *m, uint64_t key)
{
	if (key == 0) {
		bool had = m->has_zero;

		m->has_zero = false;
		return had;
	}
	if (m->n == 0)
		return false;
	struct map_slot *s = slot_of(m, key);

	if (!s->key)
		return false;
	close_hole(m, (size_t)(s - m->slots));
	m->n--;
	return true;
}

bool map_next(const struct map *m, size_t *at, struct map_slot *ret)
{
	for (; *at < m->cap; ++*at)
		if (m->slots[*at].key) {
			*ret = m->slots[(*at)++];
			return true;
		}
	if (*at == m->cap && m->has_zero) {
		++*at;
		*ret = (struct map_slot){ 0, m->zero_value };
		return true;
	}
	return false;
}
