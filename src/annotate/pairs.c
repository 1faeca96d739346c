#include "annotate/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"

static int by_distance(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance < y->distance ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

/* Pairs that cannot be compared are nobody's question. */
static size_t count_comparable(const struct sample_set *set, const struct distances *d)
{
	size_t n = 0;

	for (size_t s = 0; s < set->site_count; s++)
		for (uint32_t i = 0, m = set->sites[s].n; i < m; i++)
			for (uint32_t j = i + 1; j < m; j++)
				n += isfinite(distance_at(d, set, s, i, j)) ? 1 : 0;
	return n;
}

static void take_pairs(struct pairs *p, const struct distances *d, double share)
{
	const struct sample_set *set = p->set;
	struct rng r = { 20261117 };

	for (size_t s = 0; s < set->site_count; s++) {
		const struct sample_site *site = &set->sites[s];
		uint32_t m = site->n;

		for (uint32_t i = 0; i < m; i++)
			for (uint32_t j = i + 1; j < m; j++) {
				float at = distance_at(d, set, s, i, j);

				if (isfinite(at) && p->n < PAIRS_MAX &&
				    (share >= 1 || rng_chance(&r, share)))
					p->v[p->n++] = (struct candidate){
						site->first + i, site->first + j, at, 0
					};
			}
	}
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* Edges half by rank and half by value; each is a distance that occurs. */
static void choose_edges(struct pairs *p)
{
	size_t half = BELIEF_CELLS / 2, n = 0, at = 0;
	float edges[BELIEF_CELLS], low = p->v[0].distance, high = p->v[p->n - 1].distance;

	for (size_t i = 1; i <= half; i++)
		edges[n++] = p->v[p->n * i / half - 1].distance;
	for (size_t i = 0; i < half; i++) {
		float limit = low + (high - low) * (float)i / (float)half;

		while (at + 1 < p->n && p->v[at + 1].distance <= limit)
			at++;
		edges[n++] = p->v[at].distance;
	}
	qsort(edges, n, sizeof(*edges), by_value);
	for (size_t i = 0; i < n; i++)
		if (p->cells == 0 || edges[i] > p->edge[p->cells - 1])
			p->edge[p->cells++] = edges[i];
}

static void fill_cells(struct pairs *p)
{
	size_t cell = 0;

	for (size_t i = 0; i < p->n; i++) {
		while (cell + 1 < p->cells && p->v[i].distance > p->edge[cell])
			p->first[++cell] = i;
		p->v[i].cell = (uint32_t)cell;
		p->count[cell] += p->stands_for;
	}
	p->first[p->cells] = p->n;
	map_reserve(&p->index, p->n);
	for (size_t i = 0; i < p->n; i++)
		*map_add(&p->index, (uint64_t)p->v[i].a << 32 | p->v[i].b, NULL) = i;
}

const struct candidate *pairs_find(const struct pairs *p, uint32_t a, uint32_t b)
{
	const uint64_t *at = map_find(&p->index, (uint64_t)MIN(a, b) << 32 | MAX(a, b));

	return at ? &p->v[*at] : NULL;
}

enum status pairs_make(struct pairs *ret, const struct sample_set *set,
		       const struct detector *detector, struct diag *why)
{
	struct distances d = { 0 };

	*ret = (struct pairs){ .set = set, .detector = detector, .stands_for = 1 };
	distances_make(set, detector, &d);
	size_t all = count_comparable(set, &d);
	if (all > 0) {
		double share = MIN(1.0, 0.98 * PAIRS_MAX / (double)all);

		ret->v = xcalloc(MIN(all, (size_t)PAIRS_MAX), sizeof(*ret->v));
		take_pairs(ret, &d, share);
		ret->stands_for = (double)all / (double)MAX(ret->n, (size_t)1);
	}
	distances_release(&d);
	if (ret->n == 0)
		return diag_fail(why, ST_NOT_FOUND,
				 "there are no two samples to compare");
	qsort(ret->v, ret->n, sizeof(*ret->v), by_distance);
	choose_edges(ret);
	fill_cells(ret);
	return ST_OK;
}

void pairs_release(struct pairs *p)
{
	free(p->v);
	map_release(&p->index);
	*p = (struct pairs){ 0 };
}

double pairs_threshold(const struct pairs *p, size_t cut)
{
	size_t last = p->cells - 1;
	double edge;

	/* In the middle between what is near and what is not. */
	if (cut == 0)
		edge = (double)p->v[0].distance - 1e-6;
	else if (cut > last)
		edge = p->edge[last];
	else
		edge = ((double)p->edge[cut - 1] + p->v[p->first[cut]].distance) / 2;
	return measure_of(p->detector, edge);
}
