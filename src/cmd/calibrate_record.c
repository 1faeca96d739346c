#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/args.h"
#include "cmd/calibrate.h"
#include "os/file.h"
#include "studies/live.h"
#include "studies/record.h"

struct settings {
	struct str out, common;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "out", AT(out), .letter = 'o', .standard = "recorded", .value = "DIR",
	       .help = "a folder per site goes here"),
	OPTION(STR, "settings", AT(common), .value = "FILE",
	       .help = "options of thresh states for all sites, 'name value' per line"),
	OPTION_END,
};

static bool stop;

static void on_signal(int nr)
{
	(void)nr;
	stop = true;
}

static void listen_to_signals(void)
{
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
}

/* --- live --- */

static void print_live(const struct sweep *sw, const struct recommendation *b,
		       const struct live_result *l)
{
	const struct swept_detector *w = &sw->v[b->detector];
	const struct score *s = &w->v[b->point].score;
	cleanup(buf_release) struct buf features = { 0 };

	detector_add_features(w->detector, &features);
	printf("%-17.*s %-12s %9.4g %9u %7u %11u %9u %7u %11u %9u ",
	       STR_ARG(detector_name(w->detector)), buf_cstr(&features),
	       w->v[b->point].threshold, s->kept, s->missed, s->duplicates, l->states,
	       l->missed, l->duplicates, l->unmatched);
	if (isnan(live_speed(l)))
		printf("%8s\n", "-");
	else
		printf("%7.1f%%\n", live_speed(l));
	fflush(stdout);
}

int calibrate_live(const struct command *self, const struct sweep_report *r, size_t n,
		   struct str dir)
{
	size_t ranked, done = 0;
	struct recommendation *v = calibrate_rank(r->sweep, r->best.price, &ranked);
	struct diag why = { 0 };
	enum status st = ST_OK;

	listen_to_signals();
	printf("\ncrawled again; speed is against the recording, positive is faster\n"
	       "%-17s %-12s %9s %9s %7s %11s %9s %7s %11s %9s %8s\n",
	       "method", "features", "threshold", "simulated", "missed", "duplicates",
	       "live", "missed", "duplicates", "unmatched", "speed");
	for (size_t i = 0; i < ranked && done < n && st == ST_OK && !stop; i++) {
		const struct swept_detector *w = &r->sweep->v[v[i].detector];
		cleanup(buf_release) struct buf folder = { 0 };
		struct live_result l;

		/* A baseline is no method of thresh states, and has no pictures. */
		if (!w->detector->method || w->detector->features.kind == FEATURE_PICTURE)
			continue;
		buf_addf(&folder, STR_FMT "/%zu", STR_ARG(dir), ++done);
		st = live_run(r->set, w, v[i].point, buf_cstr(&folder), &stop, &l, &why);
		if (st == ST_OK)
			print_live(r->sweep, &v[i], &l);
	}
	free(v);
	if (stop)
		return EXIT_INTERRUPTED;
	return st == ST_OK ? EXIT_FINE : calibrate_fail(self, EXIT_FAILED, why.text);
}

/* --- record --- */

static enum status load(struct str path, struct buf *to, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_add(&name, path);
	return path.n ? file_load(buf_cstr(&name), (size_t)16 << 20, to, why) : ST_OK;
}

/* One that fails is told, and the next one is crawled. */
static size_t record_all(const struct command *self, const struct settings *s,
			 const struct site_tasks *sites, struct str common)
{
	size_t failed = 0;

	for (size_t i = 0; i < sites->n && !stop; i++) {
		cleanup(buf_release) struct buf dir = { 0 };
		struct diag why = { 0 };

		buf_addf(&dir, STR_FMT "/%zu", STR_ARG(s->out), i + 1);
		struct record_options o = { .url = sites->v[i].url,
					    .common = common,
					    .own = sites->v[i].settings,
					    .dir = buf_cstr(&dir),
					    .stop = &stop };
		if (record_site(&o, &why) == ST_OK) {
			printf("%s  " STR_FMT "\n", buf_cstr(&dir), STR_ARG(o.url));
		} else {
			calibrate_fail(self, EXIT_FAILED, why.text);
			failed++;
		}
		fflush(stdout);
	}
	return failed;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(site_tasks_release) struct site_tasks sites = { 0 };
	cleanup(buf_release) struct buf text = { 0 }, common = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	enum status st = ST_OK;

	if (code != ARGS_GO)
		return code;
	if (args.n == 0)
		return calibrate_fail(self, EXIT_USAGE, "name a file of sites");
	for (size_t i = 0; i < args.n && st == ST_OK; i++) {
		cleanup(buf_release) struct buf list = { 0 };

		st = load(args.words[i], &list, &why);
		if (st == ST_OK)
			st = site_tasks_parse(&sites, buf_str(&list), &why);
	}
	if (st == ST_OK)
		st = load(s.common, &text, &why);
	if (st == ST_OK)
		st = site_settings_parse(buf_str(&text), &common, &why);
	if (st != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	listen_to_signals();
	size_t failed = record_all(self, &s, &sites, buf_str(&common));
	if (stop)
		return EXIT_INTERRUPTED;
	return failed == 0 ? EXIT_FINE : failed < sites.n ? EXIT_PARTIAL : EXIT_FAILED;
}

static const struct example examples[] = {
	{ "thresh calibrate record sites.txt -o recorded", "each site of the list" },
	{ "thresh calibrate record --settings common.txt sites.txt",
	  "with settings for all of them" },
	{ NULL, NULL },
};

const struct command cmd_calibrate_record = {
	.name = "calibrate record",
	.summary = "crawl sites once, every change a state, to sweep them later",
	.operands = "SITES...",
	.about =
		"A list has a site per line: its address, then options of thresh states "
		"as name=value words. Every change of the DOM is a state, depth and "
		"visits have no limit; what a list or --settings says wins. A crawl that "
		"was interrupted is resumed when it is named again.",
	.options = rows,
	.examples = examples,
	.run = run,
};
