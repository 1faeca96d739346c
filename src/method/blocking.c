#include "method/blocking.h"

#include <math.h>

#include "base/hash.h"
#include "method/buckets.h"
#include "method/henzinger.h"
#include "method/imatch.h"
#include "method/method_bits.h"
#include "method/method_sets.h"
#include "method/ssm.h"
#include "method/supershingle.h"
#include "method/vectors.h"

#define BITS_PIECES_MAX 8

enum blocking method_blocking(const struct method *m)
{
	if (m->measure == slots_similarity)
		return BLOCK_SLOTS;
	if (m->measure == bits_distance)
		return BLOCK_BITS;
	if (m->measure == supershingle_measure || m->measure == henzinger_measure)
		return BLOCK_SUPER;
	if (m->measure == imatch_measure || m->measure == buckets_measure)
		return BLOCK_EACH;
	if (m->measure == bits_equal)
		return BLOCK_WHOLE;
	if (m->measure == ss_measure)
		return BLOCK_KEYWORDS_3;
	if (m->measure == ssm_printed_measure || m->measure == ssm_tables_measure)
		return BLOCK_KEYWORDS_4;
	return BLOCK_BANDS;
}

static size_t band_keys(struct str payload, size_t step, struct bands bands,
			uint64_t *ret)
{
	uint32_t slots[OPH_SLOTS];

	oph_init(slots);
	for (size_t i = 0; i < payload.n / 8; i += step)
		oph_add(slots, payload_u64(payload, i));
	if (!oph_densify(slots))
		return 0;
	bands_keys(bands, slots, ret);
	return bands.bands;
}

static size_t slot_keys(struct str payload, struct bands bands, uint64_t *ret)
{
	uint32_t slots[OPH_SLOTS];

	memcpy(slots, payload.p, sizeof(slots));
	bands_keys(bands, slots, ret);
	return bands.bands;
}

static unsigned bit_pieces(double threshold)
{
	return (unsigned)fmin(fmax(floor(threshold), 0) + 1, BITS_PIECES_MAX);
}

/* With one piece more than bits may differ, one piece is the same in both. */
static size_t bit_keys(struct str payload, unsigned bits, double threshold, uint64_t *ret)
{
	unsigned pieces = bit_pieces(threshold);

	for (unsigned p = 0; p < pieces; p++) {
		uint64_t key = p + 1;

		for (unsigned i = bits * p / pieces; i < bits * (p + 1) / pieces; i++)
			key = key << 1 | (payload_u64(payload, i / 64) >> i % 64 & 1);
		ret[p] = hash_mix(key ^ (uint64_t)p << 56);
	}
	return pieces;
}

static size_t each_key(struct str payload, size_t n, uint64_t *ret)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (payload_u64(payload, i)) /* an empty bucket is no meeting place */
			ret[k++] = hash_mix(payload_u64(payload, i) + i);
	return k;
}

static size_t keyword_keys(struct str payload, unsigned prime, uint64_t *ret)
{
	struct ssm_keyword first[8];
	size_t n = MIN(payload.n / 16, COUNT(first));

	for (size_t i = 0; i < n; i++)
		first[i] = (struct ssm_keyword){ payload_u64(payload, 2 * i), 1 };
	*ret = ssm_block_key(first, n, prime);
	return 1;
}

unsigned method_bits(const struct method *m)
{
	if (m->measure != bits_distance)
		return 0;
	if (m->make == simhash32_make || m->make == crawlhash_make)
		return 32;
	return m->valid == two_u64_valid ? 128 : 64;
}

/* What stands behind the head of a fingerprint; false when it is near to nothing. */
static bool open_payload(const struct method *m, struct str *p)
{
	uint8_t version, id;
	uint64_t n;

	return str_take_u8(p, &version) && version == FINGERPRINT_VERSION &&
	       str_take_u8(p, &id) && id == m->id && str_take_varint(p, &n) &&
	       m->valid(*p) && n >= m->min_features;
}

bool method_word(const struct method *m, struct str fingerprint, uint64_t *ret)
{
	if (method_bits(m) != 64 || !open_payload(m, &fingerprint))
		return false;
	*ret = payload_u64(fingerprint, 0);
	return true;
}

size_t method_keys(const struct method *m, struct str fingerprint, double threshold,
		   struct bands bands, uint64_t ret[BLOCKING_KEYS])
{
	struct str p = fingerprint;

	if (!open_payload(m, &p))
		return 0;
	switch (method_blocking(m)) {
	case BLOCK_BANDS:
		return band_keys(
			p, m->valid == bag_valid || m->valid == vector_valid ? 2 : 1,
			bands, ret);
	case BLOCK_SLOTS:
		return slot_keys(p, bands, ret);
	case BLOCK_BITS:
		return bit_keys(p, method_bits(m), threshold, ret);
	case BLOCK_EACH:
		return each_key(p, MIN(p.n / 8, (size_t)BLOCKING_KEYS), ret);
	case BLOCK_SUPER:
		return each_key(p, SUPERSHINGLES, ret);
	case BLOCK_WHOLE:
		*ret = hash64(p);
		return 1;
	case BLOCK_KEYWORDS_4:
		return keyword_keys(p, SSM_PRIME, ret);
	case BLOCK_KEYWORDS_3:
		return keyword_keys(p, SS_PRIME, ret);
	}
	return 0;
}

double method_keys_recall(const struct method *m, double threshold, struct bands bands,
			  double at)
{
	unsigned pieces = bit_pieces(threshold);
	double bits = method_bits(m);

	switch (method_blocking(m)) {
	case BLOCK_BANDS:
	case BLOCK_SLOTS:
		return bands_recall(bands, fmin(fmax(at, 0), 1));
	case BLOCK_BITS:
		if (at < pieces)
			return 1;
		/* pieces without a changed bit, taken as independent */
		return 1 - pow(1 - pow(1 - at / bits, bits / pieces), pieces);
	default:
		return m->measure == buckets_measure ? NAN : 1;
	}
}
