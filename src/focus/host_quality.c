#include "focus/host_quality.h"

#include <math.h>

#include "base/base.h"
#include "base/hash.h"

#define HOSTS_MAX    ((size_t)1 << 20)
#define PRIOR_N      4.0  /* pages that the mean of all hosts counts for */
#define PRIOR        0.25 /* of the very first pages */
#define SUM_STEPS    65536.0
#define DEGREE_SHARE 0.1
/* Bonus of a domain of which few pages are known: how else would they be? */
#define EXPLORE 0.15

void host_quality_release(struct host_quality *q)
{
	map_release(&q->pages);
	map_release(&q->pairs);
	map_release(&q->degrees);
	*q = (struct host_quality){ 0 };
}

/* The upper 24 bits are pages, the others the sum of relevance. */
#define N_SHIFT 40
#define N_MAX   ((1u << 24) - 1)

static void add_page(struct host_quality *q, uint64_t key, float relevance)
{
	uint64_t *v = map_find(&q->pages, key);

	if (!v && q->pages.n >= HOSTS_MAX)
		return;
	if (!v)
		v = map_add(&q->pages, key, NULL);
	if (*v >> N_SHIFT < N_MAX)
		*v += (1ull << N_SHIFT) + (uint64_t)((double)relevance * SUM_STEPS);
}

static uint64_t domain_key(struct str domain)
{
	return hash64_seeded(domain, 1);
}

void host_quality_learn(struct host_quality *q, struct str host, struct str domain,
			float relevance)
{
	q->n++;
	q->sum += (double)relevance;
	add_page(q, hash64(host), relevance);
	add_page(q, domain_key(domain), relevance);
}

void host_quality_link(struct host_quality *q, struct str from_domain,
		       struct str to_domain)
{
	uint64_t from = hash64(from_domain), to = hash64(to_domain);
	bool is_new;

	if (from == to || q->pairs.n >= HOSTS_MAX)
		return;
	map_add(&q->pairs, hash_mix(from) ^ to, &is_new);
	if (is_new)
		++*map_add(&q->degrees, to, NULL);
}

static double mean(const struct host_quality *q)
{
	return (q->sum + PRIOR * PRIOR_N) / ((double)q->n + PRIOR_N);
}

/* A mean that begins at `prior`. */
static double yield_of(const struct host_quality *q, uint64_t key, double prior,
		       double *ret_n)
{
	const uint64_t *v = map_find(&q->pages, key);
	double n = v ? (double)(*v >> N_SHIFT) : 0;
	double sum = v ? (double)(*v & ((1ull << N_SHIFT) - 1)) / SUM_STEPS : 0;

	*ret_n = n;
	return (sum + prior * PRIOR_N) / (n + PRIOR_N);
}

float host_quality_score(const struct host_quality *q, struct str host, struct str domain)
{
	const uint64_t *degree = map_find(&q->degrees, hash64(domain));
	double linked = degree ? (double)*degree / ((double)*degree + 5) : 0;
	double tried, ignored;
	double yield = yield_of(q, domain_key(domain), mean(q), &tried);

	yield = yield_of(q, hash64(host), yield, &ignored);
	yield += EXPLORE * sqrt(log((double)q->n + 1) / (tried + 1));
	return (float)((1 - DEGREE_SHARE) * MIN(yield, 1.0) + DEGREE_SHARE * linked);
}
