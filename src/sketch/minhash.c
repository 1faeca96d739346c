#include "sketch/minhash.h"

#include "base/rng.h"

#define MERSENNE_61 (((uint64_t)1 << 61) - 1)

void oph_init(uint32_t slots[OPH_SLOTS])
{
	memset(slots, 0xff, OPH_SLOTS * sizeof(*slots));
}

bool oph_densify(uint32_t slots[OPH_SLOTS])
{
	uint32_t filled[OPH_SLOTS];
	unsigned empty = 0;

	for (unsigned i = 0; i < OPH_SLOTS; i++)
		empty += slots[i] == OPH_EMPTY;
	if (empty == OPH_SLOTS)
		return false;
	memcpy(filled, slots, sizeof(filled));
	for (unsigned i = 0; empty && i < OPH_SLOTS; i++) {
		/* The walk depends on the slot only, so equal sets borrow alike. */
		for (uint64_t tries = 1; filled[i] == OPH_EMPTY; tries++)
			filled[i] = slots[hash_mix(tries << 32 | i) % OPH_SLOTS];
	}
	memcpy(slots, filled, sizeof(filled));
	return true;
}

unsigned oph_equal(const uint32_t a[OPH_SLOTS], const uint32_t b[OPH_SLOTS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < OPH_SLOTS; i++)
		n += a[i] == b[i];
	return n;
}

bool oph_of(const struct features *f, uint32_t ret[OPH_SLOTS])
{
	oph_init(ret);
	for (size_t i = 0; i < f->n; i++)
		oph_add(ret, f->v[i].hash);
	return oph_densify(ret);
}

uint64_t minhash_permute(uint64_t x, uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * (x % MERSENNE_61) + b;
	uint64_t r = ((uint64_t)product & MERSENNE_61) + (uint64_t)(product >> 61);

	r = (r & MERSENNE_61) + (r >> 61);
	return r >= MERSENNE_61 ? r - MERSENNE_61 : r;
}

void minhash_classic(const struct features *f, uint32_t *ret, unsigned n)
{
	struct rng r = { 0x7468726573680001u };

	for (unsigned i = 0; i < n; i++) {
		uint64_t a = 1 + rng_below(&r, MERSENNE_61 - 1);
		uint64_t b = rng_below(&r, MERSENNE_61);
		uint64_t least = UINT64_MAX;

		for (size_t k = 0; k < f->n; k++) {
			uint64_t h = minhash_permute(f->v[k].hash, a, b);

			least = MIN(least, h);
		}
		ret[i] = (uint32_t)hash_mix(least);
	}
}

#define LANES  8
#define GROUPS 4 /* of lanes that are held in registers */

/* The multipliers and summands: the same on every machine and for ever. */
struct factors {
	uint32_t a[OPH_SLOTS], b[OPH_SLOTS];
};

static void make_factors(struct factors *f)
{
	struct rng r = { 0x7468726573680002u };

	for (unsigned i = 0; i < OPH_SLOTS; i++) {
		uint64_t v = rng_next(&r);

		f->a[i] = (uint32_t)v | 1;
		f->b[i] = (uint32_t)(v >> 32);
	}
}

void minhash_of_scalar(const uint64_t *hashes, size_t n, uint32_t ret[OPH_SLOTS])
{
	struct factors f;

	make_factors(&f);
	for (size_t i = 0; i < OPH_SLOTS; i++) {
		ret[i] = OPH_EMPTY;
		for (size_t k = 0; k < n; k++)
			ret[i] = MIN(ret[i],
				     f.a[i] * (uint32_t)(hashes[k] >> 32) + f.b[i]);
	}
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static void
minhash_of_avx2(const uint64_t *hashes, size_t n, uint32_t ret[OPH_SLOTS])
{
	struct factors f;

	make_factors(&f);
	for (size_t g = 0; g < OPH_SLOTS; g += GROUPS * LANES) {
		__m256i a[GROUPS], b[GROUPS], least[GROUPS];

		memcpy(a, f.a + g, sizeof(a));
		memcpy(b, f.b + g, sizeof(b));
		memset(least, 0xff, sizeof(least));
		for (size_t i = 0; i < n; i++) {
			__m256i x = _mm256_set1_epi32((int)(hashes[i] >> 32));

#pragma GCC unroll 4
			for (size_t k = 0; k < GROUPS; k++)
				least[k] = _mm256_min_epu32(
					least[k],
					_mm256_add_epi32(_mm256_mullo_epi32(a[k], x),
							 b[k]));
		}
		memcpy(ret + g, least, sizeof(least));
	}
}
#endif

void minhash_of(const uint64_t *hashes, size_t n, uint32_t ret[OPH_SLOTS])
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2")) {
		minhash_of_avx2(hashes, n, ret);
		return;
	}
#endif
	minhash_of_scalar(hashes, n, ret);
}
