#include "method/henzinger.h"

#include <math.h>

#include "base/hash.h"
#include "method/supershingle.h"
#include "sketch/simhash.h"

#define WORDS (HENZINGER_BITS / 64)

/* Single words with their counts, as Henzinger gave them to Charikar's method. */
static void add_simhash(struct str text, struct buf *to)
{
	cleanup(features_release) struct features f = { 0 }, mixed = { 0 };

	features_add_shingles(&f, text, PIECE_WORDS, 1);
	features_finish(&f, WEIGHT_TF, NULL);
	for (uint64_t w = 0; w < WORDS; w++) {
		features_reset(&mixed);
		for (size_t i = 0; i < f.n; i++)
			features_add(&mixed, hash_mix(f.v[i].hash + w), f.v[i].weight);
		buf_add_u64(to, simhash64(&mixed));
	}
}

size_t henzinger_make(const struct document *doc, const struct feature_options *how,
		      struct buf *to)
{
	size_t n = supershingle_make(doc, how, to);

	add_simhash(doc->text, to);
	return n;
}

bool henzinger_valid(struct str payload)
{
	return payload.n == 8 * (SUPERSHINGLES + WORDS);
}

double henzinger_measure(struct str a, struct str b)
{
	unsigned differ = 0;

	if (supershingle_measure(a, b) < 2)
		return INFINITY;
	for (size_t i = SUPERSHINGLES; i < SUPERSHINGLES + WORDS; i++)
		differ += hamming64(payload_u64(a, i), payload_u64(b, i));
	return differ;
}
