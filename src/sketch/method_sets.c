#include "sketch/method_sets.h"

#include <math.h>

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

size_t bag_make(const struct document *doc, const struct feature_options *how,
		struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	for (size_t i = 0; i < f.n; i++) {
		uint64_t weight;

		memcpy(&weight, &f.v[i].weight, 8);
		buf_add_u64(to, f.v[i].hash);
		buf_add_u64(to, weight);
	}
	return f.n;
}

bool bag_valid(struct str payload)
{
	return payload.n % 16 == 0 && ascending(payload, 2);
}

static double weight_at(struct str payload, size_t i)
{
	double w;

	memcpy(&w, payload.p + 16 * i + 8, 8);
	return w > 0 && isfinite(w) ? w : 0;
}

double bag_similarity(struct str a, struct str b)
{
	size_t i = 0, j = 0, n_a = a.n / 16, n_b = b.n / 16;
	double both = 0, either = 0;

	while (i < n_a || j < n_b) {
		uint64_t x = i < n_a ? payload_u64(a, 2 * i) : UINT64_MAX;
		uint64_t y = j < n_b ? payload_u64(b, 2 * j) : UINT64_MAX;
		double w = i < n_a && x <= y ? weight_at(a, i++) : 0;
		double v = j < n_b && y <= x ? weight_at(b, j++) : 0;

		both += fmin(w, v);
		either += fmax(w, v);
	}
	return either > 0 ? both / either : 0;
}
