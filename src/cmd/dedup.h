/* dedup.h - between the files of `thresh dedup`. */
#ifndef CMD_DEDUP_H
#define CMD_DEDUP_H

#include <stdio.h>

#include "cmd/args.h"
#include "cmd/dedup_lines.h"
#include "corpus/corpus.h"
#include "dup/batch.h"
#include "dup/index.h"
#include "os/progress.h"
#include "os/signals.h"

enum dedup_write { WRITE_KEPT, WRITE_DUPLICATES, WRITE_CLUSTERS, WRITE_ALL };

struct dedup_settings {
	struct str method, against, index_out, output, work, tune, preset;
	struct str field, id_field, score_field, idf, idf_out;
	double threshold; /* below 0: the method's own */
	double recall;
	int keep, write, format, input, pieces, features, weight;
	uint64_t memory, hops, size, threads;
	bool explain, html, whole_page, quiet;
};

/* Documents of an older index that ours are near to. */
struct old_match {
	uint32_t doc;
	struct verdict verdict; /* strings in `names` */
};

struct old_matches {
	struct old_match *v; /* ascending by doc */
	size_t n, cap;
	struct arena names;
};

/* What --tune chose and a preset says; as in the settings. */
struct dedup_preset {
	struct buf method;
	uint64_t size;
	int pieces, features;
	double threshold;
};

struct dedup {
	const struct dedup_settings *settings;
	const struct args *args;
	struct corpus_options corpus;
	struct dedup_preset asked;
	struct method method; /* the row, with the features asked for */
	struct idf idf;       /* weights of features, where asked for */
	struct batch batch;
	struct corpus input;
	struct dedup_lines lines; /* where writes_documents */
	bool resumed;             /* documents were in the log when it began */
	bool writes_documents;    /* the kept ones themselves, not lines about them */
	struct old_matches old;
	struct file out;
	struct buf out_text;     /* on its way there */
	const char *passing_dir; /* removed at the end, whatever happened */
	uint64_t broken;
};

/* What the run shows while it works, and what interrupts it. */
struct dedup_watch {
	struct progress progress;
	struct signals signals;
	int64_t start_ms, began_ms; /* of the stage, of the run */
	bool quiet;
	struct batch *batch;
	bool flushed; /* its log, once */
};

/* `mb` below 0: there are only counts. */
void dedup_show(struct dedup_watch *w, const char *stage, uint64_t done, uint64_t total,
		double mb);
bool dedup_interrupted(struct dedup_watch *w);
/*
 * To be called now and then: takes care that a run which is killed can go on once that
 * is worth it.  ST_CANCELLED when it was interrupted; the log is on disk then.
 */
must_use enum status dedup_pause(struct dedup_watch *w, struct diag *why);
void dedup_print_plan(const struct dedup *d, const struct corpus *c);
struct document dedup_document(const struct corpus_doc *doc);
/* Phase 1: everything that is not yet in the folder.  ST_CANCELLED when interrupted. */
must_use enum status dedup_read(struct dedup *d, struct dedup_watch *w, struct diag *why);
/* Count the features of all documents and write the table that --idf reads. */
must_use enum status dedup_make_idf(struct dedup *d, struct dedup_watch *w,
				    struct diag *why);
/* Weigh features by such a table.  ST_UNSUPPORTED when the method has no weights. */
must_use enum status dedup_load_idf(struct dedup *d, struct batch_options *o,
				    struct diag *why);
/* Whether there is an index to ask: to be known before an hour of reading. */
must_use enum status dedup_check_index(struct dedup *d, struct diag *why);
/* Ask the index of --against about every document; add what was kept to --index-out. */
must_use enum status dedup_ask_index(struct dedup *d, struct diag *why);
must_use enum status dedup_add_index(struct dedup *d, struct diag *why);
void dedup_report_broken(struct dedup *d, struct dedup_watch *w, const struct diag *why);

const struct old_match *old_matches_find(const struct old_matches *m, uint32_t doc);
/* Write what --write asks for. */
must_use enum status dedup_write(struct dedup *d, struct dedup_watch *w,
				 struct diag *why);
/* `thresh dedup --tune`: the exit code. */
int dedup_tune(const struct dedup_settings *s);

/* What the file does not say stays. */
must_use enum status dedup_read_preset(struct str path, struct dedup_preset *ret,
				       struct diag *why);
int dedup_fail(const char *text);
#endif
