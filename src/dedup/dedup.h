/*
 * dedup.h - a corpus without its near-duplicates: what `thresh dedup` does.
 *
 * dedup_set_up() turns the settings into a method with its features, dedup_run() reads
 * the corpus, finds the clusters and writes what was asked for.  Nothing here prints:
 * whoever runs it is told through the hooks, and reads counts and plan from the struct.
 * One thread owns a run; the crew that helps it is inside.
 */
#ifndef DEDUP_DEDUP_H
#define DEDUP_DEDUP_H

#include "corpus/corpus.h"
#include "dedup/lines.h"
#include "dedup/preset.h"
#include "dup/batch.h"
#include "dup/index.h"

enum dedup_write { WRITE_KEPT, WRITE_DUPLICATES, WRITE_CLUSTERS, WRITE_ALL };
enum dedup_verify { VERIFY_AUTO, VERIFY_YES, VERIFY_NO };
enum dedup_format { FORMAT_JSONL, FORMAT_TSV };

/* As the command line has them; strings are borrowed. */
struct dedup_settings {
	struct str method, against, index_out, output, work, tune, preset;
	struct str field, id_field, score_field, idf, idf_out;
	double threshold; /* below 0: the method's own */
	double recall;
	int keep, write, format, input, pieces, features, weight, verify;
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

struct dedup;

/* Called on the owner's thread; each may be NULL. */
struct dedup_hooks {
	void *arg;
	/* The input is open and nothing of it read. */
	void (*opened)(void *arg, const struct dedup *d);
	/* The input was read to its end. */
	void (*was_read)(void *arg, const struct dedup *d);
	/* `mb` below 0: there are only counts. */
	void (*progress)(void *arg, const char *stage, uint64_t done, uint64_t total,
			 double mb);
	void (*broken)(void *arg, const struct diag *why);
	bool (*interrupted)(void *arg);
};

/* What is wrong with the settings. */
enum dedup_fault {
	DEDUP_FINE,
	DEDUP_NO_METHOD,    /* none of that name */
	DEDUP_OWN_FEATURES, /* the method takes no others */
	DEDUP_NO_PICTURES,  /* documents have none */
	DEDUP_OUT_OF_REACH, /* no pair could ever reach the threshold */
	DEDUP_FAILED,       /* a file they name; the diag says it */
};

struct dedup {
	const struct dedup_settings *settings;
	const struct str *words; /* files, folders, or "-" */
	size_t n_words;
	struct dedup_hooks hooks;
	struct corpus_options corpus;
	struct dedup_preset asked;
	struct method method; /* the row, with the features asked for */
	struct idf idf;       /* weights of features, where asked for */
	struct batch_options options;
	struct batch batch;
	struct corpus input;
	struct dedup_lines lines; /* where writes_documents */
	size_t resumed;           /* documents that were in the log when it began */
	bool writes_documents;    /* the kept ones themselves, not lines about them */
	struct old_matches old;
	struct file out;
	struct buf out_text; /* on its way there */
	uint64_t broken;
	int64_t began_ms;
	bool flushed; /* the log, once */
};

/* A zeroed `d` with settings, words and hooks; `dir` is the folder of the run. */
must_use enum dedup_fault dedup_set_up(struct dedup *d, const char *dir,
				       struct diag *why);
/* ST_CANCELLED when interrupted; the same call goes on then. */
must_use enum status dedup_run(struct dedup *d, struct diag *why);
/* Remove the folder of the run: it is over. */
must_use enum status dedup_finish(struct dedup *d, struct diag *why);
void dedup_release(struct dedup *d);

struct dedup_counts {
	size_t kept, exact, near;
};
struct dedup_counts dedup_count(const struct dedup *d);
const struct old_match *old_matches_find(const struct old_matches *m, uint32_t doc);

/* Between the files of the room. */
/*
 * To be called now and then: takes care that a run which is killed can go on once that
 * is worth it.  ST_CANCELLED when it was interrupted; the log is on disk then.
 */
must_use enum status dedup_pause(struct dedup *d, struct diag *why);
void dedup_show(struct dedup *d, const char *stage, uint64_t done, uint64_t total,
		double mb);
void dedup_count_broken(struct dedup *d, const struct diag *why);
struct document dedup_document(const struct corpus_doc *doc);
/* Phase 1: everything that is not yet in the folder.  ST_CANCELLED when interrupted. */
must_use enum status dedup_read(struct dedup *d, struct diag *why);
/* Count the features of all documents and write the table that --idf reads. */
must_use enum status dedup_make_idf(struct dedup *d, struct diag *why);
/* Weigh features by such a table.  ST_UNSUPPORTED when the method has no weights. */
must_use enum status dedup_load_idf(struct dedup *d, struct diag *why);
/* Whether there is an index to ask: to be known before an hour of reading. */
must_use enum status dedup_check_index(struct dedup *d, struct diag *why);
/* Ask the index of --against about every document; add what was kept to --index-out. */
must_use enum status dedup_ask_index(struct dedup *d, struct diag *why);
must_use enum status dedup_add_index(struct dedup *d, struct diag *why);
/* Write what --write asks for. */
must_use enum status dedup_write(struct dedup *d, struct diag *why);
#endif
