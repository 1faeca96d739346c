#include <stdio.h>

#include "cmd/rules.h"
#include "dust/exchange.h"
#include "dust/rule_file.h"
#include "os/file.h"

struct export_settings {
	int as;
};

static const struct option_row export_rows[] = {
	OPTION(CHOICE, "as", offsetof(struct export_settings, as), .standard = "regex",
	       .words = "regex|clearurls|browsertrix|heritrix|nutch",
	       .help = "whose form the rules take"),
	OPTION_END,
};

static int put(const struct command *self, struct buf *out, size_t left_out,
	       const char *why)
{
	if (buf_status(out) != ST_OK ||
	    fwrite(out->p ? out->p : "", 1, out->n, stdout) != out->n ||
	    fflush(stdout) != 0)
		return rules_fail(self, EXIT_FAILED, "cannot write");
	if (left_out == 0)
		return EXIT_FINE;
	fprintf(stderr, "thresh %s: %zu left out: %s\n", self->name, left_out, why);
	return EXIT_PARTIAL;
}

static int run_export(const struct command *self, int argc, char **argv)
{
	struct export_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(buf_release) struct buf out = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0)
		return rules_fail(self, EXIT_USAGE, "want a rule file or folder");
	for (size_t i = 0; i < args.n; i++)
		if (rules_open(args.words[i], &rules, &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
	size_t left_out = rules_export(&rules, (enum export_format)s.as, &out);
	return put(self, &out, left_out, "that form cannot say them");
}

static int run_import(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(buf_release) struct buf out = BUF(RULE_FILE_BYTES_MAX);
	struct diag why = { 0 };
	size_t left_out = 0;
	int code = args_parse(self, argc, argv, NULL, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0)
		return rules_fail(self, EXIT_USAGE, "want a JSON file");
	for (size_t i = 0; i < args.n; i++) {
		cleanup(buf_release) struct buf path = { 0 }, json = { 0 };
		size_t here = 0;

		buf_add(&path, args.words[i]);
		if (file_load(buf_cstr(&path), 64 << 20, &json, &why) != ST_OK ||
		    rules_import(buf_str(&json), &rules, &here, &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
		left_out += here;
	}
	rules_format(&rules, &out);
	return put(self, &out, left_out,
		   "not the name of a parameter, or of no single host");
}

static const struct example export_examples[] = {
	{ "thresh rules export --as nutch DIR/rules >regex-normalize.xml",
	  "the rules of a crawl for Nutch" },
	{ NULL, NULL },
};

static const struct example import_examples[] = {
	{ "thresh rules import data.min.json >DIR/rules/clearurls.rules",
	  "use ClearURLs' list in a crawl" },
	{ NULL, NULL },
};

const struct command cmd_rules_export = {
	.name = "rules export",
	.summary = "print rules as other tools read them",
	.operands = "FILE|DIR...",
	.about = "Regular expressions work on bytes where rules work on tokens, so they "
		 "can match a little more. The Browsertrix form excludes URLs that carry "
		 "a parameter of no meaning, and so relies on the page being linked "
		 "without it.",
	.options = export_rows,
	.examples = export_examples,
	.run = run_export,
};

const struct command cmd_rules_import = {
	.name = "rules import",
	.summary = "print ClearURLs' or Zyte's list as rules",
	.operands = "FILE...",
	.about = "Lists of parameters become operations. What is not a plain name, or "
		 "speaks of hosts by pattern, is left out and counted.",
	.examples = import_examples,
	.run = run_import,
};
