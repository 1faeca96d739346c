#include "sketch/simhash.h"

/* Sums of +weight and -weight for each of the 64 bits. */
static void add_signs(double sum[64], uint64_t hash, double weight)
{
	for (unsigned i = 0; i < 64; i++)
		sum[i] += hash >> i & 1 ? weight : -weight;
}

static uint64_t signs(const double sum[64])
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 64; i++)
		bits |= (uint64_t)(sum[i] > 0) << i;
	return bits;
}

uint64_t simhash64(const struct features *f)
{
	double sum[64] = { 0 };

	for (size_t i = 0; i < f->n; i++)
		add_signs(sum, f->v[i].hash, f->v[i].weight);
	return signs(sum);
}

struct u128 simhash128(const struct features *f)
{
	double lo[64] = { 0 }, hi[64] = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		add_signs(lo, f->v[i].hash, f->v[i].weight);
		add_signs(hi, hash_mix(f->v[i].hash + 1), f->v[i].weight);
	}
	return (struct u128){ signs(hi), signs(lo) };
}
