/*
 * bench_frontier - links in, tasks out: how fast, and what a queued URL costs.
 *
 *   bench_frontier [thousands of URLs] [hosts] [percent new]
 *
 * Pages of 40 links, a third of them new, over many hosts; then, unless the share was
 * given, everything is taken out again with the clock running as fast as it likes.  The
 * whole of the crawl's own state for that many URLs, with its default memory: seen set
 * (which moves to disk on its way), queues, sites, lanes and schedule.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../tests/unit/offer.h"
#include "base/rng.h"
#include "frontier/frontier.h"
#include "os/clock.h"
#include "os/file.h"

enum { LINKS = 40 };

static void fail(const struct diag *why)
{
	fprintf(stderr, "bench_frontier: %s\n", why->text);
	exit(1);
}

static long rss_mb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss / 1024;
}

static double seconds_since(int64_t start_ns)
{
	return (double)(clock_mono_ns(&real_clock) - start_ns) / 1e9;
}

static struct str url_of(uint64_t i, uint64_t hosts, char to[128])
{
	int n = snprintf(
		to, 128, "https://www.host%llu.example/section/%llu/page-%llu?id=%llu",
		(unsigned long long)(i % hosts), (unsigned long long)(i / 7 % 100),
		(unsigned long long)i, (unsigned long long)(i * 31));

	return (struct str){ to, (size_t)n };
}

/* Once the seen set is on disk, some answers come later. */
static void take_late(struct frontier *f, struct arena *a)
{
	struct discovery d;
	struct diag why;
	enum status st;

	if (!f->seen.on_disk)
		return;
	while ((st = frontier_late(f, a, &d, &why)) == ST_OK)
		arena_reset(a);
	if (st != ST_AGAIN)
		fail(&why);
}

static void report(const struct frontier *f, uint64_t hosts, uint64_t links,
		   double seconds)
{
	double queued = (double)f->queues.live, known = (double)seen_count(&f->seen);
	double disk = (double)queue_store_bytes(&f->queues);

	printf("in   %5.2f M links/s, %6.2f M URLs known, %6.2f M queued on %llu hosts; "
	       "%5.1f "
	       "bytes of disk a queued URL; RSS %ld MB, %5.1f bytes a URL known\n",
	       (double)links / 1e6 / seconds, known / 1e6, queued / 1e6,
	       (unsigned long long)hosts, disk / queued, rss_mb(),
	       (double)rss_mb() * 1048576 / known);
	fflush(stdout);
}

static double offer(struct frontier *f, uint64_t urls, uint64_t hosts,
		    unsigned percent_new, uint64_t *ret_links)
{
	struct rng random = { 1 };
	struct url_decision decisions[LINKS];
	struct discovery d[LINKS];
	static char text[LINKS][128], via[LINKS][128];
	uint64_t known = 0, asked = 0, reported = 0;
	struct arena a = { 0 };
	struct diag why;
	int64_t start = clock_mono_ns(&real_clock);

	while (known < urls) {
		if (known >= reported) {
			if (asked > 0)
				report(f, hosts, asked, seconds_since(start));
			reported += 10000000;
		}
		take_late(f, &a);
		for (unsigned k = 0; k < LINKS; k++) {
			uint64_t i = rng_below(&random, 100) < percent_new
					     ? known++
					     : rng_below(&random, known + 1);
			struct str url = url_of(i, hosts, text[k]);
			/* Four of five links lead to their own host. */
			uint64_t from = rng_below(&random, 5) == 0
						? rng_below(&random, known)
						: i % hosts;
			struct str page = url_of(from, hosts, via[k]);

			d[k] = (struct discovery){ .url = url,
						   .key = url,
						   .hash = hash128(url),
						   .via = page,
						   .depth = 3,
						   .hop = HOP_LINK,
						   .priority = (uint8_t)(100 + i % 3) };
		}
		asked += LINKS;
		if (offer_links(f,
				&(struct frontier_page){ .hops = STR("LL"),
							 .source = STR("seed") },
				d, LINKS, 1000, decisions, &why) != ST_OK)
			fail(&why);
	}
	take_late(f, &a);
	arena_release(&a);
	*ret_links = asked;
	return seconds_since(start);
}

static double take(struct frontier *f, uint64_t *ret_taken)
{
	struct arena a = { 0 };
	struct frontier_step s;
	struct diag why;
	int64_t now = 1000, start = clock_mono_ns(&real_clock);

	*ret_taken = 0;
	do {
		arena_reset(&a);
		if (frontier_next(f, now, &a, &s, &why) != ST_OK)
			fail(&why);
		if (s.kind == STEP_RESOLVE)
			frontier_resolved(
				f, s.site,
				&(struct ip){ .n = 4,
					      .bytes = { 10, 0, (uint8_t)(s.site >> 8),
							 (uint8_t)s.site } },
				INT64_MAX);
		if (s.kind == STEP_WAIT)
			now = s.until_ms;
		bool sent = false;
		if (s.kind == STEP_DUE && frontier_send(f, &s, now, &sent, &why) != ST_OK)
			fail(&why);
		if (sent) {
			++*ret_taken;
			frontier_fetched(f, s.site, &(struct answer){ .end_ms = now }, 0);
		}
	} while (s.kind != STEP_IDLE);
	arena_release(&a);
	return (double)(clock_mono_ns(&real_clock) - start) / 1e9;
}

int main(int argc, char **argv)
{
	uint64_t urls = (argc > 1 ? strtoull(argv[1], NULL, 10) : 500) * 1000;
	uint64_t hosts = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000, links, taken;
	char dir[] = "/tmp/thresh-bench-frontier-XXXXXX";
	struct frontier f;
	struct frontier_settings s = {
		.dir = mkdtemp(dir),
		.max_attempts = 1,
		.max_site_failures = 3,
		.ignore_robots = true,
		.traps = { .max_segments = 20, .max_repeats = 2, .max_parameters = 16 }
	};
	struct diag why = { .text = "no folder under /tmp" };

	if (!s.dir)
		fail(&why);
	for (unsigned k = 0; k < LANE_KINDS; k++)
		s.politeness[k] = (struct politeness){ .at_once = 1, .min_ms = 1 };
	if (frontier_open(&f, &s, &why) != ST_OK)
		fail(&why);
	f.scope.kind = SCOPE_ANY;
	scope_finish(&f.scope);
	double in =
		offer(&f, urls, hosts, argc > 3 ? (unsigned)atoi(argv[3]) : 33, &links);
	report(&f, hosts, links, in);
	if (argc <= 3) {
		double out = take(&f, &taken);

		printf("out  %5.2f M tasks/s\n", (double)taken / 1e6 / out);
	}
	frontier_close(&f);
	if (dir_remove(dir, &why) != ST_OK)
		fail(&why);
	return 0;
}
