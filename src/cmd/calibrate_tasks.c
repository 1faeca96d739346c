#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "calibrate/detector.h"
#include "calibrate/tasks.h"
#include "cmd/args.h"
#include "cmd/calibrate.h"

struct settings {
	struct str db, name_space;
	struct str_list grid;
	bool json, results;
};

#define AT(field) offsetof(struct settings, field)
#define DB                                                                   \
	OPTION(STR, "db", AT(db), .standard = "calibrate.db", .value = "DB", \
	       .help = "a file (SQLite), or postgresql://USER@HOST/NAME")
#define NAMESPACE                                                                      \
	OPTION(STR, "namespace", AT(name_space), .letter = 'n', .standard = "default", \
	       .value = "NAME", .help = "the study that the tasks belong to")

static void settings_drop(struct settings *s)
{
	str_list_release(&s->grid);
}

static enum status open_db(const struct settings *s, struct sql **ret, struct diag *why)
{
	cleanup(buf_release) struct buf place = { 0 };

	buf_add(&place, s->db);
	return sql_open(ret, buf_cstr(&place), why);
}

/* Parse, open, do `what`, close: all of these commands are alike. */
static int with_db(const struct command *self, int argc, char **argv,
		   enum status (*what)(const struct settings *, const struct args *,
				       struct sql *, struct diag *))
{
	cleanup(settings_drop) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	struct sql *db = NULL;
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	enum status st = open_db(&s, &db, &why);
	if (st == ST_OK)
		st = what(&s, &args, db, &why);
	sql_close(&db);
	return st == ST_OK ? EXIT_FINE : calibrate_fail(self, EXIT_FAILED, why.text);
}

static enum status do_init(const struct settings *s, const struct args *args,
			   struct sql *db, struct diag *why)
{
	(void)s;
	(void)args;
	return tasks_init(db, why);
}

static int run_init(const struct command *self, int argc, char **argv)
{
	return with_db(self, argc, argv, do_init);
}

/* Workers may run elsewhere: names are made absolute here. */
static void add_inputs(const struct args *args, struct buf *to)
{
	for (size_t i = 0; i < args->n; i++) {
		cleanup(buf_release) struct buf name = { 0 };
		char *real;

		buf_add(&name, args->words[i]);
		real = realpath(buf_cstr(&name), NULL);
		buf_addf(to, "%s\n", real ? real : buf_cstr(&name));
		free(real);
	}
}

static enum status do_add(const struct settings *s, const struct args *args,
			  struct sql *db, struct diag *why)
{
	cleanup(detector_list_release) struct detector_list checked = { 0 };
	cleanup(buf_release) struct buf input = { 0 };

	if (args->n == 0 || s->grid.n == 0)
		return diag_fail(why, ST_SYNTAX, "name what to sweep, and --grid lines");
	for (size_t i = 0; i < s->grid.n; i++)
		TRY(detector_parse(&checked, s->grid.v[i], why));
	add_inputs(args, &input);
	TRY(tasks_init(db, why));
	return tasks_add(db, s->name_space, buf_str(&input), s->grid.v, s->grid.n, why);
}

static int run_add(const struct command *self, int argc, char **argv)
{
	return with_db(self, argc, argv, do_add);
}

static enum status print_result(void *ctx, const struct sql_row *row)
{
	(void)ctx;
	printf(STR_FMT "\n", STR_ARG(row->v[3]));
	return ST_OK;
}

static enum status do_tasks(const struct settings *s, const struct args *args,
			    struct sql *db, struct diag *why)
{
	struct task_counts c;

	(void)args;
	if (s->results)
		return tasks_results(db, s->name_space, print_result, NULL, why);
	TRY(tasks_count(db, s->name_space, &c, why));
	printf(s->json ? "{\"queued\":%llu,\"leased\":%llu,\"done\":%llu,\"failed\":%llu,"
			 "\"results\":%llu}\n"
		       : "%llu queued, %llu leased, %llu done, %llu failed; %llu "
			 "results\n",
	       (unsigned long long)c.queued, (unsigned long long)c.leased,
	       (unsigned long long)c.done, (unsigned long long)c.failed,
	       (unsigned long long)c.results);
	return ST_OK;
}

static int run_tasks(const struct command *self, int argc, char **argv)
{
	return with_db(self, argc, argv, do_tasks);
}

static const struct option_row init_rows[] = { DB, OPTION_END };

static const struct option_row add_rows[] = {
	DB,
	NAMESPACE,
	OPTION(LIST, "grid", AT(grid), .letter = 'g', .value = "GRID",
	       .help = "a task per METHOD[:PIECES[:SIZES[:THRESHOLDS]]]; repeatable"),
	OPTION_END,
};

static const struct option_row tasks_rows[] = {
	DB,
	NAMESPACE,
	OPTION(FLAG, "results", AT(results),
	       .help = "print the result of each task, as "
		       "JSON lines"),
	OPTION(FLAG, "json", AT(json), .help = "print the counts as JSON"),
	OPTION_END,
};

const struct command cmd_calibrate_init = {
	.name = "calibrate init",
	.summary = "create the tables for tasks in a database",
	.operands = "",
	.about = "Harmless when they are there.",
	.options = init_rows,
	.examples =
		(const struct example[]){
			{ "thresh calibrate init --db postgresql://me@db/studies",
			  "on a server" },
			{ NULL, NULL } },
	.run = run_init,
};

const struct command cmd_calibrate_add = {
	.name = "calibrate add",
	.summary = "queue sweeps for workers",
	.operands = "RECORDING|FILE...",
	.about = "A task is one line of a grid over the inputs, which every worker must "
		 "be "
		 "able to read under the same name.",
	.options = add_rows,
	.examples =
		(const struct example[]){ { "thresh calibrate add -g crawlhash:words:1-9 "
					    "-g jaccard:words:1-9 app/",
					    "two tasks in ./calibrate.db" },
					  { NULL, NULL } },
	.run = run_add,
};

const struct command cmd_calibrate_tasks = {
	.name = "calibrate tasks",
	.summary = "show how far the tasks are, and their results",
	.operands = "",
	.about = "Counts of the tasks of a namespace by state.",
	.options = tasks_rows,
	.examples =
		(const struct example[]){
			{ "thresh calibrate tasks --results > results.jsonl",
			  "all results" },
			{ NULL, NULL } },
	.run = run_tasks,
};
