/*
 * bench_archive.c - what a page costs on its way into the WARC file, and out again.
 *
 *   bench_archive [PAGES [DIR]]     DIR keeps what was written, for other tools
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/rng.h"
#include "warc/warc_read.h"

#define PAGE_BYTES 20000
#define VARIANTS   64

/* Text with the skew of natural words, between tags: gzip finds 4 to 5 x in it. */
static void make_page(struct rng *r, struct buf *to)
{
	buf_add(to, STR("<!DOCTYPE html><html><head><title>Page</title></head><body>\n"));
	while (to->n < PAGE_BYTES) {
		buf_addf(to, "<div class=\"item-%u\"><a href=\"/section/%u/page-%u\">",
			 (unsigned)rng_below(r, 8), (unsigned)rng_below(r, 40),
			 (unsigned)rng_below(r, 100));
		for (unsigned i = 0; i < 14; i++) {
			double u = rng_unit(r);
			uint64_t word = hash_mix((uint64_t)(u * u * u * u * 500));

			for (unsigned k = 0; k < 3 + word % 6; k++)
				buf_add_char(to, (char)('a' + (word >> (5 * k)) % 26));
			buf_add_char(to, ' ');
		}
		buf_add(to, STR("</a></div>\n"));
	}
	buf_add(to, STR("</body></html>\n"));
}

static void must(enum status st, const struct diag *why)
{
	if (st == ST_OK)
		return;
	fprintf(stderr, "%s\n", why->text);
	exit(1);
}

static void report(const char *what, uint64_t pages, uint64_t bytes, int64_t cpu_ns)
{
	printf("%-28s %8.1f us CPU/page %8.1f MB/s %9.0f pages/s\n", what,
	       (double)cpu_ns / 1e3 / (double)pages,
	       (double)bytes / ((double)cpu_ns / 1e3),
	       (double)pages / ((double)cpu_ns / 1e9));
}

static void write_all(const char *dir, enum member_format format, uint64_t pages,
		      const struct buf *variants)
{
	struct archive a;
	struct archive_position p = { 0 };
	struct archive_place place;
	struct capture c = { 0 };
	struct diag why;
	char url[64];
	int64_t cpu = cpu_time_ns(), encode = 0;
	uint64_t bytes = 0, stored = 0;

	must(archive_open(&a,
			  &(struct archive_options){ .dir = dir,
						     .clock = &real_clock,
						     .ids = id_maker_random(),
						     .format = format },
			  &p, NULL, &why),
	     &why);
	for (uint64_t i = 0; i < pages; i++) {
		struct str body = buf_str(&variants[i % VARIANTS]);
		int n = snprintf(url, sizeof(url),
				 "https://www.example.org/section/page-%06llu",
				 (unsigned long long)i);
		struct fetch_task t = { .url = { url, (size_t)n },
					.hops = STR("LL"),
					.via = STR("https://www.example.org/section/"),
					.source = STR("https://www.example.org/") };
		struct fetch_result r = {
			.task = &t,
			.code = 200,
			.start_ms = clock_wall_ms(&real_clock),
			.ip = STR("203.0.113.7"),
			.protocol = STR("http/1.1"),
			.request = STR(
				"GET /section/page HTTP/1.1\r\nHost: www.example.org\r\n"
				"User-Agent: Mozilla/5.0 (compatible; thresh)\r\n"
				"Accept-Encoding: gzip, br, zstd\r\n\r\n"),
			.header = STR(
				"HTTP/1.1 200 OK\r\nServer: nginx\r\n"
				"Date: Sun, 15 Nov 2026 03:15:31 GMT\r\n"
				"Content-Type: text/html; charset=utf-8\r\n"
				"Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n"
				"Cache-Control: max-age=60\r\n\r\n"),
			.body = body,
			.body_bytes = body.n,
		};

		int64_t before = cpu_time_ns();
		a.encoder.warcinfo = archive_warcinfo_id(&a);
		must(capture_encode(&a.encoder, &r, &(struct capture_options){ 0 }, &c,
				    &why),
		     &why);
		encode += cpu_time_ns() - before;
		must(archive_add(&a, &c, &r, &place, &why), &why);
		bytes += body.n;
		stored += c.bytes.n;
	}
	report(format == MEMBER_GZIP   ? "gzip: encode (worker)"
	       : format == MEMBER_ZSTD ? "zstd: encode (worker)"
				       : "plain: encode",
	       pages, bytes, encode);
	report("      all with writing", pages, bytes, cpu_time_ns() - cpu);
	must(archive_commit(&a, NULL, &p, &why), &why);
	must(archive_close(&a, &why), &why);
	report("      with index and close", pages, bytes, cpu_time_ns() - cpu);
	printf("      stored %.2f of the bytes\n", (double)stored / (double)bytes);
	capture_release(&c);
}

static void read_all(const char *dir, uint64_t pages)
{
	struct arena names = { 0 };
	struct str_list files = { 0 };
	struct diag why;
	uint64_t bytes = 0, records = 0;
	int64_t cpu = cpu_time_ns();
	char *folder = path_join(&names, dir, STR("archive"));

	must(dir_list(folder, STR(""), &names, &files, &why), &why);
	for (size_t i = 0; i < files.n; i++) {
		struct warc_reader r;
		struct warc_record *rec;
		enum status st;

		must(warc_reader_open(&r, path_join(&names, folder, files.v[i]), &why),
		     &why);
		while ((st = warc_next(&r, &rec, &why)) == ST_OK) {
			bytes += rec->block_bytes;
			records++;
		}
		if (st != ST_AGAIN)
			must(st, &why);
		warc_reader_release(&r);
	}
	report("      read", pages, bytes, cpu_time_ns() - cpu);
	printf("      %llu records\n", (unsigned long long)records);
	str_list_release(&files);
	arena_release(&names);
}

int main(int argc, char **argv)
{
	uint64_t pages = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
	char dir[] = "/tmp/bench-archive-XXXXXX";
	struct buf variants[VARIANTS] = { 0 };
	struct rng r = { 1 };
	static const enum member_format formats[] = { MEMBER_GZIP, MEMBER_ZSTD,
						      MEMBER_PLAIN };
	struct arena names = { 0 };

	if (!mkdtemp(dir))
		return 1;
	for (size_t i = 0; i < VARIANTS; i++)
		make_page(&r, &variants[i]);
	for (size_t i = 0; i < COUNT(formats); i++) {
		char *to = path_join(&names, argc > 2 ? argv[2] : dir,
				     i == 0   ? STR("gzip")
				     : i == 1 ? STR("zstd")
					      : STR("plain"));

		write_all(to, formats[i], pages, variants);
		read_all(to, pages);
	}
	for (size_t i = 0; i < VARIANTS; i++)
		buf_release(&variants[i]);
	(void)!dir_remove(dir, NULL);
	arena_release(&names);
	return 0;
}
