#include <stdio.h>

#include "cmd/calibrate_db.h"
#include "studies/stored.h"

static void settings_drop(struct db_settings *s)
{
	str_list_release(&s->grid);
}

static enum status open_db(const struct db_settings *s, struct sql **ret,
			   struct diag *why)
{
	cleanup(buf_release) struct buf place = { 0 };

	buf_add(&place, s->db);
	return sql_open(ret, buf_cstr(&place), why);
}

int calibrate_with_db(const struct command *self, int argc, char **argv,
		      enum status (*what)(const struct db_settings *, const struct args *,
					  struct sql *, struct diag *))
{
	cleanup(settings_drop) struct db_settings s = { 0 };
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

static enum status do_init(const struct db_settings *s, const struct args *args,
			   struct sql *db, struct diag *why)
{
	(void)s;
	(void)args;
	return tasks_init(db, why);
}

static int run_init(const struct command *self, int argc, char **argv)
{
	return calibrate_with_db(self, argc, argv, do_init);
}

static enum status print_result(void *ctx, const struct sql_row *row)
{
	(void)ctx;
	printf(STR_FMT "\n", STR_ARG(row->v[3]));
	return ST_OK;
}

static enum status do_tasks(const struct db_settings *s, const struct args *args,
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
	return calibrate_with_db(self, argc, argv, do_tasks);
}

static const struct option_row init_rows[] = { DB, OPTION_END };

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

static enum status do_fetch(const struct db_settings *s, const struct args *args,
			    struct sql *db, struct diag *why)
{
	cleanup(buf_release) struct buf dir = { 0 };
	size_t n;

	(void)args;
	buf_add(&dir, s->out);
	TRY(stored_save(db, s->name_space, buf_cstr(&dir), &n, why));
	printf("%zu states in " STR_FMT "\n", n, STR_ARG(s->out));
	return ST_OK;
}

static int run_fetch(const struct command *self, int argc, char **argv)
{
	return calibrate_with_db(self, argc, argv, do_fetch);
}

static const struct option_row fetch_rows[] = {
	DB,
	NAMESPACE,
	OPTION(STR, "out", AT(out), .letter = 'o', .standard = "recorded", .value = "DIR",
	       .help = "where the files go"),
	OPTION_END,
};

const struct command cmd_calibrate_fetch = {
	.name = "calibrate fetch",
	.summary = "take recorded states out of a database",
	.operands = "",
	.about = "DIR/N-states.jsonl per site, with the screenshots beside: what thresh "
		 "calibrate annotate and sweep read.",
	.options = fetch_rows,
	.examples = (const struct example[]){ { "thresh calibrate fetch -o recorded",
						"all sites of ./calibrate.db" },
					      { NULL, NULL } },
	.run = run_fetch,
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
