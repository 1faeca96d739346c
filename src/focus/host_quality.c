#include "focus/host_quality.h"

#include "base/hash.h"

#define HOSTS_MAX    ((size_t)1 << 20)
#define PRIOR_N      4.0  /* pages that the mean of all hosts counts for */
#define PRIOR        0.25 /* of the very first pages */
#define SUM_STEPS    65536.0
#define DEGREE_SHARE 0.1

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

void host_quality_learn(struct host_quality *q, struct str host, float relevance)
{
	uint64_t key = hash64(host), *v = map_find(&q->pages, key);

	q->n++;
	q->sum += (double)relevance;
	if (!v && q->pages.n >= HOSTS_MAX)
		return;
	if (!v)
		v = map_add(&q->pages, key, NULL);
	if (*v >> N_SHIFT < N_MAX)
		*v += (1ull << N_SHIFT) + (uint64_t)((double)relevance * SUM_STEPS);
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

float host_quality_score(const struct host_quality *q, struct str host, struct str domain)
{
	const uint64_t *pages = map_find(&q->pages, hash64(host));
	const uint64_t *degree = map_find(&q->degrees, hash64(domain));
	double n = pages ? (double)(*pages >> N_SHIFT) : 0;
	double sum = pages ? (double)(*pages & ((1ull << N_SHIFT) - 1)) / SUM_STEPS : 0;
	double yield = (sum + mean(q) * PRIOR_N) / (n + PRIOR_N);
	double linked = degree ? (double)*degree / ((double)*degree + 5) : 0;

	return (float)((1 - DEGREE_SHARE) * yield + DEGREE_SHARE * linked);
}
