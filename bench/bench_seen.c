/*
 * bench_seen - how many URLs a second the seen set can be asked about.
 *
 *   bench_seen [millions on disk] [payload bytes]
 *
 * In memory: 10 million keys, 60 % of the questions repeats.  On disk: the set
 * grows to the size asked for, 60 % repeats drawn uniformly from all before (the
 * worst case: no locality), and the rate of each tenth is printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/rng.h"
#include "frontier/seen.h"
#include "os/clock.h"
#include "os/file.h"

enum { BATCH = 64 };

struct load {
	struct rng random;
	uint64_t distinct, asked, late;
	struct str payload;
};

static struct u128 key_of(uint64_t i)
{
	return (struct u128){ hash_mix(i + 1), hash_mix(~i) };
}

static void ask(struct seen *s, struct load *l)
{
	struct seen_question q[BATCH];
	struct diag why;
	struct u128 key;
	struct str payload;

	for (unsigned k = 0; k < BATCH; k++) {
		bool repeat = l->distinct > 0 && rng_unit(&l->random) < 0.6;
		uint64_t i = repeat ? rng_below(&l->random, l->distinct) : l->distinct++;

		q[k] = (struct seen_question){ .key = key_of(i), .payload = l->payload };
	}
	if (seen_add(s, q, BATCH, &why) != ST_OK) {
		fprintf(stderr, "bench_seen: %s\n", why.text);
		exit(1);
	}
	l->asked += BATCH;
	if (l->asked % 65536 == 0)
		while (seen_next(s, &key, &payload, &why) == ST_OK)
			l->late++;
}

static long rss_mb(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss / 1024;
}

static void in_memory(const char *dir)
{
	struct seen s;
	struct load l = { .random = { 1 } };

	seen_init(&s, &(struct seen_options){ .dir = dir, .ram_bytes = (size_t)1 << 30 });
	seen_table_reserve(&s.table, 10000000);
	int64_t start = clock_mono_ns(&real_clock);
	while (l.distinct < 10000000)
		ask(&s, &l);
	double seconds = (double)(clock_mono_ns(&real_clock) - start) / 1e9;
	printf("memory  %6.1f M keys  %6.2f M checks/s  RSS %ld MB\n",
	       (double)l.distinct / 1e6, (double)l.asked / 1e6 / seconds, rss_mb());
	seen_release(&s);
}

static void on_disk(const char *dir, uint64_t millions, size_t payload_bytes)
{
	static char bytes[512];
	struct seen s;
	struct load l = { .random = { 2 }, .payload = { bytes, payload_bytes } };
	struct diag why;

	seen_init(&s, &(struct seen_options){ .dir = dir, .ram_bytes = 1 << 20 });
	for (unsigned tenth = 1; tenth <= 10; tenth++) {
		int64_t start = clock_mono_ns(&real_clock), cpu = cpu_time_ns();
		uint64_t before = l.asked, disk = 0;

		while (l.distinct < millions * 100000 * tenth)
			ask(&s, &l);
		double seconds = (double)(clock_mono_ns(&real_clock) - start) / 1e9;
		double asked = (double)(l.asked - before);
		if (seen_disk_wait(&s.disk, &why) != ST_OK ||
		    seen_disk_bytes(&s.disk, &disk, &why) != ST_OK)
			exit(1);
		printf("disk    %6.1f M keys  %6.2f M checks/s  %5.0f ns CPU  RSS %4ld MB"
		       "  %5.2f B/key on disk, pending included\n",
		       (double)l.distinct / 1e6, asked / 1e6 / seconds,
		       (double)(cpu_time_ns() - cpu) / asked, rss_mb(),
		       (double)disk / (double)l.distinct);
		fflush(stdout);
	}
	seen_release(&s);
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/thresh-bench-seen-XXXXXX";
	struct diag why;

	if (!mkdtemp(dir))
		return 1;
	in_memory(dir);
	on_disk(dir, argc > 1 ? strtoull(argv[1], NULL, 10) : 10,
		argc > 2 ? MIN(strtoul(argv[2], NULL, 10), 512) : 0);
	return dir_remove(dir, &why) != ST_OK;
}
