#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/calibrate.h"
#include "studies/worker.h"

struct settings {
	struct str db, name_space, name, dir;
	uint64_t batch, lease_ms, steps;
	bool stay;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row worker_rows[] = {
	OPTION(STR, "db", AT(db), .standard = "calibrate.db", .value = "DB",
	       .help = "a file (SQLite), or postgresql://USER@HOST/NAME"),
	OPTION(STR, "namespace", AT(name_space), .letter = 'n', .standard = "default",
	       .value = "NAME", .help = "the study that the tasks belong to"),
	OPTION(STR, "name", AT(name), .value = "TEXT",
	       .help = "how this worker is named in the database, before host and "
		       "process"),
	OPTION(UINT, "batch", AT(batch), .min = 1, .max = 10000, .standard = "8",
	       .value = "N", .help = "tasks claimed at once"),
	OPTION(TIME, "lease", AT(lease_ms), .min = 100, .max = 86400000,
	       .standard = "30s", .value = "TIME",
	       .help = "how long a worker may be silent until others take its tasks"),
	OPTION(UINT, "steps", AT(steps), .min = 2, .max = THRESHOLDS_MAX,
	       .standard = "40", .value = "N",
	       .help = "thresholds where a task names none"),
	OPTION(STR, "dir", AT(dir), .standard = "/tmp", .value = "DIR",
	       .help = "where crawls are while they run"),
	OPTION(FLAG, "stay", AT(stay), .help = "wait for more tasks when there are none"),
	OPTION_END,
};

static bool stop;

static void on_signal(int nr)
{
	(void)nr;
	stop = true;
}

static int run_worker(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(buf_release) struct buf place = { 0 }, name = { 0 }, dir = { 0 };
	struct worker_stats stats = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	char host[128] = "worker";

	if (code != ARGS_GO)
		return code;
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	(void)!gethostname(host, sizeof(host) - 1);
	buf_add(&place, s.db);
	buf_add(&dir, s.dir);
	buf_addf(&name, STR_FMT "%s/%d/%lld", STR_ARG(s.name), host, (int)getpid(),
		 (long long)time(NULL));
	struct worker_options o = { .db = buf_cstr(&place),
				    .name_space = s.name_space,
				    .name = buf_str(&name),
				    .batch = (unsigned)s.batch,
				    .lease_ms = (int64_t)s.lease_ms,
				    .dir = buf_cstr(&dir),
				    .steps = s.steps,
				    .stay = s.stay,
				    .stop = &stop };
	enum status st = worker_run(&o, &stats, &why);
	printf("%llu done, %llu failed, %llu refused, %llu reconnects\n",
	       (unsigned long long)stats.done, (unsigned long long)stats.failed,
	       (unsigned long long)stats.refused, (unsigned long long)stats.reconnects);
	return st == ST_OK ? EXIT_FINE : calibrate_fail(self, EXIT_FAILED, why.text);
}

const struct command cmd_calibrate_worker = {
	.name = "calibrate worker",
	.summary = "do queued tasks; any number of workers",
	.operands = "",
	.about = "Ends when nothing is queued or leased. A worker that dies loses its "
		 "tasks to others when its lease runs out; each task has one result.",
	.options = worker_rows,
	.examples = (const struct example[]){ { "thresh calibrate worker --db "
						"postgresql://me@db/studies --stay",
						"one of a hundred" },
					      { NULL, NULL } },
	.run = run_worker,
};
