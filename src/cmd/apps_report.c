#include <stdio.h>

#include "appreport/app_summary.h"
#include "cmd/apps.h"

struct report_settings {
	bool json, all;
};

static int run(const struct command *self, int argc, char **argv)
{
	struct report_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(app_summary_release) struct app_summary sum = { 0 };
	cleanup(buf_release) struct buf dir = { 0 }, text = { .limit = SIZE_MAX / 2 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);
	bool complete = true;

	if (code != ARGS_GO)
		return code;
	if (args.n != 1)
		return apps_fail(self, EXIT_USAGE, "give the folder of a crawl");
	buf_add(&dir, args.words[0]);
	if (app_summary_load(&sum, buf_cstr(&dir), &why) != ST_OK)
		return apps_fail(self, EXIT_FAILED, why.text);
	if (s.json)
		app_summary_json(&sum, &text);
	else
		app_summary_text(&sum, s.all, &text);
	fwrite(buf_str(&text).p, 1, text.n, stdout);
	if (sum.bad_lines)
		fprintf(stderr, "thresh %s: %llu lines could not be read\n", self->name,
			(unsigned long long)sum.bad_lines);
	for (size_t i = 0; i < sum.n_wholes; i++)
		complete &= app_whole_is_complete(&sum.wholes[i]);
	return complete ? EXIT_FINE : EXIT_PARTIAL;
}

#define AT(field) offsetof(struct report_settings, field)

static const struct option_row rows[] = {
	OPTION(FLAG, "all", AT(all), .help = "also name what is complete"),
	OPTION(FLAG, "json", AT(json), .help = "as JSON, with all of it"),
	OPTION_END,
};

static const struct example examples[] = {
	{ "thresh apps report crawl", "what there is of each application" },
	{ "thresh apps report crawl --all", "thread by thread: 41 of 41 posts" },
	{ NULL, NULL },
};

const struct command cmd_apps_report = {
	.name = "apps report",
	.summary = "what a crawl has of each application, and what is missing",
	.operands = "DIR",
	.about = "Pages that lead to each other as next pages are one whole: a thread, a "
		 "list. It is complete when each of its pages was answered and it has as "
		 "many objects as it says. Exit code 3 when something is incomplete.",
	.options = rows,
	.examples = examples,
	.run = run,
};
