#include "sketch/bands.h"

#include <math.h>

#include "base/hash.h"

double bands_recall(struct bands b, double jaccard)
{
	return 1 - pow(1 - pow(jaccard, b.rows), b.bands);
}

struct bands bands_choose(double jaccard, double recall)
{
	struct bands best = { OPH_SLOTS, 1 };

	/* Longer rows make fewer candidates; take the longest that finds enough. */
	for (unsigned rows = 2; rows <= 32; rows++) {
		struct bands b = { OPH_SLOTS / rows, rows };

		if (bands_recall(b, jaccard) < recall)
			break;
		best = b;
	}
	return best;
}

void bands_keys(struct bands b, const uint32_t slots[OPH_SLOTS], uint64_t *ret)
{
	for (unsigned i = 0; i < b.bands; i++)
		ret[i] = hash64_seeded((struct str){ (const char *)(slots + i * b.rows),
						     b.rows * sizeof(*slots) },
				       i + 1);
}
