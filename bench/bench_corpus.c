/*
 * bench_corpus [FILE...] - what reading a corpus costs, beside inflating it alone.
 *
 * FILE is a WARC.gz or JSON lines, plain or .gz; without one, both are made up.
 * Processor time of one thread, best of five:
 *
 *   zlib, libdeflate   inflate every member and throw it away
 *   read               corpus_read(): records, with our own inflating
 *   whole              and parse them, find the main content, make and log sketches
 *
 * --inflate FILE: only its MB inflated, and the seconds that zlib and libdeflate take;
 * medians, for bench/dedup_speed.sh.
 */
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "corpus/corpus.h"
#include "dup/batch.h"

#define ROUNDS     5
#define OUT_MAX    ((size_t)64 << 20)
#define MADE_BYTES ((size_t)32 << 20)

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void add_words(struct buf *to, struct rng *r, size_t n, const char *newline)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = 1 + rng_below(r, 4) + rng_below(r, 5);
		double u = rng_unit(r);
		uint64_t word = hash_mix((uint64_t)(u * u * u * 20000));

		for (size_t k = 0; k < length; k++, word /= 26)
			buf_add_char(to, (char)('a' + word % 26));
		buf_add(to, i % 90 == 89 ? str_from(newline) : STR(" "));
	}
}

/* Navigation, paragraphs with links, a footer: 130 tags to 25 kB of page. */
static void add_page(struct buf *to, struct rng *r)
{
	buf_add(to, STR("<!DOCTYPE html><html><head><title>A page</title><style>"
			"body{margin:0}.nav{float:left}</style></head><body><ul>"));
	for (int i = 0; i < 30; i++)
		buf_addf(to,
			 "<li class=\"nav item-%d\"><a href=\"/s/%d\">Section</a></li>",
			 i, i);
	buf_add(to, STR("</ul><div id=main><h1>A heading</h1>"));
	for (int i = 0; i < 30; i++) {
		buf_add(to, STR("<p class=\"text\">"));
		add_words(to, r, 100, " ");
		buf_addf(to, "<a href=\"/p/%d\">more</a> &amp; so on.</p>\n", i);
	}
	buf_add(to, STR("</div><div class=footer>About us</div></body></html>"));
}

static void add_gzip(struct buf *to, struct str bytes)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	size_t most = libdeflate_gzip_compress_bound(c, bytes.n);
	char *at = buf_reserve(to, most);

	to->n += libdeflate_gzip_compress(c, bytes.p, bytes.n, at, most);
	libdeflate_free_compressor(c);
}

static void make_warc(struct buf *to)
{
	cleanup(buf_release) struct buf page = { 0 }, record = { 0 };
	struct rng r = { 9 };

	for (size_t made = 0, nr = 0; made < MADE_BYTES; made += page.n, nr++) {
		buf_reset(&page);
		buf_reset(&record);
		add_page(&page, &r);
		static const char head[] =
			"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
		buf_addf(&record,
			 "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: "
			 "http://a.org/%zu\r\nContent-Type: application/http; "
			 "msgtype=response\r\nContent-Length: %zu\r\n\r\n%s",
			 nr, page.n + sizeof(head) - 1, head);
		buf_add(&record, buf_str(&page));
		buf_add(&record, STR("\r\n\r\n"));
		add_gzip(to, buf_str(&record));
	}
}

static void make_lines(struct buf *to)
{
	struct rng r = { 10 };

	for (size_t nr = 0; to->n < 2 * MADE_BYTES; nr++) {
		buf_addf(to, "{\"id\":%zu,\"url\":\"http://a.org/%zu\",\"text\":\"", nr,
			 nr);
		add_words(to, &r, 960, "\\n");
		buf_add(to, STR("\",\"meta\":{\"lang\":\"en\",\"n\":[1,2,3]}}\n"));
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median_of(double (*run)(const char *path, struct str bytes),
			struct str bytes)
{
	double took[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		double start = cpu_s();

		run("", bytes);
		took[i] = cpu_s() - start;
	}
	qsort(took, ROUNDS, sizeof(*took), compare);
	return took[ROUNDS / 2];
}

static double best_of(double (*run)(const char *path, struct str bytes), const char *path,
		      struct str bytes)
{
	double best = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double start = cpu_s(), own = run(path, bytes);
		double took = own > 0 ? own : cpu_s() - start;

		best = took < best ? took : best;
	}
	return best;
}

static uint64_t decoded_bytes; /* of the last reading */

static double run_libdeflate(const char *path, struct str in)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	char *out = xrealloc(NULL, OUT_MAX, 1);
	size_t used, made;

	(void)path;
	decoded_bytes = 0;
	while (in.n && libdeflate_gzip_decompress_ex(d, in.p, in.n, out, OUT_MAX, &used,
						     &made) == LIBDEFLATE_SUCCESS) {
		in = str_skip(in, used);
		decoded_bytes += made;
	}
	free(out);
	libdeflate_free_decompressor(d);
	return 0;
}

static double run_zlib(const char *path, struct str in)
{
	static char out[1 << 18];
	z_stream z = { .next_in = (Bytef *)(uintptr_t)in.p, .avail_in = (uInt)in.n };

	(void)path;
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		abort();
	for (int rc = Z_OK; rc == Z_OK || (rc == Z_STREAM_END && z.avail_in > 0);) {
		if (rc == Z_STREAM_END)
			inflateReset(&z);
		z.next_out = (Bytef *)out;
		z.avail_out = sizeof(out);
		rc = inflate(&z, Z_NO_FLUSH);
	}
	inflateEnd(&z);
	return 0;
}

static struct corpus open_corpus(const char *path)
{
	struct str word = str_from(path);
	struct corpus c;

	if (corpus_open(&c, &word, 1, &(struct corpus_options){ 0 }, NULL) != ST_OK)
		exit((fprintf(stderr, "cannot read %s\n", path), 1));
	return c;
}

static double run_read(const char *path, struct str in)
{
	cleanup(corpus_release) struct corpus c = open_corpus(path);
	struct corpus_raw raw;
	enum status st;

	(void)in;
	decoded_bytes = 0;
	while ((st = corpus_read(&c, &raw, NULL)) != ST_AGAIN)
		decoded_bytes += st == ST_OK ? raw.bytes.n : 0;
	return 0;
}

static double run_whole(const char *path, struct str in)
{
	cleanup(corpus_release) struct corpus c = open_corpus(path);
	const struct method *m = method_find(STR("resemblance"));
	char dir[] = "/tmp/bench_corpus.XXXXXX";
	struct corpus_doc doc;
	struct batch b;
	enum status st;

	(void)in;
	struct batch_options how = { .dir = mkdtemp(dir),
				     .method = m,
				     .threshold = m->threshold };
	if (batch_open(&b, &how, NULL) != ST_OK)
		abort();
	double start = cpu_s();
	while ((st = corpus_next(&c, &doc, NULL)) != ST_AGAIN) {
		struct document parts = { .text = doc.text };

		if (st == ST_OK && batch_add(&b,
					     &(struct batch_doc){ .name = doc.name,
								  .length = doc.text.n,
								  .parts = &parts },
					     NULL) != ST_OK)
			abort();
	}
	if (batch_run(&b, NULL) != ST_OK)
		abort();
	double took = cpu_s() - start;
	if (batch_remove(&b, NULL) != ST_OK)
		abort();
	batch_release(&b);
	return took;
}

static void load(const char *path, struct buf *ret)
{
	if (file_load(path, ret->limit, ret, NULL) != ST_OK)
		exit((fprintf(stderr, "cannot read %s\n", path), 1));
}

static int measure_inflating(const char *path)
{
	cleanup(buf_release) struct buf bytes = BUF((size_t)4 << 30);

	load(path, &bytes);
	double z = median_of(run_zlib, buf_str(&bytes));
	double d = median_of(run_libdeflate, buf_str(&bytes));
	printf("%.1f %.3f %.3f\n", (double)decoded_bytes / 1e6, z, d);
	return 0;
}

static void measure(const char *name, const char *path)
{
	cleanup(buf_release) struct buf bytes = BUF((size_t)4 << 30);

	load(path, &bytes);
	bool gzip = bytes.n > 2 && (uint8_t)bytes.p[0] == 0x1f;
	double read = best_of(run_read, path, buf_str(&bytes));
	double mb = (double)decoded_bytes / 1e6;
	double whole = best_of(run_whole, path, buf_str(&bytes));
	printf("| %s | %.0f | ", name, mb);
	if (gzip) {
		double z = best_of(run_zlib, path, buf_str(&bytes));
		double d = best_of(run_libdeflate, path, buf_str(&bytes));

		printf("%.0f | %.0f | %.0f | %.0f | %.0f %% | %.0f %% |\n", mb / z,
		       mb / d, mb / read, mb / whole, 100 * z / whole, 100 * d / whole);
	} else {
		printf("| | %.0f | %.0f | | |\n", mb / read, mb / whole);
	}
}

static void measure_made(const char *name, void (*make)(struct buf *))
{
	cleanup(buf_release) struct buf bytes = { 0 };
	char path[] = "/tmp/bench_corpus-file.XXXXXX";
	int fd = mkstemp(path);

	make(&bytes);
	if (fd < 0 || file_save(path, buf_str(&bytes), NULL) != ST_OK)
		exit(1);
	measure(name, path);
	(void)!file_remove(path, NULL);
}

int main(int argc, char **argv)
{
	if (argc == 3 && str_eq(str_from(argv[1]), STR("--inflate")))
		return measure_inflating(argv[2]);
	printf("| corpus | MB | zlib MB/s | libdeflate MB/s | read MB/s | whole MB/s | "
	       "whole, of zlib | of libdeflate |\n|---|---|---|---|---|---|---|---|\n");
	for (int i = 1; i < argc; i++)
		measure(argv[i], argv[i]);
	if (argc == 1) {
		measure_made("made-up WARC.gz", make_warc);
		measure_made("made-up JSON lines", make_lines);
	}
	return 0;
}
