/*
 * bloom.h - "surely not seen" in one cache line.
 *
 * A blocked Bloom filter: the key chooses a block of 64 bytes, eight bits are
 * set in it, one in each 64-bit word.  With 12 bits a key about 0.5 % of the
 * keys never added are answered "maybe"; with 16 bits about 0.1 %.
 * Keys must be hashes already.  Not thread-safe.
 */
#ifndef BASE_BLOOM_H
#define BASE_BLOOM_H

#include "base/base.h"

struct bloom {
	uint64_t (*blocks)[8];
	size_t n_blocks;
};

void bloom_init(struct bloom *b, size_t expected_keys, unsigned bits_per_key);
void bloom_release(struct bloom *b);
/* Add `key`; false when it was surely not there before. */
bool bloom_add(struct bloom *b, uint64_t key);
bool bloom_may_have(const struct bloom *b, uint64_t key);
/* Ask the processor for the line of `key`, some keys ahead of its use. */
void bloom_prefetch(const struct bloom *b, uint64_t key);
#endif
