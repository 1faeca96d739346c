#include "method/supershingle.h"

#include "base/hash.h"
#include "sketch/minhash.h"

#define PER_GROUP 14

void supershingles_of(const struct features *f, uint64_t ret[SUPERSHINGLES])
{
	uint32_t minima[SUPERSHINGLES * PER_GROUP];

	minhash_classic(f, minima, SUPERSHINGLES * PER_GROUP);
	for (unsigned i = 0; i < SUPERSHINGLES; i++)
		ret[i] = hash64_seeded(
			(struct str){ (const char *)(minima + i * PER_GROUP),
				      PER_GROUP * sizeof(*minima) },
			i);
}

size_t supershingle_make(const struct document *doc, const struct feature_options *how,
			 struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };
	uint64_t super[SUPERSHINGLES];

	features_of(doc, how, &f);
	supershingles_of(&f, super);
	for (unsigned i = 0; i < SUPERSHINGLES; i++)
		buf_add_u64(to, super[i]);
	return f.n;
}

bool supershingle_valid(struct str payload)
{
	return payload.n == 8 * SUPERSHINGLES;
}

double supershingle_measure(struct str a, struct str b)
{
	unsigned equal = 0;

	for (unsigned i = 0; i < SUPERSHINGLES; i++)
		equal += payload_u64(a, i) == payload_u64(b, i);
	return equal;
}
