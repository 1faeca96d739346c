#include "sketch/ssm.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/sort.h"
#include "sketch/keywords.h"

/* hash -> rank (from 1) */
static void rank_words(const struct ssm_keyword *t, size_t n, struct map *ret)
{
	map_reserve(ret, n);
	for (size_t i = 0; i < n; i++)
		*map_add(ret, t[i].hash, NULL) = i + 1;
}

static double scale(enum ssm_formula formula, double x)
{
	return formula == SSM_PRINTED ? log(x) : x;
}

struct ssm_score ssm_score(const struct ssm_keyword *t1, size_t n1,
			   const struct ssm_keyword *t2, size_t n2,
			   enum ssm_formula formula, const struct ssm_sizes *sizes)
{
	struct ssm_sizes s = sizes ? *sizes : (struct ssm_sizes){ 0 };
	cleanup(map_release) struct map in_1 = { 0 }, in_2 = { 0 };
	struct ssm_score r = { 0 };

	s.t1 = s.t1 > 0 ? s.t1 : (double)n1;
	s.t2 = s.t2 > 0 ? s.t2 : (double)n2;
	s.n = s.n > 0 ? s.n : (s.t1 + s.t2) / 2;
	rank_words(t1, n1, &in_1);
	rank_words(t2, n2, &in_2);
	for (size_t i = 0; i < n1; i++) {
		const uint64_t *rank = map_find(&in_2, t1[i].hash);

		if (!rank) {
			r.only_1 += log(t1[i].count) * scale(formula, 1 + s.t2);
			continue;
		}
		double gap = fabs(1 + ((double)(i + 1) - (double)*rank));
		double ratio = log((double)t1[i].count / t2[*rank - 1].count);
		/* ln 0 has no value; at gap 0 the print can only mean no difference */
		r.common += gap > 0 ? ratio * scale(formula, gap) : 0;
	}
	for (size_t i = 0; i < n2; i++)
		if (!map_find(&in_1, t2[i].hash))
			r.only_2 += log(t2[i].count) * scale(formula, 1 + s.t1);
	r.sum = r.common + r.only_1 + r.only_2;
	r.score = s.n > 0 ? r.sum / s.n : 0;
	return r;
}

double ss_score(const struct ssm_keyword *p1, size_t n1, const struct ssm_keyword *p2,
		size_t n2)
{
	cleanup(map_release) struct map in_1 = { 0 }, in_2 = { 0 };
	double first = 0, rest = 0;
	size_t n_rest = 0;

	rank_words(p1, n1, &in_1);
	rank_words(p2, n2, &in_2);
	for (size_t i = 0; i < n1; i++) {
		const uint64_t *rank = map_find(&in_2, p1[i].hash);

		first += fabs((double)p1[i].count - (rank ? p2[*rank - 1].count : 0));
	}
	for (size_t i = 0; i < n2; i++)
		if (!map_find(&in_1, p2[i].hash)) {
			rest += p2[i].count;
			n_rest++;
		}
	return (n1 ? first / (double)n1 : 0) + (n_rest ? rest / (double)n_rest : 0);
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
		buf_add_u64(to, hash64(table.v[i].word));
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
		if (formula < 0)
			d = (ss_score(t1, n1, t2, n2) + ss_score(t2, n2, t1, n1)) / 2;
		else
			d = (fabs(ssm_score(t1, n1, t2, n2, (enum ssm_formula)formula,
					    NULL)
					  .score) +
			     fabs(ssm_score(t2, n2, t1, n1, (enum ssm_formula)formula,
					    NULL)
					  .score)) /
			    2;
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
