/*
 * hash.h - the two hashes of the project: XXH3, 64 and 128 bits, seed pinned.
 *
 * The values go to disk and to other machines, so they never change.  Not for
 * secrets: whoever controls the input can make collisions of 64 bits.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct u128 {
	uint64_t hi, lo;
};

/* What is longer is worth the widest registers there are. */
#define HASH_SHORT 240

/* Of any length, by the widest registers; not inlined.  By way of AVX2 only where the
 * processor has it. */
uint64_t hash64_long(struct str s, uint64_t seed);
uint64_t hash64_long_avx2(struct str s, uint64_t seed);

/* A family of independent hashes, one a seed. */
static inline uint64_t hash64_seeded(struct str s, uint64_t seed)
{
	return s.n > HASH_SHORT ? hash64_long(s, seed)
				: XXH3_64bits_withSeed(s.p, s.n, seed);
}
static inline uint64_t hash64(struct str s)
{
	return hash64_seeded(s, 0);
}
static inline struct u128 hash128(struct str s)
{
	XXH128_hash_t h = XXH3_128bits(s.p, s.n);

	return (struct u128){ h.high64, h.low64 };
}
/* Spread the bits of a number that is not yet a hash (splitmix64's finish). */
static inline uint64_t hash_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}
static inline bool u128_eq(struct u128 a, struct u128 b)
{
	return a.hi == b.hi && a.lo == b.lo;
}
static inline bool u128_less(struct u128 a, struct u128 b)
{
	return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}
/* The checksum of blocks and records on disk. */
static inline uint32_t checksum32(struct str s)
{
	return (uint32_t)hash64(s);
}
#endif
