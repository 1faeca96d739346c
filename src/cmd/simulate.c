/* thresh simulate: crawl an archive instead of the network, in one way or several. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/warc_files.h"
#include "os/file.h"
#include "simulate/comparison.h"
#include "simulate/spec_column.h"

struct simulate_settings {
	struct str_list specs, sets, seeds;
	uint64_t budget;
	bool breadth_first, json;
	struct str html, keep;
};

#define AT(field) offsetof(struct simulate_settings, field)

static const struct option_row options[] = {
	OPTION(LIST, "spec", AT(specs), .value = "FILE",
	       .help = "crawl by this crawl.yaml; several are put side by side; without "
		       "one: that of the crawl folder, or the defaults"),
	OPTION(LIST, "set", AT(sets), .value = "NAME=VALUE",
	       .help = "set an option of 'thresh crawl' in all of them; a flag as NAME "
		       "or no-NAME"),
	OPTION(LIST, "seed", AT(seeds), .value = "URL",
	       .help = "begin here; without one: the seeds of the specification, those "
		       "of the crawl folder, or the first page of the archive"),
	OPTION(UINT, "budget", AT(budget), .letter = 'n', .standard = "0", .value = "N",
	       .help = "pages to fetch in each; 0: as the specification says"),
	OPTION(FLAG, "breadth-first", AT(breadth_first), .standard = "no",
	       .help = "add a column that fetches in the order of finding, without "
		       "priorities, URL rules and budgets of templates"),
	OPTION(FLAG, "json", AT(json), .standard = "no", .help = "print JSON"),
	OPTION(STR, "html", AT(html), .value = "FILE",
	       .help = "also write a page with the counts and the novelty curves"),
	OPTION(STR, "keep", AT(keep), .value = "DIR",
	       .help = "keep the simulated crawls in DIR/1, DIR/2 ...: 'thresh why' and "
		       "'thresh status --audit' work there"),
	OPTION_END
};

/* Besides them: the recorded crawl, and breadth-first. */
#define SPECS_MAX (COLUMNS_MAX - 2)

struct run {
	const struct simulate_settings *settings;
	const char *folder; /* of a crawl, or NULL */
	struct recorded_web web;
	struct spec_column columns[COLUMNS_MAX];
	struct crawl_outcome outcomes[COLUMNS_MAX];
	size_t n, n_outcomes;
	struct arena bytes;
};

static enum status read_archive(struct run *r, struct args *args, struct diag *why)
{
	cleanup(warc_files_release) struct warc_files files = { 0 };

	TRY(warc_files_find(&files, args, why));
	for (size_t i = 0; i < files.n; i++)
		TRY(recorded_web_add(&r->web, files.v[i], why));
	TRY(recorded_web_finish(&r->web, why));
	for (size_t i = 0; i < args->n && !r->folder; i++) {
		const char *path = path_join(&r->bytes, "", args->words[i]);

		if (file_exists(path_join(&r->bytes, path, STR("crawl.yaml"))))
			r->folder = path;
	}
	return ST_OK;
}

static enum status choose_seeds(struct run *r, struct spec_column *c, struct diag *why)
{
	if (r->settings->seeds.n > 0)
		spec_column_take_seeds(c, &r->settings->seeds);
	if (c->seeds.n == 0 && r->folder) {
		cleanup(spec_column_release) struct spec_column own = { 0 };

		TRY(spec_column_read(
			&own, path_join(&r->bytes, r->folder, STR("crawl.yaml")), why));
		spec_column_take_seeds(c, &own.seeds);
	}
	if (c->seeds.n == 0) {
		struct str first = simulate_seed(&r->web);

		spec_column_take_seeds(c, &(struct str_list){ &first, 1, 1 });
	}
	return ST_OK;
}

static enum status add_column(struct run *r, const char *path, struct diag *why)
{
	struct spec_column *c = &r->columns[r->n];

	TRY(spec_column_read(c, path, why));
	r->n++;
	for (size_t i = 0; i < r->settings->sets.n; i++)
		TRY(spec_column_set(c, r->settings->sets.v[i], why));
	if (r->settings->budget > 0)
		c->settings.max_pages = r->settings->budget;
	return choose_seeds(r, c, why);
}

static enum status choose_columns(struct run *r, struct diag *why)
{
	const struct str_list *specs = &r->settings->specs;

	if (specs->n > SPECS_MAX)
		return diag_fail(why, ST_SYNTAX, "%d specifications at most", SPECS_MAX);
	for (size_t i = 0; i < specs->n; i++)
		TRY(add_column(r, path_join(&r->bytes, "", specs->v[i]), why));
	if (specs->n == 0) {
		const char *own =
			r->folder ? path_join(&r->bytes, r->folder, STR("crawl.yaml"))
				  : NULL;

		TRY(add_column(r, own, why));
		r->columns[0].name = r->folder ? STR("simulated") : STR("default");
	}
	if (r->settings->breadth_first)
		spec_column_breadth_first(&r->columns[0], &r->columns[r->n++]);
	return ST_OK;
}

/* The crawl that made the archive is the first column. */
static enum status read_recorded(struct run *r, struct diag *why)
{
	if (!r->folder ||
	    !dir_exists(path_join(&r->bytes, r->folder, STR("state/journal"))))
		return ST_OK;
	TRY(crawl_outcome_read(&r->outcomes[0], &r->web, r->folder, why));
	r->outcomes[r->n_outcomes++].name = STR("recorded");
	return ST_OK;
}

static enum status simulate_all(struct run *r, struct diag *why)
{
	TRY(read_recorded(r, why));
	for (size_t k = 0; k < r->n; k++) {
		struct simulated_spec s = { .name = r->columns[k].name,
					    .settings = &r->columns[k].settings,
					    .seeds = &r->columns[k].seeds };
		char *keep = path_join(&r->bytes, "", r->settings->keep);

		if (r->settings->keep.n > 0)
			s.keep = path_join(&r->bytes, keep,
					   str_slice(STR("123456789"), k, k + 1));
		TRY(simulate_run(&s, &r->web, &r->outcomes[r->n_outcomes], why));
		r->n_outcomes++;
	}
	return ST_OK;
}

static enum status show(struct run *r, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 }, page = { 0 };
	struct comparison c = { .v = r->outcomes,
				.n = r->n_outcomes,
				.answers = r->web.n };

	crawl_outcome_archive(&r->web, &c.pages, &c.contents);
	if (r->settings->json)
		comparison_write_json(&c, &text);
	else
		comparison_add_text(&c, &text);
	printf(STR_FMT, STR_ARG(buf_str(&text)));
	if (r->web.damaged > 0)
		fprintf(stderr,
			"thresh simulate: %llu files are damaged; what stands before "
			"that was used\n",
			(unsigned long long)r->web.damaged);
	if (r->settings->html.n == 0)
		return ST_OK;
	comparison_add_html(&c, &page);
	return file_replace(path_join(&r->bytes, "", r->settings->html), buf_str(&page),
			    why);
}

static void release(struct run *r)
{
	for (size_t k = 0; k < r->n; k++)
		spec_column_release(&r->columns[k]);
	for (size_t k = 0; k < r->n_outcomes; k++)
		crawl_outcome_release(&r->outcomes[k]);
	recorded_web_release(&r->web);
	arena_release(&r->bytes);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct simulate_settings settings = { 0 };
	struct run r = { .settings = &settings };
	struct args args = { 0 };
	struct diag why = { { 0 } };
	int code = args_parse(self, argc, argv, &settings, &args);

	if (code == ARGS_GO) {
		enum status st = read_archive(&r, &args, &why);

		if (st == ST_OK)
			st = choose_columns(&r, &why);
		if (st == ST_OK)
			st = simulate_all(&r, &why);
		if (st == ST_OK)
			st = show(&r, &why);
		if (st != ST_OK)
			fprintf(stderr, "thresh simulate: %s\n", why.text);
		code = st == ST_OK                             ? EXIT_FINE
		       : st == ST_SYNTAX || st == ST_NOT_FOUND ? EXIT_USAGE
							       : EXIT_FAILED;
		if (st == ST_OK && r.web.damaged > 0)
			code = EXIT_PARTIAL;
	}
	release(&r);
	struct str_list *lists[] = { &settings.specs, &settings.sets, &settings.seeds };
	for (size_t i = 0; i < COUNT(lists); i++)
		str_list_release(lists[i]);
	args_release(&args);
	return code;
}

static const struct example examples[] = {
	{ "thresh simulate DIR", "crawl the archive of a crawl again, by its settings" },
	{ "thresh simulate DIR --spec a.yaml --spec b.yaml --breadth-first --html "
	  "plot.html",
	  "two specifications and breadth-first side by side, with their curves" },
	{ "thresh simulate *.warc.gz --seed https://example.org/ -n 1000 --set no-rules",
	  "the first 1,000 pages of any archive, without URL rules" },
	{ NULL, NULL },
};

const struct command cmd_simulate = {
	.name = "simulate",
	.summary = "crawl an archive instead of the network, to choose settings",
	.operands = "WARC|DIR...",
	.about =
		"Crawls WARC files as if they were the web: links are found on the "
		"recorded pages and everything is decided anew, by the same code as in a "
		"crawl, while waiting costs no time. Prints what would have been "
		"fetched, what not and why, when new pages came, and which recorded "
		"pages were lost. A URL that is not in the archive is answered with 404 "
		"and counted apart. The same archive and settings give the same output, "
		"to the byte.",
	.options = options,
	.examples = examples,
	.run = run,
};
