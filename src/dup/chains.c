#include "dup/chains.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define SLOTS_MIN 1024
#define LINKS_MAX ((size_t)1 << 31)

void chains_release(struct chains *c)
{
	free(c->links);
	free(c->slots);
	*c = (struct chains){ 0 };
}

size_t chains_bytes(const struct chains *c)
{
	return c->cap * sizeof(*c->links) + c->n_slots * sizeof(*c->slots);
}

static uint32_t tag_of(uint64_t key)
{
	return (uint32_t)(hash_mix(key) >> 32);
}

/* Places ascend with tags: what stands in order stays in order in a larger table. */
static size_t home_of(const struct chains *c, uint32_t tag)
{
	return (size_t)((uint64_t)tag * c->n_slots >> 32);
}

static size_t after(const struct chains *c, size_t at)
{
	return (at + 1) & (c->n_slots - 1);
}

/* The slot of `key`, or the free one where it would stand. */
static struct chain_slot *slot_of(const struct chains *c, uint64_t key, uint32_t tag)
{
	size_t at = home_of(c, tag);

	for (; c->slots[at].head; at = after(c, at))
		if (c->slots[at].tag == tag && c->links[c->slots[at].head - 1].key == key)
			break;
	return &c->slots[at];
}

static void grow(struct chains *c)
{
	struct chains old = *c;

	c->n_slots = old.n_slots ? 2 * old.n_slots : SLOTS_MIN;
	c->slots = xcalloc_table(c->n_slots, sizeof(*c->slots));
	for (size_t i = 0; i < old.n_slots; i++) {
		size_t at = home_of(c, old.slots[i].tag);

		if (!old.slots[i].head)
			continue;
		while (c->slots[at].head)
			at = after(c, at);
		c->slots[at] = old.slots[i];
	}
	free(old.slots);
}

/* Large memory moves without a copy, so that little need stay unused. */
static void make_room(struct chains *c)
{
	c->cap += MAX(c->cap / 4, (size_t)1024);
	c->links = xrealloc(c->links, c->cap, sizeof(*c->links));
}

void chains_add(struct chains *c, uint64_t key, uint32_t doc)
{
	uint32_t tag = tag_of(key);

	assert(c->n < LINKS_MAX);
	if (c->n_keys >= c->n_slots / 4 * 3)
		grow(c);
	struct chain_slot *s = slot_of(c, key, tag);

	c->n_keys += s->head == 0;
	if (c->n == c->cap)
		make_room(c);
	c->links[c->n++] = (struct sort_pair){ key, (uint64_t)s->head << 32 | doc };
	*s = (struct chain_slot){ tag, (uint32_t)c->n };
}

uint32_t chains_head(const struct chains *c, uint64_t key)
{
	return c->n_slots ? slot_of(c, key, tag_of(key))->head : 0;
}

void chains_prefetch(const struct chains *c, uint64_t key)
{
	if (c->n_slots)
		__builtin_prefetch(&c->slots[home_of(c, tag_of(key))]);
}

struct sort_pair *chains_take_sorted(struct chains *c, size_t *ret_n)
{
	struct sort_pair *v = TAKE(c->links);
	size_t n = c->n;

	chains_release(c); /* the slots, before as much again is needed */
	for (size_t i = 0; i < n; i++)
		v[i].value &= UINT32_MAX;
	for (size_t i = 0; i < n / 2; i++)
		SWAP(v[i], v[n - 1 - i]);
	struct sort_pair *scratch = xrealloc(NULL, n, sizeof(*scratch));
	sort_pairs(v, scratch, n); /* what is equal stays in its order */
	free(scratch);
	*ret_n = n;
	return v;
}
