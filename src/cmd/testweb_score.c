#include <stdio.h>

#include "cmd/testweb.h"
#include "testweb/check.h"
#include "testweb/score.h"

struct score_settings {
	struct str manifest, log, topic;
	uint64_t per_host, per_address, delay_ms, max_violations, examples;
	double min_found;
	bool json;
};

#define AT(field) offsetof(struct score_settings, field)

static const struct option_row score_rows[] = {
	{ "manifest", 'm', OPTION_STR, AT(manifest), 0, 0, NULL, "FILE", NULL,
	  "the truth, as 'testweb serve --manifest' wrote it" },
	{ "log", 'l', OPTION_STR, AT(log), 0, 0, NULL, "FILE", NULL,
	  "the server's log, as 'testweb serve --log' wrote it" },
	{ "topic", 't', OPTION_STR, AT(topic), 0, 0, NULL, "WORD", NULL,
	  "count only pages about this, as a focused crawl should" },
	{ "per-host", 0, OPTION_UINT, AT(per_host), 0, 1e6, "1", "N", NULL,
	  "requests at once to a host that are polite; 0: not judged" },
	{ "per-address", 0, OPTION_UINT, AT(per_address), 0, 1e6, "4", "N", NULL,
	  "requests at once to an IP address that are polite; 0: not judged" },
	{ "delay", 0, OPTION_TIME, AT(delay_ms), 0, 0, "0", "TIME", NULL,
	  "time between two requests to a host, besides Crawl-delay" },
	{ "min-found", 0, OPTION_REAL, AT(min_found), 0, 1, "0%", "P", NULL,
	  "exit with 7 when less of what must be kept was found" },
	{ "max-violations", 0, OPTION_UINT, AT(max_violations), 0, 1e15, "1000000000000",
	  "N", NULL, "exit with 7 when politeness was violated more often" },
	{ "examples", 0, OPTION_UINT, AT(examples), 0, 1e9, "10", "N", NULL,
	  "lost pages to name" },
	{ "json", 0, OPTION_FLAG, AT(json), 0, 0, "no", NULL, NULL, "print JSON" },
	OPTION_END,
};

static int verdict(const struct score_settings *s, const struct score *score)
{
	uint64_t violations = 0;

	for (unsigned i = 0; i < VIOLATIONS; i++)
		violations += score->politeness.count[i];
	bool enough = (double)score->found >= s->min_found * (double)score->must_keep;

	return enough && violations <= s->max_violations ? EXIT_FINE : EXIT_DIFFERENT;
}

static int score_folder(const struct command *self, const struct score_settings *s,
			struct args *args)
{
	struct score_options o = {
		.dir = web_c_string(args, args->words[0]),
		.manifest = web_c_string(args, s->manifest),
		.log = web_c_string(args, s->log),
		.topic = s->topic,
		.polite = { s->per_host, s->per_address, s->delay_ms },
		.examples = s->examples,
	};
	struct score score;
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why = { 0 };

	if (score_crawl(&o, &score, &why) != ST_OK)
		return web_fail(self, &why);
	if (s->json)
		score_write_json(&score, &text);
	else
		score_write_table(&score, &text);
	fwrite(text.p, 1, text.n, stdout);
	int code = verdict(s, &score);
	score_release(&score);
	return code;
}

static int run_score(const struct command *self, int argc, char **argv)
{
	struct score_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n != 1 || s.manifest.n == 0) {
		fprintf(stderr,
			"thresh testweb score: want a crawl folder and --manifest FILE\n"
			"Try 'thresh testweb score --help'.\n");
		return EXIT_USAGE;
	}
	return score_folder(self, &s, &args);
}

static const struct example score_examples[] = {
	{ "thresh testweb score my-crawl --manifest truth.tsv --log requests.tsv",
	  "pages found and lost, requests wasted, hosts annoyed" },
	{ "thresh testweb score my-crawl -m truth.tsv -l requests.tsv --min-found 99%",
	  "fail when too much was lost" },
	{ NULL, NULL },
};

const struct command cmd_testweb_score = {
	.name = "testweb score",
	.summary = "judge a crawl of the made-up web",
	.operands = "DIR",
	.about = "DIR is a crawl folder: indexes/index.cdxj tells what was kept, "
		 "skipped.jsonl what "
		 "was skipped, crawl.log what was requested. With --log the requests are "
		 "those "
		 "that the server saw, and politeness is judged too.",
	.options = score_rows,
	.examples = score_examples,
	.run = run_score,
};

struct check_settings {
	struct web_settings web;
	uint64_t sample;
};

static const struct option_row check_rows[] = {
	{ "sample", 0, OPTION_UINT, offsetof(struct check_settings, sample), 1, 100000,
	  "25", "N", NULL, "requests a row of the table" },
	WEB_ROWS,
	OPTION_END,
};

static int run_check(const struct command *self, int argc, char **argv)
{
	struct check_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(world_release) struct world w = { 0 };
	cleanup(check_release) struct check c = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	enum status st = web_make(&s.web, &w, &why);
	if (st == ST_OK)
		st = check_run(&w, (unsigned)s.sample, &c, &why);
	web_settings_release(&s.web);
	if (st != ST_OK)
		return web_fail(self, &why);
	printf("a web of %llu pages on %u hosts, from seed %llu\n",
	       (unsigned long long)s.web.pages, w.n_sites,
	       (unsigned long long)s.web.seed);
	check_write(&c, &text);
	fwrite(text.p, 1, text.n, stdout);
	return c.failed ? EXIT_DIFFERENT : EXIT_FINE;
}

static const struct example check_examples[] = {
	{ "thresh testweb check",
	  "serve a small web and see whether it keeps its promises" },
	{ NULL, NULL },
};

const struct command cmd_testweb_check = {
	.name = "testweb check",
	.summary = "serve a made-up web and check that it is what it says",
	.operands = "",
	.about = "Fetches a sample of every kind of page and every family of URLs over a "
		 "socket and "
		 "compares it with the truth.",
	.options = check_rows,
	.examples = check_examples,
	.run = run_check,
};
