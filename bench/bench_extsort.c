/* bench_extsort.c - sorting more than fits, side by side with sort(1). */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "os/clock.h"
#include "os/extsort.h"

static void report(const char *what, uint64_t n, uint64_t bytes, int64_t wall_ns,
		   int64_t cpu_ns)
{
	printf("%-34s %9llu records %7.2f s wall %7.2f s CPU %7.1f MB/s %8.0f k "
	       "records/s\n",
	       what, (unsigned long long)n, (double)wall_ns / 1e9, (double)cpu_ns / 1e9,
	       (double)bytes / ((double)wall_ns / 1e3),
	       (double)n / ((double)wall_ns / 1e6));
}

static void must(enum status st, const struct diag *why)
{
	if (st == ST_OK)
		return;
	fprintf(stderr, "%s\n", why->text);
	exit(1);
}

/* Fixed records of random bytes: what the seen set and the indexes sort. */
static void fixed(const char *dir, size_t size, uint64_t n, size_t memory_bytes)
{
	struct extsort s;
	struct rng r = { 1 };
	struct diag why;
	struct str record;
	uint64_t words[8], taken = 0;
	char what[64];
	int64_t wall = clock_mono_ns(&real_clock), cpu = cpu_time_ns();

	extsort_init(&s, &(struct extsort_options){ .dir = dir,
						    .memory_bytes = memory_bytes,
						    .record_bytes = size });
	for (uint64_t i = 0; i < n; i++) {
		for (size_t k = 0; k < size / 8; k++)
			words[k] = rng_next(&r);
		must(extsort_add(&s, (struct str){ (char *)words, size }, &why), &why);
	}
	must(extsort_sort(&s, &why), &why);
	while (extsort_next(&s, &record, &why) == ST_OK)
		taken++;
	snprintf(what, sizeof(what), "%zu-byte records, %zu runs", size, s.run_count);
	report(what, taken, taken * size, clock_mono_ns(&real_clock) - wall,
	       cpu_time_ns() - cpu);
	extsort_release(&s);
}

/* The lines of a file, to another: the same work as sort(1) does. */
static void lines(const char *dir, const char *from, const char *to, size_t memory_bytes)
{
	struct extsort s;
	struct diag why;
	struct map_file map = { 0 };
	struct file out = { 0 };
	struct buf b = { 0 };
	uint64_t taken = 0;
	char what[64];
	int64_t wall = clock_mono_ns(&real_clock), cpu = cpu_time_ns();

	extsort_init(&s, &(struct extsort_options){ .dir = dir,
						    .memory_bytes = memory_bytes });
	must(map_file_open(&map, from, MAP_SEQUENTIAL, &why), &why);
	must(file_open(&out, to, FILE_CREATE, &why), &why);
	for (struct str rest = map.bytes, line; str_take_until(&rest, '\n', &line);)
		must(extsort_add(&s, line, &why), &why);
	must(extsort_sort(&s, &why), &why);
	for (struct str line; extsort_next(&s, &line, &why) == ST_OK; taken++) {
		buf_add(&b, line);
		buf_add_char(&b, '\n');
		if (b.n > 1 << 20) {
			must(file_write(&out, buf_str(&b), &why), &why);
			buf_reset(&b);
		}
	}
	must(file_write(&out, buf_str(&b), &why), &why);
	snprintf(what, sizeof(what), "lines like SURT keys, %zu runs", s.run_count);
	report(what, taken, map.bytes.n, clock_mono_ns(&real_clock) - wall,
	       cpu_time_ns() - cpu);
	buf_release(&b);
	file_close(&out);
	map_file_release(&map);
	extsort_release(&s);
}

static void write_lines(const char *path, uint64_t n)
{
	struct rng r = { 7 };
	FILE *f = fopen(path, "we");

	for (uint64_t i = 0; f && i < n; i++) {
		uint64_t x = rng_next(&r);

		fprintf(f, "org,example%u)/section-%u/page-%llx?id=%u 20261115\n",
			(unsigned)(x % 50), (unsigned)(x >> 8) % 20,
			(unsigned long long)x, (unsigned)(x >> 40) % 1000);
	}
	if (!f || fclose(f) != 0)
		exit(1);
}

static void peer(const char *from, const char *to, const char *what, uint64_t n,
		 const char *flags)
{
	char line[512];
	int64_t wall = clock_mono_ns(&real_clock);
	uint64_t bytes;

	snprintf(line, sizeof(line), "LC_ALL=C sort %s -o %s %s", flags, to, from);
	if (system(line) != 0 || file_size(to, &bytes, NULL) != ST_OK)
		exit(1);
	report(what, n, bytes, clock_mono_ns(&real_clock) - wall, 0);
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000000;
	char dir[] = "/tmp/bench-extsort-XXXXXX";
	struct arena a = { 0 };

	if (!mkdtemp(dir))
		return 1;
	char *in = path_join(&a, dir, STR("in")), *ours = path_join(&a, dir, STR("ours"));
	char *theirs = path_join(&a, dir, STR("theirs")),
	     *runs = path_join(&a, dir, STR("runs"));
	fixed(runs, 8, n, (size_t)1 << 30);
	fixed(runs, 16, n, (size_t)1 << 30);
	fixed(runs, 16, n, (size_t)16 << 20);
	fixed(runs, 40, n, (size_t)16 << 20);
	write_lines(in, n);
	lines(runs, in, ours, (size_t)1 << 30);
	lines(runs, in, ours, (size_t)64 << 20);
	peer(in, theirs, "sort(1), 64M, one thread", n, "--parallel=1 -S 64M");
	peer(in, theirs, "sort(1), 64M, its default", n, "-S 64M");
	char line[512];
	snprintf(line, sizeof(line), "cmp %s %s", ours, theirs);
	int differs = system(line);
	printf("the two outputs are %s\n", differs ? "DIFFERENT" : "equal");
	(void)!dir_remove(dir, NULL);
	arena_release(&a);
	return differs != 0;
}
