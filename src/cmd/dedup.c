#include <stdio.h>
#include <stdlib.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/dedup_show.h"

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
	ROW("verify", 0, OPTION_CHOICE, verify, 0, 0, "auto", NULL, "auto|yes|no",
	    "compare the texts of pairs that fingerprints call near; auto: of simhash, "
	    "crawlhash, ssm"),
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

static int run_with(struct dedup *d, const char *passing_dir)
{
	struct dedup_screen screen;
	struct diag why = { 0 };
	enum status st = screen_open(&screen, d->settings->quiet, &why);

	d->hooks = screen_hooks(&screen);
	if (st == ST_OK)
		st = dedup_run(d, &why);
	screen_close(&screen);
	if (st == ST_CANCELLED) {
		fprintf(stderr, "thresh dedup: interrupted; %s\n",
			passing_dir ? "name --work or -o to be able to go on"
				    : "run again to go on");
		return EXIT_INTERRUPTED;
	}
	if (st != ST_OK)
		return dedup_fail(why.text);
	if (d->settings->idf_out.n && !d->settings->quiet)
		fprintf(stderr, "%llu documents, %zu different features\n",
			(unsigned long long)d->idf.documents, d->idf.counts.n);
	else if (!d->settings->quiet)
		print_summary(d);
	if (dedup_finish(d, &why) != ST_OK)
		return dedup_fail(why.text);
	return d->broken ? EXIT_PARTIAL : EXIT_FINE;
}

static int run_in(const struct dedup_settings *s, const struct args *args)
{
	cleanup(buf_release) struct buf path = { 0 };
	cleanup(dedup_release) struct dedup d = { .settings = s,
						  .words = args->words,
						  .n_words = args->n };
	const char *dir = work_dir(s, &path);
	struct diag why;

	if (!dir)
		return dedup_fail("cannot make a folder for the run");
	/* Nobody could name it to go on: it is removed whatever happened. */
	bool passing = s->work.n == 0 && str_eq(s->output, STR("-"));
	enum dedup_fault fault = dedup_set_up(&d, dir, &why);
	int code = fault == DEDUP_FINE ? run_with(&d, passing ? dir : NULL)
				       : print_fault(&d, fault, &why);
	if (passing)
		(void)!dir_remove(dir, NULL);
	return code;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct dedup_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
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
	return run_in(&s, &args);
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
