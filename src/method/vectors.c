#include "method/vectors.h"

#include <float.h>
#include <math.h>

#define ENTRY 16 /* bytes: hash, count, rarity */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "entries are copied");

size_t vector_make(const struct document *doc, const struct feature_options *how,
		   struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };
	struct feature_options counted = *how;

	counted.weight = WEIGHT_TF;
	features_of(doc, &counted, &f);
	for (size_t i = 0; i < f.n; i++) {
		float count = (float)f.v[i].weight;
		float rarity = how->idf ? (float)idf_of(how->idf, f.v[i].hash) : 1;

		buf_add_u64(to, f.v[i].hash);
		buf_add(to, (struct str){ (const char *)&count, sizeof(count) });
		buf_add(to, (struct str){ (const char *)&rarity, sizeof(rarity) });
	}
	return f.n;
}

bool vector_valid(struct str payload)
{
	if (payload.n % ENTRY)
		return false;
	for (size_t i = 2; i < payload.n / 8; i += 2)
		if (payload_u64(payload, i) <= payload_u64(payload, i - 2))
			return false;
	return true;
}

struct entry {
	double count, rarity;
};

/* Not a number and less than nothing are nothing. */
static double clean(float v)
{
	return v > 0 && v <= FLT_MAX ? (double)v : 0;
}

static struct entry entry_at(struct str p, size_t i)
{
	float v[2];

	memcpy(v, p.p + ENTRY * i + 8, sizeof(v));
	return (struct entry){ clean(v[0]), clean(v[1]) };
}

double vector_cosine(struct str a, struct str b)
{
	size_t i = 0, j = 0, n_a = a.n / ENTRY, n_b = b.n / ENTRY;
	double product = 0, square_a = 0, square_b = 0;

	while (i < n_a || j < n_b) {
		uint64_t x = i < n_a ? payload_u64(a, 2 * i) : UINT64_MAX;
		uint64_t y = j < n_b ? payload_u64(b, 2 * j) : UINT64_MAX;
		bool in_a = i < n_a && (x <= y || j == n_b);
		bool in_b = j < n_b && (y <= x || i == n_a);
		struct entry p = in_a ? entry_at(a, i) : (struct entry){ 0 };
		struct entry q = in_b ? entry_at(b, j) : (struct entry){ 0 };
		double u = p.count * p.rarity, v = q.count * q.rarity;

		product += u * v;
		square_a += u * u;
		square_b += v * v;
		i += in_a;
		j += in_b;
	}
	double length = sqrt(square_a) * sqrt(square_b);
	return length > 0 ? fmin(product / length, 1) : 0;
}

static double as_it_is(double x)
{
	return x;
}

/* The sums of one document: what all its words weigh, and how many there are. */
static struct entry sums(struct str p)
{
	struct entry s = { 0 };

	for (size_t i = 0; i < p.n / ENTRY; i++) {
		struct entry e = entry_at(p, i);

		s.count += e.count;
		s.rarity += e.rarity;
	}
	return s;
}

static double identity(struct str a, struct str b, double (*g)(double),
		       double (*h)(double))
{
	size_t i = 0, j = 0, n_a = a.n / ENTRY, n_b = b.n / ENTRY;
	struct entry of_a = sums(a), of_b = sums(b);
	double most = fmax(of_a.rarity, of_b.rarity), common = 0;

	while (i < n_a && j < n_b) {
		uint64_t x = payload_u64(a, 2 * i), y = payload_u64(b, 2 * j);

		if (x == y) {
			struct entry p = entry_at(a, i), q = entry_at(b, j);

			common += fmin(p.rarity, q.rarity) /
				  (1 + h(fabs(p.count - q.count)));
		}
		i += x <= y;
		j += y <= x;
	}
	return most > 0 ? common / most / (1 + g(fabs(of_a.count - of_b.count))) : 0;
}

double identity_strict(struct str a, struct str b)
{
	return identity(a, b, as_it_is, as_it_is);
}

double identity_length(struct str a, struct str b)
{
	return identity(a, b, log1p, as_it_is);
}

double identity_mild(struct str a, struct str b)
{
	return identity(a, b, log1p, log1p);
}
