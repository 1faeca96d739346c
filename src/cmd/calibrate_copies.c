#include <math.h>
#include <stdio.h>

#include "calibrate/copies.h"
#include "cmd/args.h"
#include "cmd/calibrate.h"

#define STRANGERS_MAX 20000

struct settings {
	struct str grid;
	uint64_t copies, rows, seed;
	bool main_content, json;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "grid", AT(grid), .letter = 'g', .standard = "ssm", .value = "METHOD",
	       .help = "method, perhaps with pieces and size: METHOD[:PIECES[:SIZE]]"),
	OPTION(UINT, "copies", AT(copies), .letter = 'k', .min = 1, .max = 1000,
	       .standard = "1", .value = "N", .help = "copies of each kind per page"),
	OPTION(UINT, "rows", AT(rows), .max = 1e6, .standard = "44", .value = "N",
	       .help = "rows of the table that are printed"),
	OPTION(UINT, "seed", AT(seed), .standard = "1", .value = "N",
	       .help = "number from which the copies are made"),
	OPTION(FLAG, "main-content", AT(main_content),
	       .help = "compare the main content of HTML pages, not all their text"),
	OPTION(FLAG, "json", AT(json), .help = "print everything as JSON"),
	OPTION_END,
};

static void print_near(const char *words, const struct copies_study *c,
		       const struct detector *d, double threshold)
{
	size_t copies = copies_near(c, d, threshold),
	       strangers = strangers_near(c, d, threshold);

	printf("%-34s %10.4f: %zu of %zu copies near, %zu of %zu pairs of different "
	       "pages\n",
	       words, threshold, copies, c->n, strangers, c->stranger_pairs);
}

static void print_study(const struct sample_set *set, const struct copies_study *c,
			const struct detector *d, size_t max)
{
	printf("%-40s %-46s %s\n", "file 1", "file 2", d->method->name);
	for (size_t i = 0; i < c->n && i < max; i++) {
		struct str name = set->v[c->v[i].page].name;

		if (name.n > 38)
			name = str_skip(name, name.n - 38);
		printf("%-40.*s %.*s, %-*s ", STR_ARG(name), STR_ARG(name),
		       (int)(44 - MIN(name.n, 43u)), copy_kind_names[c->v[i].kind]);
		if (isfinite(c->v[i].value))
			printf("%.6g\n", c->v[i].value);
		else
			printf("-\n");
	}
	if (c->n > max)
		printf("and %zu more; --rows prints them\n", c->n - max);
	printf("\n%zu copies, %zu comparable; median %.4f, farthest %.4f\n", c->n,
	       c->compared, c->median, c->most);
	print_near("mean, the seed's threshold", c, d, c->mean);
	print_near("95 % of the comparable copies", c, d, c->covers);
	print_near("threshold of the method", c, d, d->method->threshold);
}

static void put_near(struct json_out *o, const char *name, const struct copies_study *c,
		     const struct detector *d, double threshold)
{
	json_key(o, str_from(name));
	json_open(o, '{');
	json_put_double(o, "threshold", threshold);
	json_put_uint(o, "copies_near", copies_near(c, d, threshold));
	json_put_uint(o, "different_near", strangers_near(c, d, threshold));
	json_close(o, '}');
}

static void print_json(const struct sample_set *set, const struct copies_study *c,
		       const struct detector *d)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "method", detector_name(d));
	json_put_uint(&o, "copies", c->n);
	json_put_uint(&o, "comparable", c->compared);
	json_put_uint(&o, "different_pairs", c->stranger_pairs);
	json_put_double(&o, "median", c->median);
	put_near(&o, "mean", c, d, c->mean);
	put_near(&o, "covers_95", c, d, c->covers);
	put_near(&o, "own", c, d, d->method->threshold);
	json_key(&o, STR("rows"));
	json_open(&o, '[');
	for (size_t i = 0; i < c->n; i++) {
		json_open(&o, '{');
		json_put_str(&o, "page", set->v[c->v[i].page].name);
		json_put_str(&o, "copy", str_from(copy_kind_names[c->v[i].kind]));
		json_put_double(&o, "value", c->v[i].value);
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(samples_release) struct sample_set set = { 0 };
	cleanup(detector_list_release) struct detector_list grid = { 0 };
	cleanup(copies_study_release) struct copies_study c = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0)
		return calibrate_fail(self, EXIT_USAGE, "name documents");
	if (detector_parse(&grid, s.grid, &why) != ST_OK)
		return calibrate_fail(self, EXIT_USAGE, why.text);
	if (grid.n != 1 || !grid.v[0].method)
		return calibrate_fail(self, EXIT_USAGE, "one method, one size");
	struct sample_options how = { .main_content = s.main_content };
	if (samples_load(&set, args.words, args.n, &how, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	copies_study_make(&set,
			  &(struct copies_options){ .detector = &grid.v[0],
						    .copies = (unsigned)s.copies,
						    .strangers_max = STRANGERS_MAX,
						    .seed = s.seed,
						    .main_content = s.main_content },
			  &c);
	if (s.json)
		print_json(&set, &c, &grid.v[0]);
	else
		print_study(&set, &c, &grid.v[0], s.rows);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh calibrate copies pages/", "SSM of each page against four copies" },
	{ "thresh calibrate copies -g jaccard:words:3 -k 5 pages.warc.gz",
	  "another method, five copies of each kind" },
	{ NULL, NULL },
};

const struct command cmd_calibrate_copies = {
	.name = "calibrate copies",
	.summary = "a threshold from copies with other advertisements and timestamps",
	.operands = "FILE...",
	.about = "Each page is compared with copies of itself that have other "
		 "advertisements, timestamps and counters; the mean of the values is the "
		 "threshold of seed 003. Beside it: how many copies and how many pairs "
		 "of different pages are near at that threshold, at that which covers 95 "
		 "% "
		 "of the copies, and at the method's own.",
	.options = rows,
	.examples = examples,
	.run = run,
};
