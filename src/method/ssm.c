#include "method/ssm.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "sketch/keywords.h"

/* A table with what both directions of a comparison need of it. */
struct side {
	const struct ssm_keyword *t;
	size_t n;
	double *ln;      /* of each count */
	uint32_t *other; /* rank (from 1) in the other table; 0: not there */
};

static void side_init(struct side *s, const struct ssm_keyword *t, size_t n)
{
	*s = (struct side){ t, n, xcalloc(n + 1, sizeof(*s->ln)),
			    xcalloc(n + 1, sizeof(*s->other)) };
	/* Mostly in the order of the counts: equal ones stand side by side. */
	for (size_t i = 0; i < n; i++)
		s->ln[i] = i && t[i].count == t[i - 1].count ? s->ln[i - 1]
							     : log(t[i].count);
}

static void side_release(struct side *s)
{
	free(s->ln);
	free(s->other);
}

/* Where each stands in the other table. */
static void match(struct side *a, struct side *b)
{
	size_t cap = 16;

	while (cap < 2 * b->n)
		cap *= 2;
	uint32_t *slots = xcalloc(cap, sizeof(*slots));
	for (size_t j = 0; j < b->n; j++) {
		size_t at = b->t[j].hash & (cap - 1);

		while (slots[at] && b->t[slots[at] - 1].hash != b->t[j].hash)
			at = (at + 1) & (cap - 1);
		slots[at] = (uint32_t)j + 1; /* of equal words the last counts */
	}
	for (size_t i = 0; i < a->n; i++) {
		size_t at = a->t[i].hash & (cap - 1);

		while (slots[at] && b->t[slots[at] - 1].hash != a->t[i].hash)
			at = (at + 1) & (cap - 1);
		a->other[i] = slots[at];
		if (slots[at])
			b->other[slots[at] - 1] = (uint32_t)i + 1;
	}
	free(slots);
}

static double scale(enum ssm_formula formula, double x)
{
	return formula == SSM_PRINTED ? log(x) : x;
}

static struct ssm_score score_sides(const struct side *a, const struct side *b,
				    enum ssm_formula formula, struct ssm_sizes s)
{
	struct ssm_score r = { 0 };

	s.t1 = s.t1 > 0 ? s.t1 : (double)a->n;
	s.t2 = s.t2 > 0 ? s.t2 : (double)b->n;
	s.n = s.n > 0 ? s.n : (s.t1 + s.t2) / 2;
	for (size_t i = 0; i < a->n; i++) {
		uint32_t rank = a->other[i];

		if (!rank) {
			r.only_1 += a->ln[i];
			continue;
		}
		double gap = fabs(1 + ((double)(i + 1) - rank));
		/* ln 0 has no value; at gap 0 the print can only mean no difference */
		if (gap > 0)
			r.common += (a->ln[i] - b->ln[rank - 1]) * scale(formula, gap);
	}
	for (size_t i = 0; i < b->n; i++)
		r.only_2 += b->other[i] ? 0 : b->ln[i];
	r.only_1 *= scale(formula, 1 + s.t2);
	r.only_2 *= scale(formula, 1 + s.t1);
	r.sum = r.common + r.only_1 + r.only_2;
	r.score = s.n > 0 ? r.sum / s.n : 0;
	return r;
}

struct ssm_score ssm_score(const struct ssm_keyword *t1, size_t n1,
			   const struct ssm_keyword *t2, size_t n2,
			   enum ssm_formula formula, const struct ssm_sizes *sizes)
{
	cleanup(side_release) struct side a = { 0 }, b = { 0 };

	side_init(&a, t1, n1);
	side_init(&b, t2, n2);
	match(&a, &b);
	return score_sides(&a, &b, formula, sizes ? *sizes : (struct ssm_sizes){ 0 });
}

static double ss_sides(const struct side *a, const struct side *b)
{
	double first = 0, rest = 0;
	size_t n_rest = 0;

	for (size_t i = 0; i < a->n; i++) {
		uint32_t rank = a->other[i];

		first += fabs((double)a->t[i].count - (rank ? b->t[rank - 1].count : 0));
	}
	for (size_t i = 0; i < b->n; i++)
		if (!b->other[i]) {
			rest += b->t[i].count;
			n_rest++;
		}
	return (a->n ? first / (double)a->n : 0) + (n_rest ? rest / (double)n_rest : 0);
}

double ss_score(const struct ssm_keyword *p1, size_t n1, const struct ssm_keyword *p2,
		size_t n2)
{
	cleanup(side_release) struct side a = { 0 }, b = { 0 };

	side_init(&a, p1, n1);
	side_init(&b, p2, n2);
	match(&a, &b);
	return ss_sides(&a, &b);
}

uint64_t ssm_block_key(const struct ssm_keyword *t, size_t n, unsigned prime)
{
	uint64_t first[16], scratch[16];
	size_t k = MIN(n, MIN((size_t)prime, COUNT(first)));

	for (size_t i = 0; i < k; i++)
		first[i] = t[i].hash;
	sort_u64(first, scratch, k);
	return hash64((struct str){ (const char *)first, 8 * k });
}

size_t ssm_make(const struct document *doc, const struct feature_options *how,
		struct buf *to)
{
	cleanup(keywords_release) struct keywords table = { 0 };

	(void)how;
	keywords_of(doc->text, doc->language.n ? doc->language : STR("en"), &table);
	for (size_t i = 0; i < table.n; i++) {
		buf_add_u64(to, table.v[i].hash);
		buf_add_u64(to, table.v[i].count);
	}
	return table.n;
}

bool ssm_valid(struct str payload)
{
	return payload.n % 16 == 0;
}

static struct ssm_keyword *table_of(struct str payload, size_t *ret_n)
{
	struct ssm_keyword *t = xcalloc(payload.n / 16 + 1, sizeof(*t));

	*ret_n = payload.n / 16;
	for (size_t i = 0; i < *ret_n; i++) {
		t[i].hash = payload_u64(payload, 2 * i);
		t[i].count = (uint32_t)MAX(payload_u64(payload, 2 * i + 1), 1);
	}
	return t;
}

static double magnitude(const struct side *a, const struct side *b, int formula)
{
	struct ssm_sizes own = { 0 };

	return fabs(score_sides(a, b, (enum ssm_formula)formula, own).score);
}

/*
 * Neither score is symmetric, and signed terms can cancel out to "nearer than
 * equal": the measure is the mean of both directions, of their magnitudes.
 */
static double both_ways(struct str a, struct str b, unsigned prime, int formula)
{
	size_t n1, n2;
	struct ssm_keyword *t1 = table_of(a, &n1), *t2 = table_of(b, &n2);
	double d = INFINITY;

	if (ssm_block_key(t1, n1, prime) == ssm_block_key(t2, n2, prime)) {
		cleanup(side_release) struct side x = { 0 }, y = { 0 };

		side_init(&x, t1, n1);
		side_init(&y, t2, n2);
		match(&x, &y);
		d = formula < 0 ? ss_sides(&x, &y) + ss_sides(&y, &x)
				: magnitude(&x, &y, formula) + magnitude(&y, &x, formula);
		d /= 2;
	}
	free(t1);
	free(t2);
	return d;
}

double ssm_printed_measure(struct str a, struct str b)
{
	return both_ways(a, b, SSM_PRIME, SSM_PRINTED);
}

double ssm_tables_measure(struct str a, struct str b)
{
	return both_ways(a, b, SSM_PRIME, SSM_TABLES);
}

double ss_measure(struct str a, struct str b)
{
	return both_ways(a, b, SS_PRIME, -1);
}
