#include <stdlib.h>

#include "calibrate/detector.h"
#include "cmd/calibrate_db.h"
#include "os/file.h"
#include "studies/record.h"
#include "studies/stored.h"

/* Workers may run elsewhere: names are made absolute here. */
static void add_inputs(const struct args *args, struct buf *to)
{
	for (size_t i = 0; i < args->n; i++) {
		cleanup(buf_release) struct buf name = { 0 };
		char *real;

		buf_add(&name, args->words[i]);
		real = str_eq(args->words[i], STR(STORED_INPUT))
			       ? NULL
			       : realpath(buf_cstr(&name), NULL);
		buf_addf(to, "%s\n", real ? real : buf_cstr(&name));
		free(real);
	}
}

static enum status load_text(struct str path, struct buf *to, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_add(&name, path);
	return path.n ? file_load(buf_cstr(&name), (size_t)16 << 20, to, why) : ST_OK;
}

/* A task per site: its address, the common settings, its own. */
static enum status add_sites(const struct db_settings *s, struct sql *db,
			     struct diag *why)
{
	cleanup(site_tasks_release) struct site_tasks sites = { 0 };
	cleanup(buf_release) struct buf list = { 0 }, text = { 0 }, common = { 0 };
	struct str record = STR(TASK_RECORD);

	TRY(load_text(s->sites, &list, why));
	TRY(load_text(s->settings, &text, why));
	TRY(site_tasks_parse(&sites, buf_str(&list), why));
	TRY(site_settings_parse(buf_str(&text), &common, why));
	TRY(tasks_init(db, why));
	for (size_t i = 0; i < sites.n; i++) {
		cleanup(buf_release) struct buf input = { 0 };

		buf_addf(&input, STR_FMT "\n" STR_FMT STR_FMT, STR_ARG(sites.v[i].url),
			 STR_ARG(buf_str(&common)), STR_ARG(sites.v[i].settings));
		TRY(tasks_add(db, s->name_space, buf_str(&input), &record, 1, why));
	}
	return ST_OK;
}

static enum status do_add(const struct db_settings *s, const struct args *args,
			  struct sql *db, struct diag *why)
{
	cleanup(detector_list_release) struct detector_list checked = { 0 };
	cleanup(buf_release) struct buf input = { 0 };

	if (s->sites.n)
		return add_sites(s, db, why);
	if (args->n == 0 || s->grid.n == 0)
		return diag_fail(why, ST_SYNTAX,
				 "name what to sweep, and --grid lines; or --sites");
	for (size_t i = 0; i < s->grid.n; i++)
		TRY(detector_parse(&checked, s->grid.v[i], why));
	add_inputs(args, &input);
	if (s->labels.n)
		buf_addf(&input, "labels:" STR_FMT "\n", STR_ARG(s->labels));
	TRY(tasks_init(db, why));
	return tasks_add(db, s->name_space, buf_str(&input), s->grid.v, s->grid.n, why);
}

static int run_add(const struct command *self, int argc, char **argv)
{
	return calibrate_with_db(self, argc, argv, do_add);
}

static const struct option_row add_rows[] = {
	DB,
	NAMESPACE,
	OPTION(LIST, "grid", AT(grid), .letter = 'g', .value = "GRID",
	       .help = "a task per METHOD[:PIECES[:SIZES[:THRESHOLDS]]]; repeatable"),
	OPTION(STR, "labels", AT(labels), .value = "FILE",
	       .help = "bins or graded pairs, for inputs that bring none"),
	OPTION(STR, "sites", AT(sites), .value = "FILE",
	       .help = "instead of sweeps: crawl these sites, a task each; lines of an "
		       "address and name=value settings of its own"),
	OPTION(STR, "settings", AT(settings), .value = "FILE",
	       .help = "options of thresh states for all of them, 'name value' per line"),
	OPTION_END,
};

const struct command cmd_calibrate_add = {
	.name = "calibrate add",
	.summary = "queue sweeps for workers",
	.operands = "RECORDING|FILE...",
	.about =
		"A task is one line of a grid over the inputs, which every worker must "
		"be able to read under the same name; the input db: is what workers "
		"have recorded in the namespace. With --sites a task is a site to crawl: "
		"its DOMs and screenshots go into the database.",
	.options = add_rows,
	.examples =
		(const struct example[]){ { "thresh calibrate add -g crawlhash:words:1-9 "
					    "-g jaccard:words:1-9 app/",
					    "two tasks in ./calibrate.db" },
					  { "thresh calibrate add --sites sites.txt "
					    "--settings common.txt",
					    "a crawl per site" },
					  { "thresh calibrate add -g tag-paths db:",
					    "a sweep of what was recorded" },
					  { NULL, NULL } },
	.run = run_add,
};
