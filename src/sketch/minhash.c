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
