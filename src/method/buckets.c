#include "method/buckets.h"

size_t buckets_make(const struct document *doc, const struct feature_options *how,
		    struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };
	uint64_t sums[BUCKETS] = { 0 };

	features_of(doc, how, &f);
	for (size_t i = 0; i < f.n; i++)
		sums[f.v[i].hash % BUCKETS] += f.v[i].hash;
	for (unsigned i = 0; i < BUCKETS; i++)
		buf_add_u64(to, sums[i]);
	return f.n;
}

bool buckets_valid(struct str payload)
{
	return payload.n == 8 * BUCKETS;
}

double buckets_measure(struct str a, struct str b)
{
	unsigned equal = 0, used = 0;

	for (unsigned i = 0; i < BUCKETS; i++) {
		uint64_t x = payload_u64(a, i), y = payload_u64(b, i);

		used += x || y;
		equal += x == y && x;
	}
	return used ? equal / (double)used : 0;
}
