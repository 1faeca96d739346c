#include <stdio.h>
#include <stdlib.h>

#include "cmd/rules.h"
#include "dust/index.h"
#include "dust/rule_file.h"
#include "url/normal.h"

struct settings {
	struct str_list rules;
	struct str normal;
	bool explain, only;
};

static const struct option_row rows[] = {
	OPTION(LIST, "rules", offsetof(struct settings, rules), .letter = 'r',
	       .value = "FILE|DIR",
	       .help = "rules to apply, in this order; 'general' are the shipped ones"),
	OPTION(FLAG, "explain", offsetof(struct settings, explain), .letter = 'e',
	       .help = "print key, rules and URL, separated by tabs"),
	OPTION(FLAG, "changed", offsetof(struct settings, only),
	       .help = "print only URLs that a rule changed"),
	OPTION(STR, "normal", offsetof(struct settings, normal), .standard = "standard",
	       .value = "STEPS", .help = "steps of normalisation before the rules"),
	OPTION_END,
};

static void settings_release(struct settings *s)
{
	str_list_release(&s->rules);
}

struct applying {
	const struct settings *s;
	struct rule_set rules;
	struct rule_index index;
	struct rule_scratch scratch;
	struct buf normal[2], out;
	unsigned steps;
	size_t lines, unusable, first_unusable; /* a line's number */
};

static void add_rule_id(struct applying *a, uint32_t rule, bool first)
{
	if (!first)
		buf_add_char(&a->out, ',');
	rule_add_id(&a->out, a->rules.v[rule].text);
}

static void add_explained(struct applying *a, const struct rule_applied *r,
			  struct str url)
{
	buf_add_char(&a->out, '\t');
	for (size_t i = 0; i < r->used.n; i++)
		add_rule_id(a, r->used.rule[i], i == 0);
	if (r->rewrite != RULE_NONE)
		add_rule_id(a, r->rewrite, r->used.n == 0);
	if (r->used.n == 0 && r->rewrite == RULE_NONE)
		buf_add_char(&a->out, '-');
	buf_add_char(&a->out, '\t');
	buf_add(&a->out, url);
}

static void apply_line(struct applying *a, struct str line)
{
	struct rule_applied r = { .rewrite = RULE_NONE };
	struct url u;

	a->lines++;
	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	if (str_find_char(line, '\0') == STR_NONE &&
	    url_parse_normal(line, NULL, a->steps, a->normal, &u, NULL) == ST_OK)
		rule_index_apply(&a->index, url_without_fragment(&u), &a->scratch, &r);
	else if (a->unusable++ == 0)
		a->first_unusable = a->lines;
	if (r.key.n == 0) /* it passes as it is: nothing is lost */
		r.key = line;
	if (a->s->only && r.used.n == 0 && r.rewrite == RULE_NONE)
		return;
	buf_add(&a->out, r.key);
	if (a->s->explain)
		add_explained(a, &r, line);
	buf_add_char(&a->out, '\n');
}

static bool flush(struct applying *a, size_t above)
{
	if (a->out.n <= above)
		return true;
	bool fine = fwrite(a->out.p, 1, a->out.n, stdout) == a->out.n;
	buf_reset(&a->out);
	return fine && (above > 0 || fflush(stdout) == 0);
}

static bool apply_stdin(struct applying *a)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	bool fine = true;

	while (fine && (n = getline(&line, &cap, stdin)) > 0) {
		struct str s = { line, (size_t)n };

		if (s.p[s.n - 1] == '\n')
			s.n--;
		apply_line(a, s);
		fine = flush(a, 1 << 16);
	}
	free(line);
	return fine && flush(a, 0);
}

static void applying_release(struct applying *a)
{
	rule_index_release(&a->index);
	rule_set_release(&a->rules);
	rule_scratch_release(&a->scratch);
	buf_release(&a->normal[0]);
	buf_release(&a->normal[1]);
	buf_release(&a->out);
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_release) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(applying_release) struct applying a = { .s = &s };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (s.rules.n == 0 || args.n > 0)
		return rules_fail(self, EXIT_USAGE,
				  "give -r FILE; URLs are read from standard input");
	if (normal_set(&a.steps, s.normal, &why) != ST_OK)
		return rules_fail(self, EXIT_USAGE, why.text);
	for (size_t i = 0; i < s.rules.n; i++)
		if (rules_open(s.rules.v[i], &a.rules, &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
	rule_index_build(&a.index, &a.rules);
	if (!apply_stdin(&a))
		return rules_fail(self, EXIT_FAILED, "cannot write the keys");
	if (a.unusable == 0)
		return EXIT_FINE;
	fprintf(stderr,
		"thresh %s: %zu lines are not URLs and are their own keys, the first is "
		"line %zu\n",
		self->name, a.unusable, a.first_unusable);
	return EXIT_PARTIAL;
}

static const struct example examples[] = {
	{ "thresh rules apply -r site.rules <urls | sort | uniq -c",
	  "how many URLs share a key" },
	{ "thresh rules apply -r general -r site.rules --explain <urls",
	  "which rule did what" },
	{ NULL, NULL },
};

const struct command cmd_rules_apply = {
	.name = "rules apply",
	.summary = "print the key of each URL",
	.operands = "",
	.about = "URLs come from standard input, one per line; their keys go to standard "
		 "output in the same order. URLs with the same key are taken for the "
		 "same page. A key is for comparison and need not be a URL.",
	.options = rows,
	.examples = examples,
	.run = run,
};
