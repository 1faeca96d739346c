/*
 * rng.h - randomness from a seed: the same seed gives the same numbers for ever.
 *
 * splitmix64: one word of state, every seed is good, streams are forked by
 * name.  Never for secrets.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include "base/hash.h"

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *r)
{
	return hash_mix(r->state += 0x9e3779b97f4a7c15u);
}
/* 0 <= x < n, without bias that matters (n << 2^64); 0 for n = 0. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)rng_next(r) * n) >> 64);
}
/* 0 <= x < 1, 53 bits. */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}
/* True with probability `p`. */
static inline bool rng_chance(struct rng *r, double p)
{
	return rng_unit(r) < p;
}
/* An independent stream for a named purpose; `r` does not move. */
static inline struct rng rng_fork(const struct rng *r, struct str purpose)
{
	return (struct rng){ hash64_seeded(purpose, r->state) };
}
#endif
