#include <stdio.h>

#include "cmd/rules.h"
#include "dust/rule_file.h"

struct settings {
	struct str site;
	bool brief;
};

static const struct option_row rows[] = {
	OPTION(STR, "site", offsetof(struct settings, site), .value = "HOST",
	       .help = "only rules that hold for this host"),
	OPTION(FLAG, "brief", offsetof(struct settings, brief), .letter = 'b',
	       .help = "one line per rule: id, state, support, wrong, sites, text"),
	OPTION_END,
};

static void add_brief(const struct rule *r, struct buf *to)
{
	rule_add_id(to, r->text);
	buf_addf(to, "\t" STR_FMT "\t%llu\t%llu\t", STR_ARG(rule_state_words[r->state]),
		 (unsigned long long)r->evidence.support,
		 (unsigned long long)r->evidence.wrong);
	if (r->universal)
		buf_addf(to, "*");
	else
		buf_add_uint(to, r->n_sites);
	buf_addf(to, "\t" STR_FMT "\n", STR_ARG(r->text));
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(buf_release) struct buf out = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	size_t shown = 0;

	if (code != ARGS_GO)
		return code;
	if (args.n == 0)
		return rules_fail(self, EXIT_USAGE, "give a rule file or folder");
	for (size_t i = 0; i < args.n; i++)
		if (rules_open(args.words[i], &rules, &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
	for (size_t i = 0; i < rules.n; i++) {
		if (s.site.n > 0 && !rule_covers(&rules.v[i], s.site))
			continue;
		if (!s.brief && shown++ > 0)
			buf_add_char(&out, '\n');
		if (s.brief)
			add_brief(&rules.v[i], &out);
		else
			rule_format(&rules.v[i], &out);
	}
	fwrite(out.p ? out.p : "", 1, out.n, stdout);
	return fflush(stdout) == 0 ? EXIT_FINE : EXIT_FAILED;
}

static const struct example examples[] = {
	{ "thresh rules show DIR/rules", "all rules of a crawl with their evidence" },
	{ "thresh rules show general --brief", "the shipped rules, one per line" },
	{ NULL, NULL },
};

const struct command cmd_rules_show = {
	.name = "rules show",
	.summary = "print rules and their evidence",
	.operands = "FILE|DIR...",
	.options = rows,
	.examples = examples,
	.run = run,
};
