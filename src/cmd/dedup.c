#include "cmd/dedup.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "cmd/commands.h"

/* What a killed run costs at the most; the log of a shorter one is never written. */
#define FLUSH_AFTER_MS 3000

#define BROKEN_TOLD 1000

#define ROW(name, letter, type, member, low, high, standard, value, words, help)        \
	{                                                                               \
		name, letter, type, offsetof(struct dedup_settings, member), low, high, \
			standard, value, words, help                                    \
	}

static const struct option_row rows[] = {
	ROW("method", 'm', OPTION_STR, method, 0, 0, "resemblance", "NAME", NULL,
	    "how documents are compared; see below"),
	ROW("threshold", 't', OPTION_REAL, threshold, -1, 1e9, "-1", "X", NULL,
	    "near from here on; -1 is the method's own"),
	ROW("recall", 0, OPTION_REAL, recall, 0.5, 0.9999, "0.99", "X", NULL,
	    "share of the near pairs at the threshold that must become candidates"),
	ROW("keep", 'k', OPTION_CHOICE, keep, 0, 0, "first", NULL, KEEP_WORDS,
	    "which document of a cluster stays"),
	ROW("size", 0, OPTION_UINT, size, 0, 16, "0", "N", NULL,
	    "pieces a shingle; 0 is the method's own"),
	ROW("pieces", 0, OPTION_CHOICE, pieces, 0, 0, "own", NULL, "own|" PIECE_NAMES,
	    "what shingles are made of"),
	ROW("features", 0, OPTION_CHOICE, features, 0, 0, "own", NULL,
	    "own|" FEATURE_WORDS, "what of a document is compared"),
	ROW("weight", 0, OPTION_CHOICE, weight, 0, 0, "own", NULL, "own|set|tf",
	    "of a feature: 1, or how often it stands there; --idf weighs by rarity"),
	ROW("hops", 0, OPTION_UINT, hops, 1, 16, "1", "N", NULL,
	    "steps of nearness a duplicate may be away from what is kept"),
	ROW("write", 'w', OPTION_CHOICE, write, 0, 0, "kept", NULL,
	    "kept|duplicates|clusters|all", "what goes to the output"),
	ROW("format", 'f', OPTION_CHOICE, format, 0, 0, "jsonl", NULL, "jsonl|tsv",
	    "how it is written"),
	ROW("output", 'o', OPTION_STR, output, 0, 0, "-", "FILE", NULL,
	    "where it goes; - is standard output"),
	ROW("explain", 'e', OPTION_FLAG, explain, 0, 0, NULL, NULL, NULL,
	    "quote what duplicates share and where they differ"),
	ROW("against", 'a', OPTION_STR, against, 0, 0, NULL, "INDEX", NULL,
	    "documents of this index count as seen before"),
	ROW("index-out", 'i', OPTION_STR, index_out, 0, 0, NULL, "INDEX", NULL,
	    "add the kept documents to this index; made when missing"),
	ROW("input", 0, OPTION_CHOICE, input, 0, 0, "auto", NULL, CORPUS_FORMATS,
	    "what the files are"),
	ROW("field", 0, OPTION_STR, field, 0, 0, "text", "NAME", NULL,
	    "the member of a JSON line that holds the text"),
	ROW("id-field", 0, OPTION_STR, id_field, 0, 0, NULL, "NAME", NULL,
	    "the member that names the document; else url or id"),
	ROW("score-field", 0, OPTION_STR, score_field, 0, 0, "score", "NAME", NULL,
	    "the member that --keep best-score looks at"),
	ROW("html", 0, OPTION_FLAG, html, 0, 0, NULL, NULL, NULL, "the field holds HTML"),
	ROW("whole-page", 0, OPTION_FLAG, whole_page, 0, 0, NULL, NULL, NULL,
	    "compare all text of HTML pages, not their main content only"),
	ROW("memory", 0, OPTION_BYTES, memory, 1 << 20, 1e15, "1G", "BYTES", NULL,
	    "for sorting; more goes to disk"),
	ROW("work", 0, OPTION_STR, work, 0, 0, NULL, "DIR", NULL,
	    "folder for the run, continued when it was interrupted; else beside the "
	    "output"),
	ROW("tune", 0, OPTION_STR, tune, 0, 0, NULL, "LABELLED", NULL,
	    "choose method and threshold from JSON lines {label, a, b}; -o gets the "
	    "preset"),
	ROW("idf", 0, OPTION_STR, idf, 0, 0, NULL, "TABLE", NULL,
	    "weigh features by their rarity in the corpus of this table"),
	ROW("idf-out", 0, OPTION_STR, idf_out, 0, 0, NULL, "TABLE", NULL,
	    "only count the features of the files, and write such a table"),
	ROW("threads", 0, OPTION_UINT, threads, 0, 256, "0", "N", NULL,
	    "that read and compare documents; 0 is one a processor"),
	ROW("preset", 0, OPTION_STR, preset, 0, 0, NULL, "FILE", NULL,
	    "method and threshold from --tune"),
	ROW("quiet", 'q', OPTION_FLAG, quiet, 0, 0, NULL, NULL, NULL,
	    "no plan and no progress"),
	OPTION_END,
};

int dedup_fail(const char *text)
{
	fprintf(stderr, "thresh dedup: %s\n", text);
	return EXIT_FAILED;
}

const struct old_match *old_matches_find(const struct old_matches *m, uint32_t doc)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->v[mid].doc < doc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->n && m->v[lo].doc == doc ? &m->v[lo] : NULL;
}

/* Bands that find `recall` of the pairs whose measure is the threshold. */
static struct bands choose_bands(const struct method *m, double threshold, double recall)
{
	double lowest = threshold;

	if (str_eq(str_from(m->name), STR("containment")))
		lowest /= 2; /* one document may be twice as long */
	return bands_choose(fmin(fmax(lowest, 0.05), 1), recall);
}

static void print_candidates(const struct batch_options *o)
{
	enum blocking how = method_blocking(o->method);

	if (how == BLOCK_BANDS || how == BLOCK_SLOTS) {
		fprintf(stderr,
			"; candidates share one of %u bands of %u slots\nS-curve   ",
			o->bands.bands, o->bands.rows);
		for (double j = 0.1; j < 0.95; j += 0.1)
			fprintf(stderr, " %.1f:%.1f%%", j,
				100 * bands_recall(o->bands, j));
		fprintf(stderr, "\n");
	} else if (method_bits(o->method) == 64) {
		fprintf(stderr, "; finds all pairs, by a Hamming index\n");
	} else {
		double at = method_keys_recall(o->method, o->threshold, o->bands,
					       o->threshold);

		fprintf(stderr,
			isnan(at) ? "; recall depends on the text\n"
				  : "; finds %.1f %% of the pairs there\n",
			100 * at);
	}
}

/* Measured: fingerprints take 0.7 of plain lines, 0.5 of a WARC.gz and 1.7 of lines
 * .gz; the lines of kept documents, where they are made, 0.8 and 2.4. */
static double disk_bytes(const struct corpus *c)
{
	return 0.8 * (double)(c->total_bytes - c->packed_bytes) +
	       4.0 * (double)c->packed_bytes;
}

void dedup_print_plan(const struct dedup *d, const struct corpus *c)
{
	const struct batch_options *o = &d->batch.options;

	fprintf(stderr, "method     %s: %s\n", o->method->name, o->method->about);
	fprintf(stderr, "near       %s %g",
		o->method->smaller_is_nearer ? "up to" : "from", o->threshold);
	print_candidates(o);
	fprintf(stderr,
		"input      %zu %s, %.1f MB\nmemory     %.0f MB for sorting, about "
		"120 bytes a document besides\ndisk       up to about %.1f MB in %s\n",
		c->files.n, c->files.n == 1 ? "file" : "files",
		(double)c->total_bytes / 1e6, (double)o->memory_bytes / 1e6,
		disk_bytes(c) / 1e6, o->dir);
}

bool dedup_interrupted(struct dedup_watch *w)
{
	return signals_take(&w->signals) != 0;
}

void dedup_show(struct dedup_watch *w, const char *stage, uint64_t done, uint64_t total,
		double mb)
{
	char line[160];
	double s = (double)(clock_mono_ms(&real_clock) - w->start_ms) / 1000;
	double share = total ? (double)done / (double)total : 0;

	if (w->quiet || !progress_due(&w->progress))
		return;
	if (mb >= 0)
		snprintf(line, sizeof(line), "%s %3.0f %%  %.0f MB/s  %.0f s left", stage,
			 100 * share, s > 0 ? mb / s : 0,
			 share > 0.001 ? s / share - s : 0);
	else
		snprintf(line, sizeof(line), "%s %" PRIu64 "%s", stage, done,
			 total ? "" : " pairs");
	progress_show(&w->progress, str_from(line));
}

void dedup_report_broken(struct dedup *d, struct dedup_watch *w, const struct diag *why)
{
	progress_clear(&w->progress);
	if (d->broken < BROKEN_TOLD)
		log_event(LOG_WARN, "broken-record", "%s", why->text);
	if (++d->broken == BROKEN_TOLD)
		log_event(LOG_WARN, "broken-record",
			  "%d so far; more are counted, not told", BROKEN_TOLD);
}

enum status dedup_pause(struct dedup_watch *w, struct diag *why)
{
	if (dedup_interrupted(w)) {
		TRY(batch_sync(w->batch, why));
		return ST_CANCELLED;
	}
	if (w->flushed || clock_mono_ms(&real_clock) - w->began_ms < FLUSH_AFTER_MS)
		return ST_OK;
	w->flushed = true;
	return batch_flush(w->batch, why);
}

static enum status tick(void *arg, const char *stage, uint64_t done, uint64_t total,
			struct diag *why)
{
	dedup_show(arg, stage, done, total, -1);
	return dedup_pause(arg, why);
}

static void print_summary(const struct dedup *d)
{
	size_t kept = 0, exact = 0, near = 0;

	for (size_t i = 0; i < d->batch.n; i++) {
		enum batch_kind kind = d->batch.results[i].kind;

		kept += kind == BATCH_KEPT && !old_matches_find(&d->old, (uint32_t)i);
		exact += kind == BATCH_EXACT;
		near += kind == BATCH_NEAR;
	}
	fprintf(stderr,
		"%zu document%s: %zu kept, %zu exact and %zu near duplicates, %zu seen "
		"before; %" PRIu64 " candidate pairs, %zu verified; %" PRIu64
		" broken records\n",
		d->batch.n, d->batch.n == 1 ? "" : "s", kept, exact, near, d->old.n,
		d->batch.candidates, d->batch.n_pairs, d->broken);
}

static enum status work(struct dedup *d, struct dedup_watch *w, struct diag *why)
{
	const struct dedup_settings *s = d->settings;

	if (s->idf_out.n)
		return dedup_make_idf(d, w, why);
	if (s->against.n)
		TRY(dedup_check_index(d, why));
	TRY(dedup_read(d, w, why));
	w->start_ms = clock_mono_ms(&real_clock);
	TRY(batch_run(&d->batch, why));
	progress_clear(&w->progress);
	if (s->against.n)
		TRY(dedup_ask_index(d, why));
	/* What is kept is safe before the index says that it was seen. */
	TRY(dedup_write(d, w, why));
	if (s->index_out.n)
		TRY(dedup_add_index(d, why));
	if (!s->quiet)
		print_summary(d);
	return ST_OK;
}

/* The folder of the run: named, beside the output, or a passing one. */
static const char *work_dir(const struct dedup_settings *s, struct buf *path)
{
	if (s->work.n) {
		buf_add(path, s->work);
		return buf_cstr(path);
	}
	if (!str_eq(s->output, STR("-"))) {
		buf_add(path, s->output);
		buf_add(path, STR(".work"));
		return buf_cstr(path);
	}
	const char *tmp = getenv("TMPDIR");
	buf_addf(path, "%s/thresh-dedup.XXXXXX", tmp ? tmp : "/tmp");
	buf_cstr(path);
	return mkdtemp(path->p);
}

static int fail_method(struct str name)
{
	fprintf(stderr, "thresh dedup: there is no method '" STR_FMT "'; there are:",
		STR_ARG(name));
	for (const struct method *m = methods; m->name; m++)
		fprintf(stderr, " %s", m->name);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static int fail_features(const char *name)
{
	fprintf(stderr,
		"thresh dedup: the method %s has its own features; --features and "
		"--weight go with:",
		name);
	for (const struct method *m = methods; m->name; m++)
		if (m->any_features)
			fprintf(stderr, " %s", m->name);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

/* The features of the method with what was asked for in their place. */
static void choose_features(struct feature_options *f, const struct dedup_preset *asked,
			    int weight)
{
	if (asked->features) {
		enum feature_kind kind = (enum feature_kind)(asked->features - 1);

		if (kind == FEATURE_SHINGLES && f->kind != FEATURE_SHINGLES)
			*f = (struct feature_options){ .piece = PIECE_WORDS,
						       .size = PAGE_SHINGLE_WORDS };
		f->kind = kind;
	}
	if (asked->size)
		f->size = (unsigned)asked->size;
	if (asked->pieces)
		f->piece = (enum piece_kind)(asked->pieces - 1);
	if (weight)
		f->weight = (enum feature_weight)(weight - 1);
}

static struct corpus_options reading_options(const struct dedup_settings *s,
					     enum feature_kind kind, const char *dir)
{
	return (struct corpus_options){
		.format = (enum corpus_format)s->input,
		.text_field = s->field,
		.name_field = s->id_field,
		.score_field = s->score_field,
		.html = s->html,
		.whole_page = s->whole_page,
		.links = kind == FEATURE_LINKS,
		.anchors = kind == FEATURE_ANCHORS,
		.metadata = kind == FEATURE_METADATA,
		.tag_paths = kind == FEATURE_TAG_PATHS || kind == FEATURE_TAGS,
		.tags_only = kind == FEATURE_TAGS,
		.spool_dir = dir,
	};
}

/* Of a measure that is a share more than all of it was asked: nothing would be near. */
static bool is_out_of_reach(const struct method *m, double threshold)
{
	return !m->smaller_is_nearer && m->threshold < 1 && threshold > 1;
}

static int fail_threshold(const struct method *m, double threshold)
{
	fprintf(stderr,
		"thresh dedup: --threshold %g: the method %s measures from 0 to 1, near "
		"is %g and more\n",
		threshold, m->name, m->threshold);
	return EXIT_USAGE;
}

static int set_up(struct dedup *d, struct batch_options *o, struct diag *why)
{
	const struct dedup_settings *s = d->settings;
	struct dedup_preset *asked = &d->asked;

	buf_add(&asked->method, s->method);
	asked->size = s->size;
	asked->pieces = s->pieces;
	asked->features = s->features;
	asked->threshold = s->threshold;
	if (s->preset.n && dedup_read_preset(s->preset, asked, why) != ST_OK)
		return dedup_fail(why->text);
	const struct method *row = method_find(buf_str(&asked->method));
	if (!row)
		return fail_method(buf_str(&asked->method));
	if ((asked->features || s->weight) && !row->any_features)
		return fail_features(row->name);
	if (is_out_of_reach(row, asked->threshold))
		return fail_threshold(row, asked->threshold);
	d->method = *row;
	choose_features(&d->method.features, asked, s->weight);
	o->method = &d->method;
	o->threshold = asked->threshold < 0 ? row->threshold : asked->threshold;
	o->bands = choose_bands(o->method, o->threshold, s->recall);
	o->memory_bytes = (size_t)s->memory;
	o->threads = (unsigned)s->threads;
	o->keep = (enum keep_policy)s->keep;
	o->hops = (unsigned)s->hops;
	o->keep_text = s->explain;
	if (s->idf.n && dedup_load_idf(d, o, why) != ST_OK)
		return dedup_fail(why->text);
	d->writes_documents = s->write == WRITE_KEPT && s->format == 0;
	d->corpus = reading_options(s, d->method.features.kind, o->dir);
	return EXIT_FINE;
}

static void dedup_release(struct dedup *d)
{
	batch_release(&d->batch);
	buf_release(&d->asked.method);
	idf_release(&d->idf);
	if (d->passing_dir) /* nobody could name it to go on */
		(void)!dir_remove(d->passing_dir, NULL);
	lines_release(&d->lines);
	corpus_release(&d->input);
	free(d->old.v);
	arena_release(&d->old.names);
	file_close(&d->out);
	buf_release(&d->out_text);
}

static int finish(struct dedup *d, enum status st, struct diag *why)
{
	if (st == ST_CANCELLED) {
		fprintf(stderr, "thresh dedup: interrupted; %s\n",
			d->passing_dir ? "name --work or -o to be able to go on"
				       : "run again to go on");
		return EXIT_INTERRUPTED;
	}
	if (st != ST_OK) {
		if (d->batch.dir &&
		    batch_count(&d->batch) == 0) /* nothing to go on with */
			(void)!batch_remove(&d->batch, NULL);
		return dedup_fail(why->text);
	}
	if (batch_remove(&d->batch, why) != ST_OK)
		return dedup_fail(why->text);
	return d->broken ? EXIT_PARTIAL : EXIT_FINE;
}

static int run_with(struct dedup *d, struct batch_options *o)
{
	int64_t now = clock_mono_ms(&real_clock);
	struct dedup_watch w = { .start_ms = now,
				 .began_ms = now,
				 .quiet = d->settings->quiet,
				 .batch = &d->batch };
	struct diag why = { 0 };
	enum status st;

	progress_init(&w.progress, STDERR_FILENO, &real_clock);
	w.progress.off = w.quiet;
	o->tick = tick;
	o->tick_arg = &w;
	st = signals_open(&w.signals, (int[]){ SIGINT, SIGTERM, 0 }, &why);
	if (st == ST_OK)
		st = batch_open(&d->batch, o, &why);
	if (st == ST_OK)
		st = work(d, &w, &why);
	progress_clear(&w.progress);
	progress_release(&w.progress);
	signals_close(&w.signals, NULL);
	return finish(d, st, &why);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct dedup_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(buf_release) struct buf dir = { 0 };
	cleanup(dedup_release) struct dedup d = { .settings = &s, .args = &args };
	struct batch_options o = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (s.tune.n)
		return dedup_tune(&s);
	if (args.n == 0) {
		fprintf(stderr, "thresh dedup: name a file, a folder, or - for standard "
				"input\n");
		return EXIT_USAGE;
	}
	o.dir = work_dir(&s, &dir);
	if (!o.dir)
		return dedup_fail("cannot make a folder for the run");
	if (s.work.n == 0 && str_eq(s.output, STR("-")))
		d.passing_dir = o.dir;
	code = set_up(&d, &o, &why);
	return code == EXIT_FINE ? run_with(&d, &o) : code;
}

static const struct example examples[] = {
	{ "thresh dedup corpus.jsonl.gz -o clean.jsonl",
	  "keep one of each near-duplicate" },
	{ "thresh dedup --write duplicates --explain crawl/archive -o dups.jsonl",
	  "what repeats in a crawl, of what, and why" },
	{ "thresh dedup --against seen.idx --index-out seen.idx today.warc.gz -o "
	  "new.jsonl",
	  "only what no earlier run had; remember it" },
	{ "thresh dedup -m simhash64 --against seen.bits --index-out seen.bits new.jsonl",
	  "the same by 64-bit fingerprints, at most 3 bits apart" },
	{ "thresh dedup -m weighted --idf-out words.idf corpus.jsonl",
	  "count words; --idf words.idf then weighs rare ones more" },
	{ "thresh dedup --tune labelled.jsonl -o my.preset",
	  "choose method and threshold from your own pairs" },
	{ NULL, NULL },
};

const struct command cmd_dedup = {
	.name = "dedup",
	.summary = "find near-duplicates in WARC, JSON lines, text and HTML",
	.operands = "FILE|DIR|-...",
	.about =
		"Documents are compared by their shingles, five words each, unless "
		"another "
		"method is named. A duplicate is only ever called so after the pair "
		"itself "
		"was compared, and it names what it is a duplicate of. Before the work "
		"the "
		"expected recall (the S-curve) and the needs are printed. An interrupted "
		"run "
		"is continued by the same command. One broken record is reported and "
		"passed "
		"over; the exit code is 3 then.\n\n"
		"Methods: resemblance (the default), jaccard, containment, weighted, "
		"oph, "
		"minhash, supershingle, mod-p, winnow, simhash64, simhash32, simhash128, "
		"crawlhash, henzinger, ssm, ssm-printed, ss, i-match, buckets, "
		"textprofile, "
		"text-digest, payload-digest, tag-paths, tag-paths-simhash, links.",
	.options = rows,
	.examples = examples,
	.run = run,
};
