/*
 * row.h - a quad as four ids, in the column order of one of the three indexes.
 *
 * The graph leads, so one graph is one range of each index.  In the runs of a
 * store a row may say that its quad is gone: the highest bit of the graph is
 * set, which no tag of a graph uses.
 */
#ifndef TRIPLES_ROW_H
#define TRIPLES_ROW_H

#include "rdf/id.h"

enum order { ORDER_SPO, ORDER_POS, ORDER_OSP, ORDERS };

#define ROW_GONE ((uint64_t)1 << 63)

struct row {
	uint64_t v[4]; /* graph, then the three columns of the order */
};

/* Where subject, predicate and object stand in a row of an order. */
extern const uint8_t order_column[ORDERS][3];
extern const char *const order_name[ORDERS];

/* A quad (graph, subject, predicate, object) as a row of `order`, and back. */
static inline struct row row_in_order(const struct row *spo, enum order order)
{
	struct row r = { { spo->v[0] } };

	for (int i = 0; i < 3; i++)
		r.v[order_column[order][i]] = spo->v[1 + i];
	return r;
}
static inline struct row row_to_spo(const struct row *r, enum order order)
{
	return (struct row){ { r->v[0], r->v[order_column[order][0]],
			       r->v[order_column[order][1]],
			       r->v[order_column[order][2]] } };
}
static inline bool row_is_gone(const struct row *r)
{
	return r->v[0] & ROW_GONE;
}
/* Keys compare without regard to the mark. */
static inline int row_cmp(const struct row *a, const struct row *b)
{
	uint64_t ga = a->v[0] & ~ROW_GONE, gb = b->v[0] & ~ROW_GONE;

	if (ga != gb)
		return ga < gb ? -1 : 1;
	for (int i = 1; i < 4; i++)
		if (a->v[i] != b->v[i])
			return a->v[i] < b->v[i] ? -1 : 1;
	return 0;
}
/* Compare only the first `bound` columns of a key with those of a row. */
static inline int row_cmp_prefix(const struct row *r, const struct row *key,
				 unsigned bound)
{
	uint64_t g = r->v[0] & ~ROW_GONE;

	if (bound > 0 && g != key->v[0])
		return g < key->v[0] ? -1 : 1;
	for (unsigned i = 1; i < bound; i++)
		if (r->v[i] != key->v[i])
			return r->v[i] < key->v[i] ? -1 : 1;
	return 0;
}
/* Radix or insertion, by all columns; `scratch` has room for `n` too. */
void rows_sort(struct row *rows, struct row *scratch, size_t n);
#endif
