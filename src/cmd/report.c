#include <stdio.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "os/file.h"
#include "report/report.h"

struct settings {
	bool json;
};

static const struct option_row rows[] = {
	OPTION(FLAG, "json", offsetof(struct settings, json), .standard = "no",
	       .help = "print the numbers as JSON instead of writing the page"),
	OPTION_END,
};

static enum status print_json(const char *dir, struct diag *why)
{
	cleanup(tally_release) struct tally t = { 0 };
	cleanup(buf_release) struct buf b = { 0 };

	TRY(tally_load(&t, dir, why));
	report_add_json(&t, &b);
	fwrite(b.p, 1, b.n, stdout);
	return ST_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n != 1) {
		fprintf(stderr, "thresh report: give the folder of a crawl\n");
		return EXIT_USAGE;
	}
	const char *dir = args.words[0].p; /* a word of argv: it ends in NUL */
	char log[4096];
	snprintf(log, sizeof(log), "%s/overview/skipped.jsonl", dir);
	if (file_exists(log)) {
		fprintf(stderr,
			"thresh report: %s is a crawl of states: see "
			"%s/overview/index.html\n",
			dir, dir);
		return EXIT_FAILED;
	}
	snprintf(log, sizeof(log), "%s/crawl.log", dir);
	if (!file_exists(log)) {
		fprintf(stderr,
			"thresh report: %s is no folder of a crawl (no crawl.log in "
			"it)\n",
			dir);
		return EXIT_FAILED;
	}
	if ((s.json ? print_json(dir, &why) : report_write(dir, &why)) != ST_OK) {
		fprintf(stderr, "thresh report: %s\n", why.text);
		return EXIT_FAILED;
	}
	if (!s.json)
		printf("%s/report.html\n", dir);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh report example.org", "write example.org/report.html" },
	{ "thresh report --json example.org", "the numbers behind it" },
	{ NULL, NULL },
};

const struct command cmd_report = {
	.name = "report",
	.summary =
		"write an HTML report of a crawl: requests, new pages, duplicates, skips",
	.operands = "DIR",
	.about = "Counts crawl.log, pages.jsonl and skipped.jsonl of a crawl's folder "
		 "and writes report.html: one file, no network, to read, keep and print. "
		 "Also while the crawl runs.",
	.options = rows,
	.examples = examples,
	.run = run,
};
