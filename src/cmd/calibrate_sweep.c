#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "calibrate/sweep_report.h"
#include "cmd/args.h"
#include "cmd/calibrate.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/progress.h"
#include "os/signals.h"
#include "os/thread.h"

struct settings {
	struct str_list grid;
	struct str labels, out, csv, html, preset, live_dir;
	uint64_t steps, threads, top, live;
	double price;
	bool silent, main_content, seed_grid, own_bins, json, quiet;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(LIST, "grid", AT(grid), .letter = 'g', .value = "GRID",
	       .help = "METHOD[:PIECES[:SIZES[:THRESHOLDS]]], e.g. "
		       "crawlhash:words:1-9:1-8; "
		       "repeatable; without, every method, feature and size"),
	OPTION(FLAG, "seed-grid", AT(seed_grid),
	       .help = "the grids of the seed's figures 9 to 15, and the baselines"),
	OPTION(STR, "labels", AT(labels), .value = "FILE",
	       .help = "lines 'name TAB bin' or '0|1|2 TAB name TAB name' for inputs "
		       "that "
		       "bring none"),
	OPTION(FLAG, "own-bins", AT(own_bins),
	       .help = "of recordings without labels: the states that their crawl told "
		       "apart are the truth"),
	OPTION(UINT, "steps", AT(steps), .min = 2, .max = THRESHOLDS_MAX,
	       .standard = "40", .value = "N",
	       .help = "thresholds per method, feature and size, where the grid names "
		       "none"),
	OPTION(REAL, "price", AT(price), .min = 0.001, .max = 1000, .standard = "1",
	       .value = "X",
	       .help = "of a missed state, in duplicates; above 1 prefers duplicates "
		       "over "
		       "misses"),
	OPTION(FLAG, "merged-is-silent", AT(silent),
	       .help = "what follows a merged state is lost, as in Crawljax; otherwise "
		       "it "
		       "counts from the state that absorbed it"),
	OPTION(FLAG, "main-content", AT(main_content),
	       .help = "compare the main content of HTML pages, not all their text"),
	OPTION(STR, "out", AT(out), .letter = 'o', .value = "FILE",
	       .help = "all points as JSON"),
	OPTION(STR, "csv", AT(csv), .value = "FILE", .help = "all points as CSV"),
	OPTION(STR, "html", AT(html), .value = "FILE",
	       .help = "one page with the surfaces, to turn and to point at"),
	OPTION(STR, "preset", AT(preset), .value = "FILE",
	       .help = "the recommendation, for --preset of dedup, states and crawl"),
	OPTION(UINT, "live", AT(live), .max = 100, .standard = "0", .value = "N",
	       .help = "crawl the recorded sites again with the N best methods"),
	OPTION(STR, "live-dir", AT(live_dir), .standard = "live", .value = "DIR",
	       .help = "where these crawls go"),
	OPTION(UINT, "top", AT(top), .min = 1, .max = 1000, .standard = "12",
	       .value = "N", .help = "rows of the table"),
	OPTION(UINT, "threads", AT(threads), .max = 256, .standard = "0", .value = "N",
	       .help = "that measure; 0 is one per processor"),
	OPTION(FLAG, "json", AT(json), .help = "print the points as JSON, not the table"),
	OPTION(FLAG, "quiet", AT(quiet), .letter = 'q', .help = "no progress"),
	OPTION_END,
};

struct show {
	struct progress progress;
	struct signals signals;
};

static bool on_progress(void *ctx, size_t done, size_t all)
{
	struct show *show = ctx;
	cleanup(buf_release) struct buf b = { 0 };

	if (signals_take(&show->signals))
		return false;
	if (!progress_due(&show->progress))
		return true;
	buf_addf(&b, "%zu of %zu methods with their features and sizes", done, all);
	progress_show(&show->progress, buf_str(&b));
	return true;
}

static enum status save(struct str path, struct str text, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	if (str_eq(path, STR("-"))) {
		printf(STR_FMT, STR_ARG(text));
		return ST_OK;
	}
	buf_add(&name, path);
	return file_save(buf_cstr(&name), text, why);
}

static enum status write_files(const struct settings *s, const struct sweep_report *r,
			       struct diag *why)
{
	const struct {
		struct str path;
		void (*add)(const struct sweep_report *, struct buf *);
		bool wants_best;
	} files[] = {
		{ s->out, sweep_report_add_json, false },
		{ s->csv, sweep_report_add_csv, false },
		{ s->html, sweep_report_add_page, false },
		{ s->preset, sweep_report_add_preset, true },
	};

	for (size_t i = 0; i < COUNT(files); i++) {
		cleanup(buf_release) struct buf b = { 0 };

		if (!files[i].path.n || (files[i].wants_best && !r->has_best))
			continue;
		files[i].add(r, &b);
		TRY(save(files[i].path, buf_str(&b), why));
	}
	return ST_OK;
}

static enum status make_grid(const struct settings *s, struct detector_list *ret,
			     struct diag *why)
{
	for (size_t i = 0; i < s->grid.n; i++)
		TRY(detector_parse(ret, s->grid.v[i], why));
	if (s->seed_grid)
		detector_add_seed_grid(ret);
	if (ret->n == 0)
		detector_add_every(ret);
	return ST_OK;
}

static enum status sweep_with(const struct settings *s, const struct detector_list *grid,
			      struct sweep_report *r, struct sweep *sweep,
			      struct diag *why)
{
	struct show show = { 0 };
	struct sweep_options o = {
		.score = { .merged_is_silent = s->silent },
		.steps = s->steps,
		.threads = s->threads ? (unsigned)s->threads : cpu_count(),
		.progress = on_progress,
		.ctx = &show,
	};
	int64_t begin_ms = clock_mono_ms(&real_clock);

	TRY(signals_open(&show.signals, (int[]){ SIGINT, SIGTERM, 0 }, why));
	progress_init(&show.progress, STDERR_FILENO, &real_clock);
	show.progress.off = s->quiet;
	enum status st = sweep_run(r->set, grid, &o, sweep, why);
	progress_clear(&show.progress);
	progress_release(&show.progress);
	signals_close(&show.signals, NULL);
	if (st != ST_OK)
		return st;
	r->has_best = recommend(sweep, s->price, &r->best);
	if (r->has_best)
		recommend_interval(r->set, sweep, &o.score, &r->best);
	if (s->seed_grid)
		shapes_make(r->set, sweep, &r->shapes);
	r->duration_ms = (uint64_t)(clock_mono_ms(&real_clock) - begin_ms);
	return ST_OK;
}

static void settings_drop(struct settings *s)
{
	str_list_release(&s->grid);
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_drop) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(samples_release) struct sample_set set = { 0 };
	cleanup(detector_list_release) struct detector_list grid = { 0 };
	cleanup(sweep_release) struct sweep sweep = { 0 };
	cleanup(buf_release) struct buf line = { 0 };
	struct sweep_report r = { .set = &set, .sweep = &sweep };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0)
		return calibrate_fail(self, EXIT_USAGE,
				      "name a recording, states or pairs");
	struct sample_options how = { s.labels, s.main_content, s.own_bins };
	if (make_grid(&s, &grid, &why) != ST_OK)
		return calibrate_fail(self, EXIT_USAGE, why.text);
	if (samples_load(&set, args.words, args.n, &how, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	calibrate_command_line(argc, argv, &line);
	r.command = buf_str(&line);
	enum status st = sweep_with(&s, &grid, &r, &sweep, &why);
	if (st == ST_CANCELLED)
		return EXIT_INTERRUPTED;
	if (st == ST_OK)
		st = write_files(&s, &r, &why);
	if (st != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	if (s.json)
		calibrate_print_json(&r);
	else
		calibrate_print_sweep(&r, s.top);
	if (s.live && r.has_best)
		return calibrate_live(self, &r, s.live, s.live_dir);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh calibrate sweep --html sweep.html --preset my.preset recording/",
	  "every method on the states of a recorded crawl with labels.tsv" },
	{ "thresh calibrate sweep -g crawlhash:words:1-9:1-8 -g levenshtein states.jsonl",
	  "one surface and a baseline" },
	{ "thresh calibrate sweep --live 3 recording/",
	  "the three best methods crawl the site again" },
	{ "thresh calibrate sweep --price 4 pairs.jsonl",
	  "labelled pairs; a missed page is as bad as four duplicates" },
	{ NULL, NULL },
};

const struct command cmd_calibrate_sweep = {
	.name = "calibrate sweep",
	.summary = "try every threshold, feature, size and method on stored states",
	.operands = "RECORDING|FILE...",
	.about =
		"States are recorded once (by thresh states, or given as JSON lines with "
		"state, bin and html) and swept offline: the distances of each method, "
		"feature and size are measured once, and the state-flow graph is "
		"simulated exactly for each threshold. A missed state (a false positive) "
		"and a duplicate state (a false negative) count one each. Labelled pairs "
		"(JSON lines with label, a and b) are sites of two documents. The labels "
		"of a recording are in its labels.tsv (thresh calibrate annotate writes "
		"it).",
	.options = rows,
	.examples = examples,
	.run = run,
};
