/*
 * bench_steer - a queued URL among many gets another priority: how long does it take?
 *
 *   bench_steer [thousands of URLs] [hosts] [moves]
 *
 * As the control API moves them: the URL is parsed, its site found, its place looked up
 * in the index on disk, and it is appended to the stream of its new priority.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "frontier/frontier.h"
#include "os/clock.h"
#include "os/file.h"

static void fail(const struct diag *why)
{
	fprintf(stderr, "bench_steer: %s\n", why->text);
	exit(1);
}

static struct str url_of(uint64_t i, uint64_t hosts, char to[128])
{
	int n = snprintf(to, 128, "https://www.host%llu.example/section/%llu/page-%llu",
			 (unsigned long long)(i % hosts),
			 (unsigned long long)(i / 7 % 100), (unsigned long long)i);

	return (struct str){ to, (size_t)n };
}

static void fill(struct frontier *f, uint64_t n, uint64_t hosts)
{
	struct frontier_page page = { .hops = STR(""), .source = STR("bench") };
	struct diag why;
	char text[128];

	for (uint64_t i = 0; i < n; i++) {
		struct str url = url_of(i, hosts, text);
		struct discovery d = { .url = url,
				       .key = url,
				       .hash = hash128(url),
				       .via = STR(""),
				       .hop = HOP_LINK,
				       .priority = (uint8_t)(100 + i % 8),
				       .purpose = PURPOSE_LINK };

		if (frontier_queue_anyway(f, &d, &page, &why) != ST_OK)
			fail(&why);
	}
}

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	uint64_t n = 1000 * (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000);
	uint64_t hosts = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
	size_t moves = argc > 3 ? strtoull(argv[3], NULL, 10) : 100000;
	char dir[] = "/tmp/bench-steer-XXXXXX";
	int64_t *times = xcalloc(moves, sizeof(*times));
	struct rng random = { 1 };
	struct frontier f;
	struct diag why;
	char text[128];

	if (!mkdtemp(dir) ||
	    frontier_open(
		    &f,
		    &(struct frontier_settings){ .dir = dir, .seen_ram_bytes = 1 << 20 },
		    &why) != ST_OK)
		fail(&why);
	int64_t start = clock_mono_ns(&real_clock);
	fill(&f, n, hosts);
	printf("%llu URLs on %llu hosts queued in %.1f s\n", (unsigned long long)n,
	       (unsigned long long)hosts,
	       (double)(clock_mono_ns(&real_clock) - start) / 1e9);
	for (size_t i = 0; i < moves; i++) {
		struct str url = url_of(rng_next(&random) % n, hosts, text);
		uint8_t priority = (uint8_t)rng_next(&random);

		start = clock_mono_ns(&real_clock);
		if (frontier_prioritise(&f, url, hash128(url), priority, &why) != ST_OK)
			fail(&why);
		times[i] = clock_mono_ns(&real_clock) - start;
	}
	qsort(times, moves, sizeof(*times), by_size);
	printf("%zu moves: median %.1f us, 90 %% %.1f us, 99 %% %.1f us\n", moves,
	       (double)times[moves / 2] / 1e3, (double)times[moves * 9 / 10] / 1e3,
	       (double)times[moves * 99 / 100] / 1e3);
	frontier_close(&f);
	free(times);
	return dir_remove(dir, &why) == ST_OK ? 0 : 1;
}
