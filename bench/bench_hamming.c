/*
 * bench_hamming [N] - N fingerprints of 64 bits, all within 3: time a question and
 * bytes a fingerprint, then a batch of a million questions on two threads.
 * Half of the questions are planted: a fingerprint with 0 to 3 bits changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "hamming/hamming_scan.h"
#include "hamming/hamming_tables.h"

static double now_s(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t print_of(uint64_t i)
{
	return hash_mix(i * 2 + 1);
}

static uint64_t question(struct rng *r, size_t n, bool *ret_planted, uint32_t *ret_doc)
{
	*ret_planted = rng_chance(r, 0.5);
	if (!*ret_planted)
		return rng_next(r);
	*ret_doc = (uint32_t)rng_below(r, n);
	uint64_t q = print_of(*ret_doc);
	for (uint64_t flips = rng_below(r, 4); flips; flips--)
		q ^= (uint64_t)1 << rng_below(r, 64);
	return q;
}

/* Ask one by one; counts planted ones that were missed. */
static void ask(const struct hamming_tables *t, size_t n, unsigned count, double *ret_us,
		unsigned *ret_missed)
{
	struct rng r = { 5 };
	double start = now_s(CLOCK_PROCESS_CPUTIME_ID);

	*ret_missed = 0;
	for (unsigned i = 0; i < count; i++) {
		uint32_t docs[64], doc = 0;
		bool planted, found = false;
		uint64_t q = question(&r, n, &planted, &doc);
		size_t k = hamming_tables_find(t, q, 3, docs, 64);

		for (size_t j = 0; j < k; j++)
			found |= docs[j] == doc;
		*ret_missed += planted && !found;
	}
	*ret_us = (now_s(CLOCK_PROCESS_CPUTIME_ID) - start) / count * 1e6;
}

/* Seconds of wall time, and of processor time over the two threads. */
static double batch_s(const struct hamming_tables *t, size_t n, size_t count,
		      double *ret_cpu)
{
	uint64_t *queries = xcalloc(count, sizeof(*queries));
	struct hamming_match *matches;
	struct rng r = { 6 };
	bool planted;
	uint32_t doc;

	for (size_t i = 0; i < count; i++)
		queries[i] = question(&r, n, &planted, &doc);
	double start = now_s(CLOCK_MONOTONIC), cpu = now_s(CLOCK_PROCESS_CPUTIME_ID);
	hamming_tables_batch(t, queries, count, 3, 2, &matches);
	double took = now_s(CLOCK_MONOTONIC) - start;
	*ret_cpu = now_s(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	free(matches);
	free(queries);
	return took;
}

static void measure(const struct hamming_pair *pairs, size_t n, unsigned n_tables)
{
	struct hamming_tables t;
	unsigned missed;
	double us, start = now_s(CLOCK_PROCESS_CPUTIME_ID);

	hamming_tables_build(&t, n_tables, pairs, n);
	double built = now_s(CLOCK_PROCESS_CPUTIME_ID) - start;
	ask(&t, n, 20000, &us, &missed);
	double cpu, wall = batch_s(&t, n, 1000000, &cpu);
	printf("| %u tables | %zu | %.1f | %.1f | %.2f | %u | %.1f | %.1f |\n", n_tables,
	       n, built, (double)hamming_tables_bytes(&t) / (double)n, us, missed, wall,
	       cpu);
	fflush(stdout);
	hamming_tables_release(&t);
}

static void measure_scan(size_t n)
{
	uint64_t *v = xcalloc(n, sizeof(*v));
	uint32_t hits[16];
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		v[i] = print_of(i);
	unsigned rounds = (unsigned)(200000000 / n + 1);
	double start = now_s(CLOCK_PROCESS_CPUTIME_ID);
	for (unsigned i = 0; i < rounds; i++)
		sum += hamming_scan(v, n, print_of(i % n), 3, hits, 16);
	double us = (now_s(CLOCK_PROCESS_CPUTIME_ID) - start) / rounds * 1e6;
	printf("| scan | %zu | 0 | 8 | %.2f | %d | | |\n", n, us, sum < rounds ? 1 : 0);
	free(v);
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	struct hamming_pair *pairs = xcalloc(n, sizeof(*pairs));

	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct hamming_pair){ print_of(i), (uint32_t)i };
	printf("| index | fingerprints | build, CPU s | bytes each | µs a question | "
	       "missed "
	       "| 1 M questions, 2 threads: wall s | CPU s |\n");
	printf("|---|---|---|---|---|---|---|---|\n");
	for (size_t small = 1000; small <= 100000 && small <= n; small *= 10) {
		measure_scan(small);
		measure(pairs, small, 4);
	}
	measure(pairs, n, 4);
	if (n <= 20000000) {
		measure(pairs, n, 10);
		measure(pairs, n, 16);
		measure(pairs, n, 20);
	}
	free(pairs);
	return 0;
}
