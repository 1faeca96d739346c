#include <stdio.h>

#include "cmd/rules.h"
#include "dust/rule_file.h"

struct settings {
	struct learn_settings learn;
	struct str output, known;
};

static const struct option_row rows[] = {
	{ .name = "output",
	  .letter = 'o',
	  .type = OPTION_STR,
	  .offset = offsetof(struct settings, output),
	  .standard = "-",
	  .value = "FILE",
	  .help = "where the rules go; - is standard output" },
	{ .name = "method",
	  .letter = 'm',
	  .type = OPTION_CHOICE,
	  .offset = offsetof(struct settings, learn.method),
	  .standard = "dustlin",
	  .words = "dustlin|duster|fanout|tree",
	  .help = "how candidates are found" },
	{ .name = "families",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct settings, learn.families),
	  .standard = "yes",
	  .help = "also learn operations and rules beyond the seed's" },
	{ .name = "known",
	  .type = OPTION_STR,
	  .offset = offsetof(struct settings, known),
	  .standard = "general",
	  .value = "RULES",
	  .help = "rules believed until clusters refute them: a file, 'general' "
		  "(those that ship), or 'none'" },
	LEARN_ROWS(struct settings, learn),
	OPTION_END,
};

static enum status put_rules(struct str path, const struct rule_set *rules,
			     struct diag *why)
{
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);

	if (!str_eq(path, STR("-"))) {
		cleanup(buf_release) struct buf name = { 0 };

		buf_add(&name, path);
		return rules_save(buf_cstr(&name), rules, why);
	}
	rules_format(rules, &text);
	TRY(buf_status(&text));
	if (fwrite(text.p ? text.p : "", 1, text.n, stdout) != text.n ||
	    fflush(stdout) != 0)
		return diag_fail(why, ST_IO, "cannot write the rules");
	return ST_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(cluster_files_release) struct cluster_files files = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 }, known = { 0 };
	struct learn_report report;
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	code = cluster_files_load(self, &args, &files);
	if (code != ARGS_GO)
		return code;
	struct learn_options o = learn_options_from(&s.learn);
	if (o.families && !str_eq(s.known, STR("none"))) {
		if (rules_open(s.known, &known, &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
		o.known = &known;
	}
	learn(&files.urls, &o, &rules, &report);
	if (put_rules(s.output, &rules, &why) != ST_OK)
		return rules_fail(self, EXIT_FAILED, why.text);
	fprintf(stderr,
		"%zu URLs in %zu clusters: %zu candidates, %zu valid, %zu kept "
		"(label noise %.1f %%, offer %.2f s, validate %.2f s, prune %.2f s)\n",
		files.urls.n, files.urls.n_clusters, report.candidates, report.valid,
		report.kept, report.noise * 100, report.offer_s, report.validate_s,
		report.prune_s);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh rules learn clusters.tsv -o site.rules",
	  "learn from lines 'cluster<TAB>url'" },
	{ "thresh rules learn --no-families --fpr 5% clusters.tsv",
	  "DustLin as published, up to one wrong pair in twenty" },
	{ NULL, NULL },
};

const struct command cmd_rules_learn = {
	.name = "rules learn",
	.summary = "learn rules from clusters of equal pages",
	.operands = "CLUSTERS...",
	.about = "CLUSTERS is TSV ('cluster<TAB>url', '-' for a URL known to be alone) "
		 "or JSON lines ({\"cluster\", \"url\"} or {\"cluster\", \"urls\"}). The "
		 "rules are proved on the same clusters and written best first.",
	.options = rows,
	.examples = examples,
	.run = run,
};
