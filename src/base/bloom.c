#include "base/bloom.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

void bloom_init(struct bloom *b, size_t expected_keys, unsigned bits_per_key)
{
	b->n_blocks = expected_keys / 512 * bits_per_key + bits_per_key;
	size_t bytes = b->n_blocks * sizeof(*b->blocks);

	/* Blocks on cache-line borders: one miss a question. */
	b->blocks = aligned_alloc(64, bytes);
	if (!b->blocks)
		b->blocks = xcalloc(b->n_blocks, sizeof(*b->blocks));
	memset(b->blocks, 0, bytes);
}

void bloom_release(struct bloom *b)
{
	free(b->blocks);
	*b = (struct bloom){ 0 };
}

/* The high bits choose the block, re-mixed low bits the eight bits in it. */
static uint64_t *block_of(const struct bloom *b, uint64_t key)
{
	return b->blocks[(uint64_t)(((unsigned __int128)key * b->n_blocks) >> 64)];
}

bool bloom_add(struct bloom *b, uint64_t key)
{
	uint64_t *block = block_of(b, key), bits = hash_mix(key), missing = 0;

	for (unsigned w = 0; w < 8; w++) {
		uint64_t bit = (uint64_t)1 << ((bits >> (6 * w)) & 63);

		missing |= ~block[w] & bit;
		block[w] |= bit;
	}
	return missing == 0;
}

bool bloom_may_have(const struct bloom *b, uint64_t key)
{
	const uint64_t *block = block_of(b, key);
	uint64_t bits = hash_mix(key), missing = 0;

	for (unsigned w = 0; w < 8; w++)
		missing |= ~block[w] & ((uint64_t)1 << ((bits >> (6 * w)) & 63));
	return missing == 0;
}

void bloom_prefetch(const struct bloom *b, uint64_t key)
{
	__builtin_prefetch(block_of(b, key), 1);
}
