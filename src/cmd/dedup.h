/* dedup.h - between the files of `thresh dedup`. */
#ifndef CMD_DEDUP_H
#define CMD_DEDUP_H

#include <stdio.h>

#include "cmd/args.h"
#include "corpus/corpus.h"
#include "dup/batch.h"
#include "dup/index.h"

enum dedup_write { WRITE_KEPT, WRITE_DUPLICATES, WRITE_CLUSTERS, WRITE_ALL };

struct dedup_settings {
	struct str method, against, index_out, output, work, tune, preset;
	struct str field, id_field, score_field;
	double threshold; /* below 0: the method's own */
	double recall;
	int keep, write, format, input, pieces;
	uint64_t memory, hops, size;
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

struct dedup {
	const struct dedup_settings *settings;
	const struct args *args;
	struct corpus_options corpus;
	struct method method; /* the row, with the features asked for */
	struct batch batch;
	struct old_matches old;
	FILE *out;
	const char *passing_dir; /* removed at the end, whatever happened */
	uint64_t broken;
};

const struct old_match *old_matches_find(const struct old_matches *m, uint32_t doc);
/* Write what --write asks for; reads the corpus once more for the kept documents. */
must_use enum status dedup_write(struct dedup *d, struct diag *why);
/* `thresh dedup --tune`: the exit code. */
int dedup_tune(const struct dedup_settings *s);
/* What a preset file says; what it does not say stays. */
must_use enum status dedup_read_preset(struct str path, struct buf *ret_method,
				       uint64_t *ret_size, double *ret_threshold,
				       struct diag *why);
int dedup_fail(const char *text);
#endif
