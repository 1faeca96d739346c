#include "sketch/method_bits.h"

#include "sketch/exact.h"
#include "sketch/minhash.h"
#include "sketch/simhash.h"

static void add_u128(struct buf *to, struct u128 v)
{
	buf_add_u64(to, v.lo);
	buf_add_u64(to, v.hi);
}

size_t payload_digest_make(const struct document *doc, const struct feature_options *how,
			   struct buf *to)
{
	(void)how;
	add_u128(to, payload_digest(doc->text));
	return doc->text.n;
}

size_t text_digest_make(const struct document *doc, const struct feature_options *how,
			struct buf *to)
{
	size_t n;

	(void)how;
	add_u128(to, text_digest(doc->text, &n));
	return n;
}

size_t simhash64_make(const struct document *doc, const struct feature_options *how,
		      struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	buf_add_u64(to, simhash64(&f));
	return f.n;
}

size_t simhash32_make(const struct document *doc, const struct feature_options *how,
		      struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	buf_add_u64(to, simhash32(&f));
	return f.n;
}

size_t simhash128_make(const struct document *doc, const struct feature_options *how,
		       struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	add_u128(to, simhash128(&f));
	return f.n;
}

size_t crawlhash_make(const struct document *doc, const struct feature_options *how,
		      struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_add_shingles(&f, doc->text, PIECE_SPACED, how->size);
	buf_add_u64(to, crawlhash32(doc->text, how->size));
	return f.n;
}

double bits_distance(struct str a, struct str b)
{
	unsigned n = 0;

	for (size_t i = 0; i < a.n / 8; i++)
		n += hamming64(payload_u64(a, i), payload_u64(b, i));
	return n;
}

double bits_equal(struct str a, struct str b)
{
	return str_eq(a, b);
}

bool one_u64_valid(struct str payload)
{
	return payload.n == 8;
}

bool two_u64_valid(struct str payload)
{
	return payload.n == 16;
}

static void add_slots(struct buf *to, const uint32_t slots[OPH_SLOTS])
{
	for (unsigned i = 0; i < OPH_SLOTS; i++)
		buf_add_u32(to, slots[i]);
}

size_t oph_make(const struct document *doc, const struct feature_options *how,
		struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };
	uint32_t slots[OPH_SLOTS];

	features_of(doc, how, &f);
	oph_of(&f, slots);
	add_slots(to, slots);
	return f.n;
}

size_t minhash_make(const struct document *doc, const struct feature_options *how,
		    struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };
	uint32_t slots[OPH_SLOTS];

	features_of(doc, how, &f);
	minhash_classic(&f, slots, OPH_SLOTS);
	add_slots(to, slots);
	return f.n;
}

double slots_similarity(struct str a, struct str b)
{
	unsigned equal = 0;

	for (size_t i = 0; i < OPH_SLOTS; i++)
		equal += memcmp(a.p + 4 * i, b.p + 4 * i, 4) == 0;
	return equal / (double)OPH_SLOTS;
}

bool slots_valid(struct str payload)
{
	return payload.n == 4 * OPH_SLOTS;
}
