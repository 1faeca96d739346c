/*
 * bench_kb - the scanner, sequential insertion with group commit, and look-ups.
 *
 * Bulk loads and queries against a peer are in bench_kb_peers.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kb/writer.h"
#include "os/file.h"
#include "rdf/ntriples.h"

#define LINES    300000
#define LOOK_UPS 200000

static double since(int64_t wall_ns)
{
	return (double)(clock_mono_ns(&real_clock) - wall_ns) / 1e9;
}

static void report(const char *what, uint64_t n, double wall_s, double cpu_s)
{
	printf("%-44s %9llu  %8.2f s wall  %8.2f s CPU  %10.0f /s CPU\n", what,
	       (unsigned long long)n, wall_s, cpu_s, (double)n / cpu_s);
}

static void make_lines(struct buf *to)
{
	struct rng r = { 5 };

	for (unsigned i = 0; i < LINES; i++)
		buf_addf(to,
			 "<http://host%u.example/section/%u/page-%u.html> "
			 "<http://thresh.example/vocab/p%u> \"title number %u\" .\n",
			 i / 900, i % 40, i / 9, i % 9, (unsigned)rng_below(&r, 100000));
}

static void bench_scanner(struct str text)
{
	struct nt_reader r = { .in = text };
	struct statement s;
	struct diag why;
	int64_t wall = clock_mono_ns(&real_clock), cpu = cpu_time_ns();
	uint64_t n = 0;

	while (nt_next(&r, &s, &why) == ST_OK)
		n++;
	report("N-Triples scanner", n, since(wall), (double)(cpu_time_ns() - cpu) / 1e9);
	nt_reader_release(&r);
}

static int bench_insertion(struct str text, const char *dir)
{
	struct nt_reader r = { .in = text };
	struct kb_writer w;
	struct statement s;
	struct store *store;
	struct diag why;

	if (store_open(&store, dir, NULL, &why) != ST_OK)
		return fprintf(stderr, "%s\n", why.text), 1;
	kb_writer_init(&w, store, &real_clock);
	int64_t wall = clock_mono_ns(&real_clock), cpu = cpu_time_ns();
	while (nt_next(&r, &s, &why) == ST_OK)
		if (kb_writer_add(&w, &s, &why) != ST_OK)
			return fprintf(stderr, "%s\n", why.text), 1;
	if (kb_writer_sync(&w, &why) != ST_OK)
		return fprintf(stderr, "%s\n", why.text), 1;
	double s_wall = since(wall);
	report("one by one, group commit, on disk", w.added, s_wall,
	       (double)(cpu_time_ns() - cpu) / 1e9);
	printf("%-44s %9.0f /s wall\n", "", (double)w.added / s_wall);

	struct snapshot *now = store_snapshot(store);
	struct rng rng = { 3 };
	wall = clock_mono_ns(&real_clock);
	cpu = cpu_time_ns();
	uint64_t found = 0;
	for (unsigned i = 0; i < LOOK_UPS; i++) {
		char iri[100];
		unsigned p = (unsigned)rng_below(&rng, LINES / 9), line = p * 9;

		snprintf(iri, sizeof(iri),
			 "http://host%u.example/section/%u/page-%u.html", line / 900,
			 line % 40, p);
		struct row key = { { 0, snapshot_find(now, term_iri(str_from(iri))) } };
		found += key.v[1] && snapshot_count(now, ORDER_SPO, &key, 2);
	}
	report("find a subject and count its statements", found, since(wall),
	       (double)(cpu_time_ns() - cpu) / 1e9);
	snapshot_release(now);
	kb_writer_release(&w);
	store_close(store);
	return 0;
}

int main(void)
{
	char dir[] = "/tmp/thresh-bench-kb-XXXXXX";
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why;
	int code;

	if (!mkdtemp(dir))
		return 1;
	make_lines(&text);
	bench_scanner(buf_str(&text));
	code = bench_insertion(buf_str(&text), dir);
	(void)!dir_remove(dir, &why);
	return code;
}
