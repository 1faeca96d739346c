#include "method/method_sets.h"

#include <float.h>
#include <stddef.h>

#include "sketch/near_model.h"

size_t set_make(const struct document *doc, const struct feature_options *how,
		struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	payload_add_hashes(to, &f);
	return f.n;
}

static bool ascending(struct str payload, size_t step)
{
	for (size_t i = step; i < payload.n / 8; i += step)
		if (payload_u64(payload, i) <= payload_u64(payload, i - step))
			return false;
	return true;
}

bool set_valid(struct str payload)
{
	return payload_is_u64s(payload) && ascending(payload, 1);
}

struct overlap set_overlap(struct str a, struct str b)
{
	size_t i = 0, j = 0, n_a = a.n / 8, n_b = b.n / 8;
	uint32_t shared = 0;

	while (i < n_a && j < n_b) {
		uint64_t x = payload_u64(a, i), y = payload_u64(b, j);

		shared += x == y;
		i += x <= y;
		j += y <= x;
	}
	return (struct overlap){ shared, (uint32_t)n_a - shared, (uint32_t)n_b - shared };
}

double set_jaccard(struct str a, struct str b)
{
	return overlap_jaccard(set_overlap(a, b));
}

double set_containment(struct str a, struct str b)
{
	return overlap_containment(set_overlap(a, b));
}

double set_resemblance(struct str a, struct str b)
{
	struct overlap o = set_overlap(a, b);
	struct near_evidence e = { .content = o, .whole = o };

	return near_probability(&e, NULL);
}

_Static_assert(sizeof(struct feature) == 16 && offsetof(struct feature, weight) == 8 &&
		       __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "features are written as they stand in memory");

size_t bag_make(const struct document *doc, const struct feature_options *how,
		struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	/* A feature in memory is its bytes in the payload. */
	buf_add(to, (struct str){ (const char *)f.v, f.n * sizeof(*f.v) });
	return f.n;
}

bool bag_valid(struct str payload)
{
	return payload.n % 16 == 0 && ascending(payload, 2);
}

/* Not a number and less than nothing are nothing; without a branch. */
static inline double weight_at(struct str payload, size_t i)
{
	double w;

	memcpy(&w, payload.p + 16 * i + 8, 8);
	return w > 0 && w <= DBL_MAX ? w : 0;
}

static double weights_from(struct str payload, size_t i)
{
	double sum = 0;

	for (; i < payload.n / 16; i++)
		sum += weight_at(payload, i);
	return sum;
}

double bag_similarity(struct str a, struct str b)
{
	size_t i = 0, j = 0, n_a = a.n / 16, n_b = b.n / 16;
	double both = 0, all = 0;

	/* Which is less is a coin that no processor guesses: no branch on it. */
	while (i < n_a && j < n_b) {
		uint64_t x = payload_u64(a, 2 * i), y = payload_u64(b, 2 * j);
		double w = weight_at(a, i) * (x <= y), v = weight_at(b, j) * (y <= x);

		both += w < v ? w : v;
		all += w + v;
		i += x <= y;
		j += y <= x;
	}
	all += weights_from(a, i) + weights_from(b, j);
	double either = all - both;
	return either > 0 ? both / either : 0;
}
