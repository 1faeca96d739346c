#include "sketch/sets.h"

/* One merge of two ascending arrays; `at` reads the key of an element. */
#define OVERLAP(a, n_a, b, n_b, field)                               \
	({                                                           \
		size_t i_ = 0, j_ = 0;                               \
		uint32_t shared_ = 0;                                \
		while (i_ < (n_a) && j_ < (n_b)) {                   \
			__typeof__((a)[0] field) x_ = (a)[i_] field; \
			__typeof__((a)[0] field) y_ = (b)[j_] field; \
			shared_ += x_ == y_;                         \
			i_ += x_ <= y_;                              \
			j_ += y_ <= x_;                              \
		}                                                    \
		(struct overlap){ shared_, (uint32_t)(n_a)-shared_,  \
				  (uint32_t)(n_b)-shared_ };         \
	})

struct overlap overlap_u32(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
	return OVERLAP(a, n_a, b, n_b, );
}

struct overlap features_overlap(const struct features *a, const struct features *b)
{
	return OVERLAP(a->v, a->n, b->v, b->n, .hash);
}

double overlap_jaccard(struct overlap o)
{
	double all = (double)o.shared + o.only_a + o.only_b;

	return all > 0 ? o.shared / all : 0;
}

double overlap_containment(struct overlap o)
{
	double least = (double)o.shared + MIN(o.only_a, o.only_b);

	return least > 0 ? o.shared / least : 0;
}

double features_weighted_jaccard(const struct features *a, const struct features *b)
{
	double both = 0, either = 0;
	size_t i = 0, j = 0;

	while (i < a->n || j < b->n) {
		bool from_a = i < a->n && (j == b->n || a->v[i].hash <= b->v[j].hash);
		bool from_b = j < b->n && (i == a->n || b->v[j].hash <= a->v[i].hash);
		double x = from_a ? a->v[i++].weight : 0;
		double y = from_b ? b->v[j++].weight : 0;

		both += MIN(x, y);
		either += MAX(x, y);
	}
	return either > 0 ? both / either : 0;
}
