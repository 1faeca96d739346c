/*
 * bench_robots.c - robots.txt: decisions a second on one core, for files of
 * several lengths, and parsing.
 */
#include <stdio.h>
#include <time.h>

#include "base/rng.h"
#include "web/robots.h"

#define PATHS  4096
#define ROUNDS 60

static struct str paths[PATHS];
static struct arena bytes;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const char *const words[] = {
	"news",  "cart", "search", "admin", "user",  "api",   "image", "tag",   "print",
	"login", "wiki", "blog",   "forum", "media", "video", "shop",  "about", "feed"
};

static const char *word(struct rng *r)
{
	return words[rng_below(r, COUNT(words))];
}

/* One rule in six has a wildcard, as in the files of large shops. */
static void add_rules(struct buf *b, struct rng *r, unsigned n)
{
	buf_add(b, STR("User-agent: *\nCrawl-delay: 1\n"));
	for (unsigned i = 0; i < n; i++) {
		const char *verb = rng_below(r, 4) ? "Disallow" : "Allow";

		switch (rng_below(r, 6)) {
		case 0:
			buf_addf(b, "%s: /*?%s=\n", verb, word(r));
			break;
		default:
			buf_addf(b, "%s: /%s/%s%u\n", verb, word(r), word(r),
				 (unsigned)rng_below(r, 100));
		}
	}
}

static void make_paths(struct rng *r)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < PATHS; i++) {
		buf_reset(&b);
		buf_addf(&b, "/%s/%s%u/%s-%u", word(r), word(r),
			 (unsigned)rng_below(r, 100), word(r),
			 (unsigned)rng_below(r, 100000));
		if (rng_below(r, 3) == 0)
			buf_addf(&b, "?%s=%u", word(r), (unsigned)rng_below(r, 1000));
		paths[i] = arena_copy(&bytes, buf_str(&b));
	}
	buf_release(&b);
}

static void measure(struct rng *r, unsigned n, double bar)
{
	struct buf text = { 0 };
	struct robots robots;
	double best = 1e9, parse = 1e9;
	uint64_t allowed = 0;

	add_rules(&text, r, n);
	for (int round = 0; round < 5; round++) {
		double start = now_s();

		robots_parse(&robots, buf_str(&text), &(struct robots_options){ 0 });
		parse = MIN(parse, now_s() - start);
		if (round < 4)
			robots_release(&robots);
	}
	for (int round = 0; round < ROUNDS; round++) {
		double start = now_s();

		for (size_t i = 0; i < PATHS; i++)
			allowed += robots_allows(&robots, paths[i]);
		best = MIN(best, now_s() - start);
	}
	printf("%6u rules %8.2f M decisions/s %6.0f ns, %2.0f %% allowed, parsed in "
	       "%6.0f us",
	       n, PATHS / best / 1e6, best / PATHS * 1e9,
	       100.0 * (double)allowed / ROUNDS / PATHS, parse * 1e6);
	if (bar > 0)
		printf("   bar %.0f M/s: %s", bar,
		       PATHS / best / 1e6 >= bar ? "met" : "MISSED");
	putchar('\n');
	robots_release(&robots);
	buf_release(&text);
}

int main(void)
{
	struct rng r = { 11 };

	make_paths(&r);
	measure(&r, 0, 5);
	measure(&r, 5, 5);
	measure(&r, 20, 5);
	measure(&r, 60, 5);
	measure(&r, 500, 0);
	measure(&r, 5000, 0);
	return 0;
}
