#include <stdio.h>
#include <stdlib.h>

#include "cmd/rules_eval.h"

struct settings {
	struct learn_settings learn;
	struct str_list methods, rates;
	uint64_t folds, repeat, wrong;
	bool within_hosts, pooled, of_domains, json;
	double noise;
};

static const struct option_row rows[] = {
	{ .name = "methods",
	  .letter = 'm',
	  .type = OPTION_LIST,
	  .offset = offsetof(struct settings, methods),
	  .value = "NAMES",
	  .help = "dustlin+static, dustlin+, dustlin, duster, fanout, tree, "
		  "static, sun [all]" },
	{ .name = "folds",
	  .type = OPTION_UINT,
	  .offset = offsetof(struct settings, folds),
	  .min = 2,
	  .max = 20,
	  .standard = "3",
	  .value = "N",
	  .help = "parts of the clusters: one for the test, the rest to train and "
		  "validate" },
	{ .name = "repeat",
	  .type = OPTION_UINT,
	  .offset = offsetof(struct settings, repeat),
	  .min = 1,
	  .max = 1000,
	  .standard = "1",
	  .value = "N",
	  .help = "times to do it all, with other folds each time; counts are "
		  "added" },
	{ .name = "fprs",
	  .type = OPTION_LIST,
	  .offset = offsetof(struct settings, rates),
	  .value = "RATES",
	  .help = "several values of --fpr, with commas between" },
	{ .name = "within-hosts",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct settings, within_hosts),
	  .help = "only hosts of two or more clusters, each in all folds" },
	{ .name = "pooled",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct settings, pooled),
	  .help = "train and validate on all folds but the test's, as 'learn' does" },
	{ .name = "domains",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct settings, of_domains),
	  .help = "a domain is in one fold: tests are of domains never seen" },
	{ .name = "noise",
	  .type = OPTION_REAL,
	  .offset = offsetof(struct settings, noise),
	  .max = 1,
	  .standard = "0",
	  .value = "RATE",
	  .help = "share of the URLs to learn from that get the label of another "
		  "one; all of them train and validate then" },
	{ .name = "wrong",
	  .type = OPTION_UINT,
	  .offset = offsetof(struct settings, wrong),
	  .max = 1e9,
	  .standard = "0",
	  .value = "N",
	  .help = "also print up to N wrong merges of each method" },
	{ .name = "json",
	  .type = OPTION_FLAG,
	  .offset = offsetof(struct settings, json),
	  .help = "one JSON object per row instead of a table" },
	LEARN_ROWS(struct settings, learn),
	OPTION_END,
};

static void settings_release(struct settings *s)
{
	str_list_release(&s->methods);
	str_list_release(&s->rates);
}

struct evaluating {
	const struct settings *s;
	struct comparison c;
	uint64_t wrong_left;
};

static void print_wrong(void *arg, const struct rule_set *rules,
			const struct wrong_merge *m)
{
	struct evaluating *e = arg;
	cleanup(buf_release) struct buf id = { 0 };

	if (e->wrong_left == 0)
		return;
	e->wrong_left--;
	if (m->rewrite == RULE_NONE)
		buf_add(&id, STR("operations"));
	else
		rule_add_id(&id, rules->v[m->rewrite].text);
	printf("wrong\t" STR_FMT "\t" STR_FMT "\t" STR_FMT "\t%s\n", STR_ARG(m->a),
	       STR_ARG(m->b), STR_ARG(m->key), buf_cstr(&id));
	if (m->rewrite != RULE_NONE)
		printf("\t" STR_FMT "\n", STR_ARG(rules->v[m->rewrite].text));
}

static bool is_chosen(const struct settings *s, const char *name)
{
	if (s->methods.n == 0)
		return true;
	for (size_t i = 0; i < s->methods.n; i++)
		if (str_eq(s->methods.v[i], STR("all")) ||
		    str_eq(s->methods.v[i], str_from(name)))
			return true;
	return false;
}

static bool all_methods_known(const struct settings *s)
{
	for (size_t i = 0; i < s->methods.n; i++)
		if (!compared_method_find(s->methods.v[i]) &&
		    !str_eq(s->methods.v[i], STR("all")))
			return false;
	return true;
}

/* "0,5,10%": a number above 1 is a percentage even without its sign. */
static double rate_of(struct str text)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, text);
	double v = strtod(buf_cstr(&b), NULL);
	return v > 1 || str_find_char(text, '%') != STR_NONE ? v / 100 : v;
}

static int run_rate(struct evaluating *e, const struct command *self, double fpr)
{
	struct diag why = { 0 };

	for (size_t k = 0; k < COMPARED_METHODS; k++) {
		const struct compared_method *how = &compared_methods[k];
		struct metrics m;

		if (!is_chosen(e->s, how->name))
			continue;
		e->wrong_left = e->s->wrong;
		if (comparison_run(&e->c, how, fpr, &m, &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
		if (e->s->json)
			eval_print_json(how, fpr, &m);
		else
			eval_print_row(how, fpr, &m, e->s->folds * e->s->repeat);
		fflush(stdout);
	}
	return EXIT_FINE;
}

static int run_all(struct evaluating *e, const struct command *self)
{
	int code = EXIT_FINE;

	if (!e->s->json) {
		printf("%zu of %zu clusters take part, %u folds\n",
		       comparison_clusters(&e->c), e->c.urls->n_clusters, e->c.n_folds);
		eval_print_head();
	}
	if (e->s->rates.n == 0)
		return run_rate(e, self, e->s->learn.fpr);
	for (size_t i = 0; code == EXIT_FINE && i < e->s->rates.n; i++)
		code = run_rate(e, self, rate_of(e->s->rates.v[i]));
	return code;
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_release) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(cluster_files_release) struct cluster_files files = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (!all_methods_known(&s))
		return rules_fail(self, EXIT_USAGE,
				  "methods are dustlin+static, dustlin+, dustlin, "
				  "duster, fanout, tree, static, sun, all");
	code = cluster_files_load(self, &args, &files);
	if (code != ARGS_GO)
		return code;
	/* Each method sets its own; what it changes here would stay for all. */
	s.learn.method = LEARN_DUSTLIN;
	s.learn.families = true;
	struct evaluating e = { .s = &s,
				.c = { .urls = &files.urls,
				       .learn = learn_options_from(&s.learn),
				       .n_folds = (unsigned)s.folds,
				       .repeat = s.repeat,
				       .seed = s.learn.seed,
				       .within_hosts = s.within_hosts,
				       .pooled = s.pooled,
				       .of_domains = s.of_domains,
				       .noise = s.noise,
				       .wrong = s.wrong ? print_wrong : NULL } };
	e.c.arg = &e;
	return run_all(&e, self);
}

static const struct example examples[] = {
	{ "thresh rules eval clusters.tsv", "all methods, three folds, no wrong pair" },
	{ "thresh rules eval --fprs 0,5,10,15,20 --json clusters.tsv",
	  "the same at several rates, for a machine" },
	{ "thresh rules eval --folds 2 --repeat 5 --noise 10% clusters.tsv",
	  "one label in ten wrong, on random halves" },
	{ NULL, NULL },
};

const struct command cmd_rules_eval = {
	.name = "rules eval",
	.summary = "compare the ways to learn rules, by cross-validation",
	.operands = "CLUSTERS...",
	.about = "Each fold is once the test set, on which nothing was learnt. CR is the "
		 "compression rate, NP the normalisation precision (pairs), AR/R the "
		 "URLs removed by each applied rule; 'removed' and 'wrong' count URLs. "
		 "dustlin+ is DustLin with operations, universal rules and exceptions; "
		 "dustlin+static begins with the shipped rules.",
	.options = rows,
	.examples = examples,
	.run = run,
};
