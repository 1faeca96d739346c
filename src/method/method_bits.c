#include "method/method_bits.h"

#include "base/alloc.h"
#include "sketch/exact.h"
#include "sketch/minhash.h"
#include "sketch/simhash.h"
#include "sketch/text_sketch.h"

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

#define FEW_SHINGLES 64

/* The fast kernel makes the same SimHash: every occurrence weighs one. */
static bool is_fast(const struct feature_options *how)
{
	return how->kind == FEATURE_SHINGLES && how->piece == PIECE_WORDS &&
	       how->size <= FEATURES_FAST_SIZE && how->weight == WEIGHT_TF;
}

/* Different ones, where there are so few that it matters. */
static size_t count_shingles(const struct text_sketch *t, const struct document *doc,
			     const struct feature_options *how)
{
	cleanup(features_release) struct features f = { 0 };

	if (t->n_shingles >= FEW_SHINGLES)
		return (size_t)t->n_shingles;
	features_of(doc, how, &f);
	return f.n;
}

size_t simhash64_make(const struct document *doc, const struct feature_options *how,
		      struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	if (is_fast(how)) {
		struct text_sketch t;

		text_shingles(doc->text, how->size, &t, NULL);
		buf_add_u64(to, t.simhash);
		return count_shingles(&t, doc, how);
	}
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
	size_t n;

	buf_add_u64(to, crawlhash32(doc->text, how->piece, how->size, &n));
	return n;
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
	cleanup(hash_list_release) struct hash_list l = { 0 };
	cleanup(features_release) struct features f = { 0 };
	uint32_t slots[OPH_SLOTS];
	struct text_sketch t = { 0 };

	if (how->kind == FEATURE_SHINGLES && how->piece == PIECE_WORDS &&
	    how->size <= FEATURES_FAST_SIZE) {
		text_shingles(doc->text, how->size, &t, &l);
	} else {
		features_of(doc, how, &f);
		for (size_t i = 0; i < f.n; i++)
			VEC_ADD(l.v, l.n, l.cap, f.v[i].hash);
		t.n_shingles = f.n;
	}
	minhash_of(l.v, l.n, slots);
	add_slots(to, slots);
	return count_shingles(&t, doc, how);
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
