#include "cmd/rules_calibrate.h"

#include <stdio.h>

#include "cmd/rules.h"

struct settings {
	struct learn_settings learn;
	struct str_list tables;
	struct str method;
	double share, precision;
	uint64_t folds, repeat;
	bool json;
};

static const char *const table_names[] = { "set",  "alignment", "card",
					   "freq", "support",   "entire" };

static const struct option_row rows[] = {
	OPTION(LIST, "tables", offsetof(struct settings, tables), .value = "NAMES",
	       .help = "set, alignment, card, freq, support, entire [all]"),
	OPTION(STR, "method", offsetof(struct settings, method), .letter = 'm',
	       .standard = "duster", .value = "NAME",
	       .help = "of the thresholds: duster, dustlin, fanout, tree, dustlin+, "
		       "dustlin+static; entire clusters are of dustlin"),
	OPTION(REAL, "share", offsetof(struct settings, share), .max = 1,
	       .standard = "50%", .value = "RATE",
	       .help = "clusters that the thresholds are chosen on; what was chosen is "
		       "measured on the others"),
	OPTION(UINT, "folds", offsetof(struct settings, folds), .min = 2, .max = 20,
	       .standard = "3", .value = "N", .help = "parts of these clusters"),
	OPTION(UINT, "repeat", offsetof(struct settings, repeat), .min = 1, .max = 1000,
	       .standard = "1", .value = "N", .help = "times, with other folds each"),
	OPTION(REAL, "precision", offsetof(struct settings, precision), .max = 1,
	       .standard = "99%", .value = "RATE",
	       .help = "of the thresholds with this precision, that with most coverage "
		       "is chosen"),
	OPTION(FLAG, "json", offsetof(struct settings, json),
	       .help = "one JSON object per row instead of tables"),
	LEARN_ROWS(struct settings, learn),
	OPTION_END,
};

struct calibrating {
	const struct settings *s;
	const struct compared_method *how;
	struct comparison c;
	struct study_printer print;
};

static bool wants(const struct settings *s, const char *table)
{
	for (size_t i = 0; i < s->tables.n; i++)
		if (str_eq(s->tables.v[i], str_from(table)))
			return true;
	return s->tables.n == 0;
}

static bool all_tables_known(const struct settings *s)
{
	for (size_t i = 0; i < s->tables.n; i++) {
		size_t k = 0;

		while (k < COUNT(table_names) &&
		       !str_eq(s->tables.v[i], str_from(table_names[k])))
			k++;
		if (k == COUNT(table_names))
			return false;
	}
	return true;
}

static void describe(const struct calibrating *k)
{
	const struct learn_options *o = &k->c.learn;
	struct set_statistics set;
	struct alignment_scores progressive, linear;

	if (wants(k->s, "set")) {
		set_statistics_make(k->c.urls, &set);
		study_print_set(&k->print, &set);
	}
	if (!wants(k->s, "alignment"))
		return;
	alignment_scores_make(k->c.urls, MULTI_PROGRESSIVE, o->offer.sample, 1.0 / 3,
			      k->c.seed, &progressive);
	alignment_scores_make(k->c.urls, MULTI_LINEAR, o->offer.sample, 1.0 / 3,
			      k->c.seed, &linear);
	study_print_alignment(&k->print, &progressive, &linear);
}

/* Each threshold by itself, as the thesis does; all that were chosen together. */
static enum status choose(const struct calibrating *k, struct learn_options *chosen,
			  bool *ret_any, struct diag *why)
{
	static const enum study_what what[] = { STUDY_CARD, STUDY_FREQ, STUDY_SUPPORT };
	struct study s;

	*ret_any = false;
	for (size_t i = 0; i < COUNT(what); i++) {
		if (!wants(k->s, table_names[2 + i]))
			continue;
		TRY(study_make(&k->c, k->how, what[i], k->s->precision, &s, why));
		study_print(&k->print, what[i], &s);
		uint64_t best = s.v[s.best].value;
		if (what[i] == STUDY_CARD)
			chosen->offer.card = (unsigned)best;
		else if (what[i] == STUDY_FREQ)
			chosen->min_freq = best;
		else
			chosen->min_support = best;
		*ret_any = true;
	}
	return ST_OK;
}

static enum status calibrate_rules(const struct calibrating *k, struct diag *why)
{
	struct comparison others = k->c;
	struct metrics m;
	struct study s;
	bool any;

	describe(k);
	TRY(choose(k, &others.learn, &any, why));
	if (wants(k->s, "entire")) {
		TRY(study_make(&k->c, compared_method_find(STR("dustlin")), STUDY_SAMPLE,
			       k->s->precision, &s, why));
		study_print(&k->print, STUDY_SAMPLE, &s);
	}
	if (!any || k->s->share >= 1)
		return ST_OK;
	others.part = (struct range){ k->s->share, 1.01 };
	TRY(comparison_run(&others, k->how, others.learn.fpr_max, &m, why));
	study_print_choice(&k->print, &others.learn, k->s->precision, &m);
	return ST_OK;
}

static void settings_release(struct settings *s)
{
	str_list_release(&s->tables);
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_release) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(cluster_files_release) struct cluster_files files = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	struct calibrating k = { .s = &s, .how = compared_method_find(s.method) };
	if (!k.how || k.how->source != SOURCE_LEARNT)
		return rules_fail(self, EXIT_USAGE,
				  "a method is dustlin+static, dustlin+, dustlin, "
				  "duster, fanout or tree");
	if (!all_tables_known(&s))
		return rules_fail(self, EXIT_USAGE,
				  "tables are set, alignment, card, freq, support and "
				  "entire");
	if (s.share <= 0)
		return rules_fail(self, EXIT_USAGE, "the share must be above 0");
	code = cluster_files_load(self, &args, &files);
	if (code != ARGS_GO)
		return code;
	s.learn.method = LEARN_DUSTLIN;
	s.learn.families = true;
	k.c = (struct comparison){ .urls = &files.urls,
				   .learn = learn_options_from(&s.learn),
				   .n_folds = (unsigned)s.folds,
				   .repeat = s.repeat,
				   .seed = s.learn.seed,
				   .part = { 0, s.share < 1 ? s.share : 1.01 } };
	/* The thesis varies one and lets the others pass everything. */
	k.c.learn.min_freq = MAX(s.learn.min_freq, 1u);
	k.c.learn.min_support = MAX(s.learn.min_support, 1u);
	k.print = (struct study_printer){ s.json, s.folds * s.repeat };
	if (calibrate_rules(&k, &why) != ST_OK)
		return rules_fail(self, EXIT_FAILED, why.text);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh rules calibrate clusters.tsv", "all tables, DUSTER, half of the set" },
	{ "thresh rules calibrate --tables card,freq -m dustlin+ --repeat 5 clusters.tsv",
	  "two thresholds of the default method, five times" },
	{ "thresh rules calibrate --tables entire --share 1 clusters.tsv",
	  "whether samples of ten URLs lose anything" },
	{ NULL, NULL },
};

const struct command cmd_rules_calibrate = {
	.name = "rules calibrate",
	.summary = "choose Card_set, min_freq and min_supp by measurement",
	.operands = "CLUSTERS...",
	.about = "The threshold studies of the thesis (section 6.2.1) on your clusters: "
		 "what "
		 "the set is like, how alike aligned URLs are, and what each threshold "
		 "does to rules learnt by cross-validation on a share of the clusters. "
		 "What was chosen is measured on the other clusters.",
	.options = rows,
	.examples = examples,
	.run = run,
};
