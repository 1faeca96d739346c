#include "dup/common_text.h"

#include <stdlib.h>

#include "base/alloc.h"

#define BITS_LEAST   16
#define BITS_MOST    28
#define HERE_BITS    16
#define FULL_EIGHTHS 16 /* values per eight counters: one in 20,000 is ten by chance */

void common_text_init(struct common_text *c, size_t memory_bytes)
{
	*c = (struct common_text){ .bits = BITS_LEAST };
	while (c->bits < BITS_MOST && (size_t)2 << c->bits <= memory_bytes)
		c->bits++;
	c->counts = xcalloc((size_t)1 << c->bits, 1);
	c->here = xcalloc((size_t)1 << (HERE_BITS - 6), sizeof(*c->here));
}

void common_text_release(struct common_text *c)
{
	free(c->counts);
	free(c->here);
	*c = (struct common_text){ 0 };
}

/* Values are hashes, but of long documents only small ones: their low bits are even. */
static inline size_t place_of(const struct common_text *c, uint32_t value)
{
	return value & (((size_t)1 << c->bits) - 1);
}

/* A value that stands twice in a document counts once; one in some hundreds that
 * meets another of the same document is left out with it. */
static bool is_first(struct common_text *c, uint32_t value)
{
	uint32_t low = value & ((1u << HERE_BITS) - 1);
	uint64_t *word = &c->here[low >> 6], bit = (uint64_t)1 << (low & 63);
	bool first = !(*word & bit);

	*word |= bit;
	return first;
}

static void forget_here(struct common_text *c, const uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->here[(v[i] & ((1u << HERE_BITS) - 1)) >> 6] = 0;
}

/* Each halving of the share that is counted may fill an eighth of the table more. */
static uint64_t full_at(const struct common_text *c)
{
	return (uint64_t)(FULL_EIGHTHS + c->every_log2) << c->bits >> 3;
}

void common_text_count(struct common_text *c, const struct page_sketch *s)
{
	const uint32_t *v = s->set;
	size_t n = s->n_set;

	if (c->documents++ & (((uint64_t)1 << c->every_log2) - 1))
		return;
	for (size_t i = 0; i < n; i++) {
		uint8_t *count = &c->counts[place_of(c, v[i])];

		if (is_first(c, v[i]) && *count < UINT8_MAX)
			++*count;
	}
	forget_here(c, v, n);
	c->counted += n;
	if (c->counted >= full_at(c))
		c->every_log2++;
}

bool common_text_find(const struct common_text *c, const struct page_sketch *s,
		      struct shingle_set *ret)
{
	const uint32_t *v = s->set;
	bool found = false;

	for (size_t i = 0; i < s->n_set; i++)
		if (c->counts[place_of(c, v[i])] >= COMMON_DOCUMENTS) {
			shingle_set_add(ret, v[i]);
			found = true;
		}
	return found;
}
