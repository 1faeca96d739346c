/* thresh why: the whole chain of decisions about a URL, from the journal. */
#include <stdio.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "journal/explain.h"

struct why_settings {
	bool json;
};

static const struct option_row options[] = {
	OPTION(FLAG, "json", offsetof(struct why_settings, json), .standard = "no",
	       .help = "print one JSON object"),
	OPTION_END
};

#define SAME_MAX 8 /* from one that was skipped to the one that was not */

/* The URL that it was skipped for; empty when it was not skipped. */
static struct str skipped_for(const struct explanation *e)
{
	return e->found && !e->done && e->link.outcome == OUTCOME_SKIPPED ? e->link.detail
									  : STR("");
}

/* A page that is known may be known only by name, and that one skipped in its turn. */
static void add_same(const char *dir, const struct explanation *e, struct buf *out)
{
	struct explanation steps[SAME_MAX] = { 0 };
	struct diag why;
	size_t n = 0;

	for (; n < SAME_MAX && skipped_for(e).n > 0; n++) {
		if (explain(dir, skipped_for(e), &steps[n], &why) != ST_OK)
			break;
		e = &steps[n];
	}
	if (n > 0)
		explanation_format_same(e, out);
	for (size_t i = 0; i < SAME_MAX; i++)
		explanation_release(&steps[i]);
}

static int print_chain(const char *dir, struct str url, bool json)
{
	cleanup(buf_release) struct buf out = { 0 };
	struct explanation e = { 0 };
	struct diag why;
	enum status st = explain(dir, url, &e, &why);
	int code = EXIT_FINE;

	if (st != ST_OK) {
		fprintf(stderr, "thresh why: %s\n", why.text);
		code = st == ST_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
	} else {
		if (json)
			explanation_format_json(&e, &out);
		else
			explanation_format(&e, &out);
		if (!json)
			add_same(dir, &e, &out);
		fwrite(out.p, 1, out.n, stdout);
	}
	explanation_release(&e);
	return code;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct why_settings s = { 0 };
	struct args args = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code == ARGS_GO && args.n != 2) {
		fprintf(stderr, "thresh why: give the folder of a crawl and a URL\n");
		code = EXIT_USAGE;
	}
	if (code == ARGS_GO)
		code = print_chain(args.words[0].p, args.words[1], s.json);
	args_release(&args);
	return code;
}

static const struct example examples[] = {
	{ "thresh why example.org https://example.org/private/page",
	  "where it was found, what was decided, and what would change it" },
	{ NULL, NULL },
};

const struct command cmd_why = {
	.name = "why",
	.summary = "show what a crawl did with a URL, and why",
	.operands = "DIR URL",
	.about = "Shows the whole chain for a URL: on which page it was found and how, "
		 "its normal form and key, why it was queued, skipped or refused, what "
		 "robots.txt said, the answer, whether it is a duplicate and of what; "
		 "and what would change the outcome. Also for URLs that were never "
		 "fetched. Works while the crawl runs.",
	.options = options,
	.examples = examples,
	.run = run,
};
