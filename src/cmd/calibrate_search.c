#include <stdio.h>

#include "calibrate/search.h"
#include "cmd/args.h"
#include "cmd/calibrate.h"
#include "dedup/preset.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/thread.h"

struct settings {
	struct str_list grid;
	struct str labels, preset;
	int by;
	uint64_t steps, budget, seed, patience;
	double price;
	bool silent, json;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(CHOICE, "by", AT(by), .standard = "genetic", .value = "HOW",
	       .words = SEARCH_WORDS,
	       .help = "grid stops a method where it gets worse, random draws points, "
		       "genetic "
		       "crosses and changes them, halving tries all on a part first"),
	OPTION(LIST, "grid", AT(grid), .letter = 'g', .value = "GRID",
	       .help = "METHOD[:PIECES[:SIZES[:THRESHOLDS]]]; without, every method"),
	OPTION(UINT, "budget", AT(budget), .standard = "0", .value = "N",
	       .help = "points to try at most; 0 is a tenth of the grid"),
	OPTION(UINT, "patience", AT(patience), .max = 10000, .standard = "0",
	       .value = "N",
	       .help = "generations without a better point until it ends; 0 is 40"),
	OPTION(UINT, "seed", AT(seed), .standard = "1", .value = "N",
	       .help = "the same seed finds the same point"),
	OPTION(UINT, "steps", AT(steps), .min = 2, .max = THRESHOLDS_MAX,
	       .standard = "40", .value = "N",
	       .help = "thresholds where the grid names none"),
	OPTION(REAL, "price", AT(price), .min = 0.001, .max = 1000, .standard = "1",
	       .value = "X", .help = "of a missed state, in duplicates"),
	OPTION(FLAG, "merged-is-silent", AT(silent),
	       .help = "what follows a merged state is lost, as in Crawljax"),
	OPTION(STR, "labels", AT(labels), .value = "FILE",
	       .help = "labels for inputs that bring none"),
	OPTION(STR, "preset", AT(preset), .value = "FILE",
	       .help = "what was found, for --preset of dedup, states and crawl"),
	OPTION(FLAG, "json", AT(json), .help = "print the result as JSON"),
	OPTION_END,
};

static void settings_drop(struct settings *s)
{
	str_list_release(&s->grid);
}

static enum status make_grid(const struct settings *s, struct detector_list *ret,
			     struct diag *why)
{
	for (size_t i = 0; i < s->grid.n; i++)
		TRY(detector_parse(ret, s->grid.v[i], why));
	if (ret->n == 0)
		detector_add_every(ret);
	return ST_OK;
}

static void print_result(const struct detector *d, const struct search_result *r,
			 bool json)
{
	cleanup(buf_release) struct buf features = { 0 }, b = { 0 };
	struct json_out o = { .to = &b };

	detector_add_features(d, &features);
	if (!json) {
		printf(STR_FMT
		       " %s, threshold %.4g: %u missed, %u duplicates, F1 %.3f\n"
		       "found after %zu evaluations of %zu tried, the grid has %zu; "
		       "%llu comparisons\n",
		       STR_ARG(detector_name(d)), buf_cstr(&features), r->threshold,
		       r->score.missed, r->score.duplicates,
		       metric_find(STR("f1"))->value(&r->score), r->best_after,
		       r->evaluations, r->points, (unsigned long long)r->comparisons);
		return;
	}
	json_open(&o, '{');
	json_put_str(&o, "method", detector_name(d));
	json_put_str(&o, "features", buf_str(&features));
	json_put_double(&o, "threshold", r->threshold);
	json_put_double(&o, "cost", r->cost);
	for (const struct metric *m = metrics; m->name; m++)
		json_put_double(&o, m->name, m->value(&r->score));
	json_put_uint(&o, "evaluations", r->evaluations);
	json_put_uint(&o, "found_after", r->best_after);
	json_put_uint(&o, "points", r->points);
	json_put_uint(&o, "comparisons", r->comparisons);
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static enum status write_preset(struct str path, struct str command,
				const struct detector *d, const struct search_result *r,
				struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 }, comment = { 0 }, name = { 0 };

	if (path.n == 0 || !d->method)
		return ST_OK;
	buf_addf(&comment, "made by " STR_FMT "; %u missed, %u duplicates, %u kept",
		 STR_ARG(command), r->score.missed, r->score.duplicates, r->score.kept);
	preset_format(d->method, &d->features, r->threshold, buf_str(&comment), &text);
	buf_add(&name, path);
	return file_save(buf_cstr(&name), buf_str(&text), why);
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_drop) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(samples_release) struct sample_set set = { 0 };
	cleanup(detector_list_release) struct detector_list grid = { 0 };
	cleanup(buf_release) struct buf line = { 0 };
	struct search_result found;
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	struct sample_options how = { .labels = s.labels };
	struct search_options o = { .by = (enum search_by)s.by,
				    .score = { .merged_is_silent = s.silent },
				    .steps = s.steps,
				    .budget = s.budget,
				    .patience = s.patience,
				    .price = s.price,
				    .seed = s.seed,
				    .threads = cpu_count() };
	if (args.n == 0)
		return calibrate_fail(self, EXIT_USAGE,
				      "name a recording, states or pairs");
	if (make_grid(&s, &grid, &why) != ST_OK)
		return calibrate_fail(self, EXIT_USAGE, why.text);
	if (samples_load(&set, args.words, args.n, &how, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	if (!search_run(&set, &grid, &o, &found))
		return calibrate_fail(self, EXIT_FAILED, "nothing is labelled");
	const struct detector *d = &grid.v[found.detector];
	calibrate_command_line(argc, argv, &line);
	print_result(d, &found, s.json);
	if (write_preset(s.preset, buf_str(&line), d, &found, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh calibrate search recording/ --preset my.preset",
	  "a good point after a tenth of the evaluations" },
	{ "thresh calibrate search --by halving states.jsonl",
	  "all methods on a part of the states first" },
	{ NULL, NULL },
};

const struct command cmd_calibrate_search = {
	.name = "calibrate search",
	.summary = "find a good point of a grid without trying all of it",
	.operands = "RECORDING|FILE...",
	.about = "For sets so large, or grids so fine, that a sweep takes too long. The "
		 "inputs are those of thresh calibrate sweep.",
	.options = rows,
	.examples = examples,
	.run = run,
};
