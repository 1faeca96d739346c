/*
 * page_oracle.c - our links and text against gumbo's, over files of HTML.
 *
 *     find FOLDER -name '*.html' | page_oracle [-v]
 *
 * Files that are not UTF-8 are repaired first.  Exit 0 when at least 99.9 % of
 * the pages have the same set of links.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/utf8.h"
#include "gumbo_links.h"
#include "page/page.h"

#define FILE_MAX ((size_t)32 << 20)

struct totals {
	size_t pages, bytes, same_links, same_text;
	size_t ours, theirs, missing, extra;
	double our_seconds, their_seconds;
};

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool read_file(const char *path, struct buf *to)
{
	FILE *f = fopen(path, "rb");
	struct buf raw = BUF(FILE_MAX);

	if (!f)
		return false;
	char *p = buf_reserve(&raw, FILE_MAX - 1);
	raw.n = fread(p, 1, FILE_MAX - 1, f);
	fclose(f);
	buf_reset(to);
	buf_add_utf8_repaired(to, buf_str(&raw));
	buf_release(&raw);
	return to->n > 0;
}

static void report(const char *path, const char *what, struct str url)
{
	printf("%s: %s " STR_FMT "\n", path, what, STR_ARG(url));
}

static void report_text(const char *path, struct str ours, struct str theirs)
{
	size_t at = 0;

	while (at < ours.n && at < theirs.n && ours.p[at] == theirs.p[at])
		at++;
	at -= MIN(at, 30);
	printf("%s: text from %zu\n  ours   " STR_FMT "\n  theirs " STR_FMT "\n", path,
	       at, STR_ARG(str_slice(ours, at, at + 90)),
	       STR_ARG(str_slice(theirs, at, at + 90)));
}

static void compare(const char *path, struct str html, bool verbose, struct totals *t)
{
	struct arena a = { 0 };
	struct page page;
	struct oracle ours, theirs;
	struct str first = { 0 };
	double start = cpu_seconds();

	page_parse(
		&(struct page_input){ .body = html,
				      .content_type = STR("text/html; charset=utf-8") },
		&(struct page_options){ .max_text_bytes = FILE_MAX, .no_language = true },
		&a, &page);
	double parsed = cpu_seconds();
	oracle_from_page(&page, &a, &ours);
	double from = cpu_seconds();
	oracle_read(html, &a, &theirs);
	t->our_seconds += parsed - start;
	t->their_seconds += cpu_seconds() - from;
	size_t missing = oracle_missing(&theirs, &ours, &first);
	if (missing && verbose)
		report(path, "missing", first);
	size_t extra = oracle_missing(&ours, &theirs, &first);
	if (extra && verbose)
		report(path, "extra", first);
	bool same_text = str_eq(ours.text, theirs.text);
	if (!same_text && verbose)
		report_text(path, ours.text, theirs.text);

	t->pages++;
	t->bytes += html.n;
	t->same_links += !missing && !extra;
	t->same_text += same_text;
	t->ours += ours.n_urls;
	t->theirs += theirs.n_urls;
	t->missing += missing;
	t->extra += extra;
	arena_release(&a);
}

int main(int argc, char **argv)
{
	struct rlimit memory = { (rlim_t)4 << 30, (rlim_t)4 << 30 };
	bool verbose = argc == 2 && strcmp(argv[1], "-v") == 0;
	struct buf html = BUF(4 * FILE_MAX);
	struct totals t = { 0 };
	char path[4096];

	setrlimit(RLIMIT_AS, &memory);
	while (fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = 0;
		if (read_file(path, &html))
			compare(path, buf_str(&html), verbose, &t);
	}
	buf_release(&html);
	if (!t.pages)
		return fprintf(stderr, "page_oracle: no file to read\n"), 2;
	double pages = (double)t.pages;
	printf("pages %zu (%zu MB): same links %zu (%.3f %%), same text %zu (%.3f %%)\n"
	       "links: gumbo %zu, missing %zu, extra %zu\n",
	       t.pages, t.bytes >> 20, t.same_links, 100 * (double)t.same_links / pages,
	       t.same_text, 100 * (double)t.same_text / pages, t.theirs, t.missing,
	       t.extra);
	printf("CPU: ours %.0f MB/s, gumbo %.1f MB/s: %.0f times\n",
	       (double)t.bytes / t.our_seconds / 1e6,
	       (double)t.bytes / t.their_seconds / 1e6, t.their_seconds / t.our_seconds);
	return (double)t.same_links < 0.999 * pages;
}
