/* thresh simulate: crawl an archive instead of the network, in one way or several. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/simulate.h"
#include "os/file.h"

#define AT(field) offsetof(struct simulate_settings, field)

static const struct option_row options[] = {
	OPTION(LIST, "spec", AT(specs), .value = "FILE",
	       .help = "crawl by this crawl.yaml; several are put side by side; without "
		       "one: that of the crawl folder, or the defaults"),
	OPTION(LIST, "set", AT(sets), .value = "NAME=VALUE",
	       .help = "set an option of 'thresh crawl' in all of them; a flag as NAME "
		       "or no-NAME"),
	OPTION(LIST, "weights", AT(weights), .value = "MODULE=NUMBER,...",
	       .help = "add a column: the first specification with these weights of "
		       "the modules that score links (see --focus-weight of 'crawl')"),
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
	       .help = "also write a page with the counts and the curves of new pages "
		       "and of relevance"),
	OPTION(STR, "keep", AT(keep), .value = "DIR",
	       .help = "keep the simulated crawls in DIR/1, DIR/2 ...: 'thresh why' and "
		       "'thresh status --audit' work there"),
	OPTION_END
};

static enum status show(struct simulate_job *r, struct diag *why)
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

static int run(const struct command *self, int argc, char **argv)
{
	struct simulate_settings settings = { 0 };
	struct simulate_job r = { .settings = &settings };
	struct args args = { 0 };
	struct diag why = { { 0 } };
	int code = args_parse(self, argc, argv, &settings, &args);

	if (code == ARGS_GO) {
		enum status st = simulate_read_archive(&r, &args, &why);

		if (st == ST_OK)
			st = simulate_choose_columns(&r, &why);
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
	simulate_job_release(&r);
	struct str_list *lists[] = { &settings.specs, &settings.sets, &settings.weights,
				     &settings.seeds };
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
