#include <signal.h>
#include <stdio.h>

#include "annotate/server.h"
#include "annotate/simulated.h"
#include "cmd/args.h"
#include "cmd/calibrate.h"
#include "httpd/listen.h"
#include "os/signals.h"

struct settings {
	struct str grid, listen, out, labels;
	struct str_list names;
	uint64_t simulate, seed;
	double mistakes;
	bool json;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "listen", AT(listen), .standard = "127.0.0.1:0",
	       .value = "ADDRESS:PORT",
	       .help = "serve the site here; port 0 takes a free one; an address that "
		       "others reach lets several people answer, with the token"),
	OPTION(LIST, "name", AT(names), .value = "HOST",
	       .help = "also answer when called by this name"),
	OPTION(STR, "out", AT(out), .letter = 'o', .value = "DIR",
	       .help = "folder of annotations.jsonl and labels.tsv; without: the "
		       "recording, or ./annotations"),
	OPTION(STR, "grid", AT(grid), .letter = 'g', .value = "METHOD[:PIECES[:SIZE]]",
	       .help = "how far two samples are apart; without: tag-paths for HTML, "
		       "jaccard for text"),
	OPTION(STR, "labels", AT(labels), .value = "FILE",
	       .help = "the truth, for --simulate"),
	OPTION(UINT, "simulate", AT(simulate), .max = 100000, .standard = "0",
	       .value = "N",
	       .help = "no site: the labels give N answers; shows how many a threshold "
		       "needs"),
	OPTION(REAL, "mistakes", AT(mistakes), .max = 1, .standard = "0.05",
	       .value = "SHARE", .help = "wrong answers of a simulated annotator"),
	OPTION(UINT, "seed", AT(seed), .standard = "1", .value = "N",
	       .help = "of a simulated annotator"),
	OPTION(FLAG, "json", AT(json), .help = "print the result of --simulate as JSON"),
	OPTION_END,
};

static void settings_drop(struct settings *s)
{
	str_list_release(&s->names);
}

static enum status choose_detector(const struct settings *s, const struct sample_set *set,
				   struct detector_list *ret, struct diag *why)
{
	struct str line = s->grid;

	if (line.n == 0)
		line = set->n && set->v[0].doc.n_tag_paths ? STR("tag-paths")
							   : STR("jaccard");
	TRY(detector_parse(ret, line, why));
	if (ret->n != 1)
		return diag_fail(why, ST_SYNTAX, "one detector is wanted");
	return ST_OK;
}

/* --- without people --- */

static int simulate(const struct command *self, const struct settings *s,
		    struct study *study)
{
	struct simulated_options o = { s->simulate, s->mistakes, s->seed };
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out j = { .to = &b };
	struct simulated_result r;
	struct diag why;

	if (simulated_run(study, &o, &r, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	if (!s->json) {
		printf("%zu answers, %zu of them wrong: threshold %.4g (95 %%: %.4g to "
		       "%.4g)\nF1 of the labelled pairs %.4f, of the best threshold "
		       "%.4f\n",
		       r.answers, r.mistakes, r.estimate.threshold, r.estimate.low,
		       r.estimate.high, r.f1, r.best_f1);
		return EXIT_FINE;
	}
	json_open(&j, '{');
	json_put_uint(&j, "answers", r.answers);
	json_put_uint(&j, "mistakes", r.mistakes);
	json_put_double(&j, "threshold", r.estimate.threshold);
	json_put_double(&j, "low", r.estimate.low);
	json_put_double(&j, "high", r.estimate.high);
	json_put_double(&j, "f1", r.f1);
	json_put_double(&j, "best_f1", r.best_f1);
	json_close(&j, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
	return EXIT_FINE;
}

/* --- with people --- */

static enum status serve(const struct settings *s, const char *dir,
			 struct annotate_site *site, struct diag *why)
{
	static const int ends[] = { SIGINT, SIGTERM, 0 };
	cleanup(arena_release) struct arena bytes = { 0 };
	cleanup(buf_release) struct buf token = { 0 };
	struct annotate_options o = { s->listen, s->names.v, s->names.n };
	struct annotate_server *server;
	struct signals signals;
	int number = 0;

	TRY(listen_load_token(path_join(&bytes, dir, STR("annotate.token")), &token,
			      why));
	site->rules.token = buf_str(&token);
	TRY(signals_open(&signals, ends, why));
	TRY(annotate_start(&server, site, &o, why));
	fprintf(stderr,
		"%s\n%zu samples, %zu pairs, %zu answers so far; ^C ends. Answers are in "
		"%s/annotations.jsonl,\nlabels for 'thresh calibrate sweep' in "
		"%s/labels.tsv\n",
		annotate_url(server), site->study.pairs.set->n, site->study.pairs.n,
		site->study.answers.n, dir, dir);
	while (sigwait(&signals.set, &number) != 0)
		;
	annotate_stop(server);
	return ST_OK;
}

static int annotate(const struct command *self, const struct settings *s,
		    const struct args *args, struct annotate_site *site)
{
	cleanup(buf_release) struct buf dir = { 0 }, first = { 0 };
	struct diag why;

	buf_add(&first, args->words[0]);
	if (s->out.n)
		buf_add(&dir, s->out);
	else
		buf_add(&dir, args->n == 1 && samples_is_recording(buf_cstr(&first))
				      ? args->words[0]
				      : STR("annotations"));
	if (opinions_open(&site->file, buf_cstr(&dir), site->study.pairs.set,
			  &site->study.answers, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	if (site->file.unknown)
		fprintf(stderr, "thresh %s: %zu answers are about other samples\n",
			self->name, site->file.unknown);
	study_update(&site->study);
	enum status st = serve(s, buf_cstr(&dir), site, &why);
	opinions_close(&site->file);
	return st == ST_OK
		       ? EXIT_FINE
		       : calibrate_fail(self, st == ST_SYNTAX ? EXIT_USAGE : EXIT_FAILED,
					why.text);
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_drop) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(samples_release) struct sample_set set = { 0 };
	cleanup(detector_list_release) struct detector_list detectors = { 0 };
	struct annotate_site site = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	struct sample_options how = { .labels = s.labels };
	if (args.n == 0)
		return calibrate_fail(self, EXIT_USAGE,
				      "name a recording, states or documents");
	if (samples_load(&set, args.words, args.n, &how, &why) != ST_OK)
		return calibrate_fail(self, EXIT_FAILED, why.text);
	if (choose_detector(&s, &set, &detectors, &why) != ST_OK)
		return calibrate_fail(self, EXIT_USAGE, why.text);
	if (study_init(&site.study, &set, &detectors.v[0], &why) != ST_OK)
		code = calibrate_fail(self, EXIT_FAILED, why.text);
	else
		code = s.simulate ? simulate(self, &s, &site.study)
				  : annotate(self, &s, &args, &site);
	study_release(&site.study);
	return code;
}

static const struct example examples[] = {
	{ "thresh calibrate annotate recording/",
	  "answer in the browser which states are near-duplicates" },
	{ "thresh calibrate annotate pages.warc.gz --listen 0.0.0.0:8090 -o answers",
	  "several people answer; the printed address has the token" },
	{ "thresh calibrate annotate states.jsonl --simulate 20",
	  "how good is a threshold after twenty answers?" },
	{ NULL, NULL },
};

const struct command cmd_calibrate_annotate = {
	.name = "calibrate annotate",
	.summary = "a site on which people say which pairs are near-duplicates",
	.operands = "RECORDING|FILE...",
	.about = "Serves a page that shows two samples side by side, with what differs "
		 "marked, and asks whether they are near-duplicates. The next pair is "
		 "the one whose answer tells most about the threshold; pairs that follow "
		 "from answers are not shown. The threshold so far and its interval "
		 "stand beside it. Each fourth pair has been answered by somebody else "
		 "before, so that the agreement of the annotators (Cohen's kappa) is "
		 "known. Every answer is on disk before it is acknowledged.",
	.options = rows,
	.examples = examples,
	.run = run,
};
