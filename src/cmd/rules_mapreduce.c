#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/rules.h"
#include "dust/rule_file.h"
#include "learn/mapreduce.h"
#include "os/file.h"

struct settings {
	struct learn_settings learn;
	struct str candidates, operations, known;
};

static const struct option_row rows[] = {
	{ .name = "candidates",
	  .letter = 'c',
	  .type = OPTION_STR,
	  .offset = offsetof(struct settings, candidates),
	  .value = "FILE",
	  .help = "what 'reduce generate' gave; for the job 'validate'" },
	{ .name = "families",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct settings, learn.families),
	  .standard = "yes",
	  .help = "two rounds: operations, then rules beyond the seed's; else one "
		  "of the seed's" },
	{ .name = "operations",
	  .type = OPTION_STR,
	  .offset = offsetof(struct settings, operations),
	  .value = "RULES",
	  .help = "what 'reduce validate' gave in the first round; for the second "
		  "round" },
	{ .name = "known",
	  .type = OPTION_STR,
	  .offset = offsetof(struct settings, known),
	  .standard = "general",
	  .value = "RULES",
	  .help = "rules believed until clusters refute them: a file, 'general' "
		  "(those that ship), or 'none'; for validate, the first round" },
	LEARN_ROWS(struct settings, learn),
	OPTION_END,
};

static bool flush(struct buf *out, size_t above)
{
	bool fine = out->n <= above || fwrite(out->p, 1, out->n, stdout) == out->n;

	if (out->n > above)
		buf_reset(out);
	return fine && (above > 0 || fflush(stdout) == 0);
}

static enum status stream(struct mapreduce *m, struct diag *why)
{
	cleanup(buf_release) struct buf out = BUF(RULE_FILE_BYTES_MAX);
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	enum status st = ST_OK;

	while (st == ST_OK && (n = getline(&line, &cap, stdin)) > 0) {
		struct str s = { line, (size_t)n };

		if (s.p[s.n - 1] == '\n')
			s.n--;
		st = mapreduce_line(m, s, &out, why);
		if (st == ST_OK && !flush(&out, 1 << 16))
			st = diag_fail(why, ST_IO, "cannot write");
	}
	free(line);
	if (st == ST_OK)
		st = mapreduce_end(m, &out, why);
	if (st == ST_OK && !flush(&out, 0))
		st = diag_fail(why, ST_IO, "cannot write");
	return st;
}

static enum status load(struct str name, struct buf *ret, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };

	if (name.n == 0)
		return ST_OK;
	buf_add(&path, name);
	return file_load(buf_cstr(&path), RULE_FILE_BYTES_MAX, ret, why);
}

static enum status run_job(enum mapreduce_job job, const struct settings *s,
			   struct diag *why)
{
	cleanup(mapreduce_release) struct mapreduce *m = NULL;
	cleanup(buf_release) struct buf candidates = BUF(RULE_FILE_BYTES_MAX),
					operations = BUF(RULE_FILE_BYTES_MAX);
	cleanup(rule_set_release) struct rule_set known = { 0 };
	struct learn_options o = learn_options_from(&s->learn);

	if (o.families && !str_eq(s->known, STR("none"))) {
		TRY(rules_open(s->known, &known, why));
		o.known = &known;
	}
	TRY(load(s->candidates, &candidates, why));
	TRY(load(s->operations, &operations, why));
	struct mapreduce_given given = { buf_str(&candidates), buf_str(&operations),
					 s->operations.n > 0 };
	TRY(mapreduce_start(job, &o, &given, &m, why));
	return stream(m, why);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	struct diag why = { 0 };
	bool reduce = strcmp(self->name, "rules reduce") == 0;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	bool generate = args.n == 1 && str_eq(args.words[0], STR("generate"));
	bool validate = args.n == 1 && str_eq(args.words[0], STR("validate"));
	if (!generate && !validate)
		return rules_fail(self, EXIT_USAGE, "want 'generate' or 'validate'");
	if (validate && s.candidates.n == 0)
		return rules_fail(self, EXIT_USAGE, "'validate' needs --candidates FILE");
	enum mapreduce_job job = generate ? (reduce ? REDUCE_GENERATE : MAP_GENERATE)
					  : (reduce ? REDUCE_VALIDATE : MAP_VALIDATE);
	if (run_job(job, &s, &why) != ST_OK)
		return rules_fail(self, EXIT_FAILED, why.text);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh rules map generate <clusters.tsv | LC_ALL=C sort | thresh rules reduce "
	  "generate >candidates",
	  "the first job, with sort in place of a cluster" },
	{ "thresh rules map validate -c candidates <clusters.tsv | LC_ALL=C sort | "
	  "thresh rules reduce validate -c candidates >operations",
	  "the second; with --no-families on all of them that is the result" },
	{ "thresh rules map generate --operations operations <clusters.tsv | LC_ALL=C "
	  "sort | thresh rules reduce generate --operations operations >candidates",
	  "the second round; validated likewise, it gives the file of 'rules learn'" },
	{ NULL, NULL },
};

const struct command cmd_rules_map = {
	.name = "rules map",
	.summary = "the map side of the two jobs of DustLin-MR",
	.operands = "generate|validate",
	.about = "Lines come from standard input and go to standard output, as Hadoop "
		 "Streaming and Spark's pipe() want it. Clusters must be whole: one per "
		 "line ('cluster<TAB>url<TAB>url...'), or on lines that follow each "
		 "other.",
	.options = rows,
	.examples = examples,
	.run = run,
};

const struct command cmd_rules_reduce = {
	.name = "rules reduce",
	.summary = "the reduce side of the two jobs of DustLin-MR",
	.operands = "generate|validate",
	.about = "Lines come from standard input, sorted by what stands before the first "
		 "tab.",
	.options = rows,
	.examples = examples,
	.run = run,
};
