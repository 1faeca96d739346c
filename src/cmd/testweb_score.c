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
	OPTION(STR, "manifest", AT(manifest), .letter = 'm', .value = "FILE",
	       .help = "the truth, as 'testweb serve --manifest' wrote it"),
	OPTION(STR, "log", AT(log), .letter = 'l', .value = "FILE",
	       .help = "the server's log, as 'testweb serve --log' wrote it"),
	OPTION(STR, "topic", AT(topic), .letter = 't', .value = "WORD",
	       .help = "count only pages on this topic, for focused crawls"),
	OPTION(UINT, "per-host", AT(per_host), .max = 1e6, .standard = "1", .value = "N",
	       .help = "polite number of requests in flight per host; 0 is no limit"),
	OPTION(UINT, "per-address", AT(per_address), .max = 1e6, .standard = "4",
	       .value = "N",
	       .help = "polite number of requests in flight per IP address; 0 is no "
		       "limit"),
	OPTION(TIME, "delay", AT(delay_ms), .standard = "0", .value = "TIME",
	       .help = "least time between two requests to a host, besides Crawl-delay"),
	OPTION(REAL, "min-found", AT(min_found), .max = 1, .standard = "0%", .value = "P",
	       .help = "exit code 7 when a smaller share of the pages was found"),
	OPTION(UINT, "max-violations", AT(max_violations), .max = 1e15,
	       .standard = "1000000000000", .value = "N",
	       .help = "exit code 7 when there are more violations of politeness"),
	OPTION(UINT, "examples", AT(examples), .max = 1e9, .standard = "10", .value = "N",
	       .help = "lost pages to list"),
	OPTION(FLAG, "json", AT(json), .standard = "no", .help = "print JSON"),
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
		fprintf(stderr, "thresh testweb score: give a crawl folder and "
				"--manifest FILE\nTry 'thresh testweb score --help'.\n");
		return EXIT_USAGE;
	}
	return score_folder(self, &s, &args);
}

static const struct example score_examples[] = {
	{ "thresh testweb score my-crawl --manifest truth.tsv --log requests.tsv",
	  "pages found and lost, requests wasted, violations of politeness" },
	{ "thresh testweb score my-crawl -m truth.tsv -l requests.tsv --min-found 99%",
	  "fail when too much was lost" },
	{ NULL, NULL },
};

const struct command cmd_testweb_score = {
	.name = "testweb score",
	.summary = "score a crawl of the synthetic web",
	.operands = "DIR",
	.about = "DIR is a crawl folder: indexes/index.cdxj lists what was stored, "
		 "skipped.jsonl what was skipped or refused, crawl.log what was "
		 "requested. With --log the requests are those that the server received, "
		 "and politeness is scored too.",
	.options = score_rows,
	.examples = score_examples,
	.run = run_score,
};

struct check_settings {
	struct web_settings web;
	uint64_t sample;
};

static const struct option_row check_rows[] = {
	OPTION(UINT, "sample", offsetof(struct check_settings, sample), .min = 1,
	       .max = 100000, .standard = "25", .value = "N",
	       .help = "requests per row of the table"),
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
	{ "thresh testweb check", "serve a small web and check it" },
	{ NULL, NULL },
};

const struct command cmd_testweb_check = {
	.name = "testweb check",
	.summary = "serve a synthetic web and compare it with its truth",
	.operands = "",
	.about = "Fetches a sample of every kind of page and URL over a socket and "
		 "compares it with the manifest.",
	.options = check_rows,
	.examples = check_examples,
	.run = run_check,
};
