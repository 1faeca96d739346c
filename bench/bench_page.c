/*
 * bench_page.c - how fast pages are read, and that nothing makes it slow.
 *
 *     bench_page               pages made here: prose, menus, scripts
 *     find DIR -name '*.html' | bench_page -     pages of your own
 *
 * MB/s are of CPU time, best of several rounds; instructions a byte are counted
 * where the kernel lets us.  Then pages that are made to hurt: time a megabyte,
 * and that twice the page takes at most about twice the time.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "html/html_token.h"
#include "html/tagpath.h"
#include "page/page.h"

#define ROUNDS     5
#define CORPUS_MAX ((size_t)512 << 20)
#define FILE_MAX   ((size_t)16 << 20)

struct corpus {
	struct buf bytes;
	size_t *ends; /* of each page in `bytes` */
	size_t n, cap;
};

static int counter = -1;

static void open_counter(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_HW_INSTRUCTIONS,
					.exclude_kernel = 1,
					.exclude_hv = 1 };

	counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static uint64_t instructions(void)
{
	uint64_t n = 0;

	if (counter < 0 || read(counter, &n, sizeof(n)) != sizeof(n))
		return 0;
	return n;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- Pages ---- */

static void end_page(struct corpus *c)
{
	VEC_ADD(c->ends, c->n, c->cap, c->bytes.n);
}

static void add_file(struct corpus *c, const char *path)
{
	FILE *f = fopen(path, "rb");
	char *p = malloc(FILE_MAX);

	if (f && p) {
		size_t n = fread(p, 1, FILE_MAX, f);

		buf_add_utf8_repaired(&c->bytes, (struct str){ p, n });
		end_page(c);
	}
	if (f)
		fclose(f);
	free(p);
}

static void add_words(struct buf *b, struct rng *r, size_t n)
{
	static const char *const words[] = { "the",  "crawler", "keeps",    "a",
					     "list", "of",      "pages",    "that",
					     "were", "seen",    "and",      "asks",
					     "each", "host",    "politely", "for",
					     "one",  "more" };

	while (n-- > 0)
		buf_addf(b, "%s%s", words[rng_below(r, COUNT(words))], n ? " " : ".");
}

/* A page as sites have them: head, menu, article with links, script, footer. */
static void add_made_page(struct corpus *c, struct rng *r)
{
	struct buf *b = &c->bytes;

	buf_addf(b,
		 "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Page &amp; "
		 "%u</title>\n"
		 "<meta charset=\"utf-8\">\n<link rel=\"stylesheet\" href=\"/s.css\">\n"
		 "</head>\n<body class=\"page\">\n<nav class=\"menu\">\n<ul>\n",
		 (unsigned)rng_below(r, 1000000));
	for (unsigned i = 0; i < 20; i++)
		buf_addf(b,
			 "  <li class=\"item i%u\"><a "
			 "href=\"/section/%u?page=%u&amp;s=1\">"
			 "Section %u</a></li>\n",
			 i, i, i, i);
	buf_add(b, STR("</ul>\n</nav>\n<main>\n<h1>Heading</h1>\n"));
	for (size_t i = 0; i < 20; i++) {
		buf_add(b, STR("<p class=\"text\">"));
		add_words(b, r, 40 + rng_below(r, 60));
		buf_addf(b, " <a href=\"/article/%u.html\" title=\"More\">read on</a> ",
			 (unsigned)rng_below(r, 10000));
		add_words(b, r, 20);
		buf_add(b, STR("</p>\n"));
	}
	buf_add(b, STR("</main>\n<script>var a = {\"url\": \"/api/v1/items.json\", n: "
		       "17};\n"));
	for (unsigned i = 0; i < 40; i++)
		buf_addf(b, "function f%u(x) { return x < %u ? 'a' : g(x - 1); }\n", i,
			 i);
	buf_add(b, STR("</script>\n<footer>&copy; 2026</footer>\n</body>\n</html>\n"));
	end_page(c);
}

static struct str page_at(const struct corpus *c, size_t i)
{
	size_t from = i ? c->ends[i - 1] : 0;

	return (struct str){ c->bytes.p + from, c->ends[i] - from };
}

/* ---- What is measured ---- */

static volatile uint64_t sink;

static void run_tokens(struct str page, struct arena *a)
{
	static struct html_tokenizer t;
	struct html_token k;
	uint64_t n = 0;

	(void)a;
	html_start(&t, page);
	while (html_next(&t, &k))
		n += k.kind;
	sink += n;
}

static void run_page(struct str page, struct arena *a)
{
	struct page p;

	page_parse(
		&(struct page_input){ .body = page,
				      .content_type = STR("text/html; charset=utf-8") },
		&(struct page_options){ .no_language = true }, a, &p);
	sink += p.n_links + p.text.n;
}

static void run_page_language(struct str page, struct arena *a)
{
	struct page p;

	page_parse(
		&(struct page_input){ .body = page,
				      .content_type = STR("text/html; charset=utf-8") },
		NULL, a, &p);
	sink += p.n_links + p.text.n;
}

static void run_tagpaths(struct str page, struct arena *a)
{
	uint64_t *ways;
	size_t n;

	tagpath_set(page, TAGPATH_CLASSES, SIZE_MAX / 32, a, &ways, &n);
	sink += n;
}

static void measure(const char *name, const struct corpus *c,
		    void (*run)(struct str, struct arena *))
{
	double best = 1e9;
	uint64_t counted = 0;
	struct arena a = { 0 };

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t before = instructions();
		double start = cpu_seconds();

		for (size_t i = 0; i < c->n; i++) {
			run(page_at(c, i), &a);
			arena_reset(&a);
		}
		double took = cpu_seconds() - start;
		counted = instructions() - before;
		best = MIN(best, took);
	}
	arena_release(&a);
	double bytes = (double)c->bytes.n;
	printf("%-24s %8.0f MB/s %8.1f us/page", name, bytes / best / 1e6,
	       best / (double)c->n * 1e6);
	if (counted)
		printf(" %8.2f instructions/byte", (double)counted / bytes);
	putchar('\n');
}

/* ---- Hostile pages: `before` once, then `each` again and again, then `after` ---- */

struct hostile {
	const char *name, *before, *each, *after;
};

static double time_hostile(const struct hostile *h, size_t bytes)
{
	struct buf b = { 0 };
	struct arena a = { 0 };
	double best = 1e9;

	buf_add(&b, str_from(h->before));
	while (b.n < bytes)
		buf_add(&b, str_from(h->each));
	buf_add(&b, str_from(h->after));
	for (int round = 0; round < 3; round++) {
		double start = cpu_seconds();

		run_page(buf_str(&b), &a);
		best = MIN(best, cpu_seconds() - start);
		arena_reset(&a);
	}
	arena_release(&a);
	buf_release(&b);
	return best;
}

static void measure_hostile(void)
{
	static const struct hostile pages[] = {
		{ "nested div", "", "<div>", "" },
		{ "nested b", "", "<b>", "" },
		{ "nested table", "", "<table><tr><td>", "" },
		{ "font and p", "", "<font size=1><p>x", "" },
		{ "a in a", "", "<a href=x>", "" },
		{ "unclosed p and button", "<p><button>", "<b><hr>", "" },
		{ "unknown end tags", "<x><y><y><y><y><y><y><y><y>", "</z>", "" },
		{ "one tag of attributes", "<a ", "a=b ", ">" },
		{ "same attribute", "<a ", "href=b ", ">" },
		{ "many such tags", "",
		  "<a href=a href=b href=c style=x style=y class=z>", "" },
		{ "less-than signs", "", "<", "" },
		{ "open quotes", "", "<a b=\"", "" },
		{ "half comments", "", "<!--", "" },
		{ "comment dashes", "<!--", "-->-", "" },
		{ "bogus comments", "", "<!x>", "" },
		{ "ampersands", "", "&", "" },
		{ "unfinished references", "", "&CounterClockwiseContourIntegra", "" },
		{ "short references", "", "&amp", "" },
		{ "numbers", "", "&#x0000000", "" },
		{ "title without end", "<title>", "</titl", "" },
		{ "script escapes", "<script>", "<!--<script>--></scrip", "" },
		{ "script quotes", "<script>", "'\"`", "" },
		{ "long script strings", "<script>",
		  "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "" },
		{ "css urls", "<style>", "url(", "" },
		{ "css comments", "<style>", "/*", "" },
		{ "css escapes", "<p style=\"url('", "\\66 ", "')\">" },
		{ "srcset", "<img srcset=\"", "a,(", "\">" },
		{ "svg and cdata", "<svg>", "<![CDATA[", "" },
		{ "svg in svg", "", "<svg><foreignObject>", "" },
		{ "white space", "", " \n\t", "" },
		{ "one long word", "", "abcdefghijklmnopqrstuvwxyz", "" },
		{ "templates", "", "<template><p>", "" },
		{ "meta", "", "<meta name=a content=b>", "" },
	};

	printf("\n%-24s %10s %10s %8s\n", "hostile page", "1 MB", "4 MB", "ratio");
	for (size_t i = 0; i < COUNT(pages); i++) {
		double one = time_hostile(&pages[i], (size_t)1 << 20);
		double four = time_hostile(&pages[i], (size_t)4 << 20);

		printf("%-24s %7.2f ms %7.2f ms %8.1f%s\n", pages[i].name, one * 1e3,
		       four * 1e3, four / one,
		       four / one > 8 && four > 0.02 ? "  !" : "");
	}
}

int main(int argc, char **argv)
{
	struct corpus c = { .bytes = BUF(CORPUS_MAX) };
	struct rng r = { 3 };
	char path[4096];

	open_counter();
	if (argc == 2 && strcmp(argv[1], "-") == 0) {
		while (fgets(path, sizeof(path), stdin) &&
		       c.bytes.n < CORPUS_MAX - FILE_MAX * 3) {
			path[strcspn(path, "\n")] = 0;
			add_file(&c, path);
		}
	} else {
		for (int i = 0; i < 2000; i++)
			add_made_page(&c, &r);
	}
	if (!c.n)
		return fprintf(stderr, "bench_page: no pages\n"), 2;
	printf("%zu pages, %.1f MB\n", c.n, (double)c.bytes.n / 1e6);
	measure("tokens", &c, run_tokens);
	measure("links and text", &c, run_page);
	measure("... and language", &c, run_page_language);
	measure("set of tag paths", &c, run_tagpaths);
	if (argc == 1)
		measure_hostile();
	buf_release(&c.bytes);
	free(c.ends);
	return 0;
}
