#include <stdio.h>

#include "apps/extract.h"
#include "apps/link_rules.h"
#include "base/json.h"
#include "cmd/apps.h"

struct detection {
	const struct apps_settings *settings;
	struct app_library library;
	struct app_scan scan;
	struct arena arena;
	struct buf text;
	size_t pages, known, objects;
};

static void detection_release(struct detection *d)
{
	app_scan_release(&d->scan);
	library_release(&d->library);
	arena_release(&d->arena);
	buf_release(&d->text);
}

static void print_table_row(struct detection *d, const struct app_page *page,
			    const struct app_verdict *v)
{
	struct str app = v->app == APP_NONE ? STR("-") : d->library.apps[v->app].id;

	buf_reset(&d->text);
	for (size_t i = 0; i < d->scan.n_evidence; i++)
		if (app_evidence_counts(&d->scan, v, i)) {
			if (d->text.n)
				buf_add(&d->text, STR("; "));
			app_evidence_format(&d->scan, i, &d->text);
		}
	printf("%-12.*s %-10.*s %3u %%  " STR_FMT "\n%24s  " STR_FMT "\n", STR_ARG(app),
	       STR_ARG(v->level ? v->level->id : STR("-")), v->confidence,
	       STR_ARG(page->url), "", STR_ARG(buf_str(&d->text)));
}

static void print_json(struct detection *d, const struct app_page *page,
		       const struct app_verdict *v)
{
	cleanup(buf_release) struct buf line = { 0 };
	struct json_out o = { .to = &line };

	json_open(&o, '{');
	json_put_str(&o, "url", page->url);
	json_put_str(&o, "application",
		     v->app == APP_NONE ? STR("") : d->library.apps[v->app].id);
	json_put_str(&o, "level", v->level ? v->level->id : STR(""));
	json_put_uint(&o, "confidence", v->confidence);
	json_key(&o, STR("evidence"));
	json_open(&o, '[');
	for (size_t i = 0; i < d->scan.n_evidence; i++) {
		if (!app_evidence_counts(&d->scan, v, i))
			continue;
		buf_reset(&d->text);
		app_evidence_format(&d->scan, i, &d->text);
		json_add_str(&o, buf_str(&d->text));
	}
	json_close(&o, ']');
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&line)));
}

static bool detect_page(void *arg, const struct app_page *page, const struct page *parsed)
{
	(void)parsed;
	struct detection *d = arg;
	struct app_verdict v = app_scan_page(&d->scan, page, &d->arena);

	d->pages++;
	d->known += v.app != APP_NONE;
	if (d->settings->json)
		print_json(d, page, &v);
	else if (v.app != APP_NONE || !d->settings->links)
		print_table_row(d, page, &v);
	arena_reset(&d->arena);
	return true;
}

static bool extract_page(void *arg, const struct app_page *page,
			 const struct page *parsed)
{
	(void)parsed;
	struct detection *d = arg;
	struct app_verdict v = app_scan_page(&d->scan, page, &d->arena);

	buf_reset(&d->text);
	d->pages++;
	d->objects += app_extract(&d->library, &v, page, &d->text).objects;
	fwrite(buf_str(&d->text).p, 1, d->text.n, stdout);
	arena_reset(&d->arena);
	return true;
}

static int run_both(const struct command *self, int argc, char **argv, apps_page_fn *fn,
		    struct detection *d)
{
	struct apps_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	d->settings = &s;
	if (code == ARGS_GO)
		code = apps_load(self, &s, &d->library);
	if (code != ARGS_GO)
		return code;
	app_scan_init(&d->scan, &d->library);
	code = apps_each_page(self, &s, &args, fn, d);
	return code == ARGS_GO ? EXIT_FINE : code;
}

static int run_detect(const struct command *self, int argc, char **argv)
{
	cleanup(detection_release) struct detection d = { 0 };
	int code = run_both(self, argc, argv, detect_page, &d);

	if (code == EXIT_FINE && d.pages > 0)
		fprintf(stderr, "%zu pages, %zu of known applications\n", d.pages,
			d.known);
	return code;
}

static int run_extract(const struct command *self, int argc, char **argv)
{
	cleanup(detection_release) struct detection d = { 0 };
	int code = run_both(self, argc, argv, extract_page, &d);

	if (code == EXIT_FINE && d.pages > 0)
		fprintf(stderr, "%zu objects of %zu pages\n", d.objects, d.pages);
	return code;
}

#define AT(field) offsetof(struct apps_settings, field)
#define COMMON                                                                      \
	OPTION(STR, "apps", AT(dir), .value = "DIR",                                \
	       .help = "descriptions (*.xml) besides the shipped ones"),            \
		OPTION(FLAG, "only", AT(only), .help = "without the shipped ones"), \
		OPTION(STR, "url", AT(url), .value = "URL",                         \
		       .help = "where an HTML file comes from"),                    \
		OPTION(STR, "header", AT(header), .value = "FIELD",                 \
		       .help = "HTTP field that came with an HTML file")

static const struct option_row detect_rows[] = {
	COMMON,
	OPTION(FLAG, "known", AT(links), .help = "only pages whose application is known"),
	OPTION(FLAG, "json", AT(json), .help = "one JSON object per page"),
	OPTION_END,
};

static const struct option_row extract_rows[] = { COMMON, OPTION_END };

static const struct example detect_examples[] = {
	{ "thresh apps detect page.html --url http://f.example/viewtopic.php?t=1",
	  "one saved page" },
	{ "thresh apps detect crawl --json", "all HTML pages of a crawl" },
	{ NULL, NULL },
};

static const struct example extract_examples[] = {
	{ "thresh apps extract crawl > objects.jsonl", "posts, articles, comments ..." },
	{ NULL, NULL },
};

const struct command cmd_apps_detect = {
	.name = "apps detect",
	.summary = "which application made a page, and what it is there",
	.operands = "FILE|WARC|DIR...",
	.about = "Prints application, level, confidence and URL of each HTML page, and "
		 "the "
		 "evidence in a second line.",
	.options = detect_rows,
	.examples = detect_examples,
	.run = run_detect,
};

const struct command cmd_apps_extract = {
	.name = "apps extract",
	.summary = "the objects of pages, one JSON object per line",
	.operands = "FILE|WARC|DIR...",
	.about = "Takes out what the description of the page's application names: posts, "
		 "authors, dates, titles, comments.",
	.options = extract_rows,
	.examples = extract_examples,
	.run = run_extract,
};
