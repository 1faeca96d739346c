/*
 * opinions_file.h - answers on disk, a JSON line each, synced before they are
 * acknowledged.
 *
 * DIR/annotations.jsonl is appended to: {"annotator","a","b","said","at"}, or
 * {"annotator","undo":true}.  Samples are written by name, so that the file outlives the
 * order of a recording.  DIR/labels.tsv is made from it after each answer: the grades
 * that `thresh calibrate sweep` reads.  A line cut short by a crash is dropped.
 */
#ifndef ANNOTATE_OPINIONS_FILE_H
#define ANNOTATE_OPINIONS_FILE_H

#include "annotate/opinions.h"
#include "calibrate/samples.h"
#include "os/file.h"

struct opinions_file {
	struct file file;
	char *labels; /* path */
	const struct sample_set *set;
	struct intern names; /* "SITE\tSAMPLE" -> sample */
	size_t unknown;      /* lines of samples that are not in the set */
};

/* Reads what is there into `to`; the set must outlive the file. */
must_use enum status opinions_open(struct opinions_file *f, const char *dir,
				   const struct sample_set *set, struct opinions *to,
				   struct diag *why);
void opinions_close(struct opinions_file *f);
/* Durable on success; otherwise `s` is unchanged. */
must_use enum status opinions_say(struct opinions_file *f, struct opinions *s,
				  const struct pair_answer *p, int64_t now_ms,
				  struct diag *why);
/* ST_NOT_FOUND when there is nothing to take back. */
must_use enum status opinions_take_back(struct opinions_file *f, struct opinions *s,
					uint32_t annotator, struct diag *why);
/* "grade TAB name TAB name" per decided pair. */
void opinions_add_labels(const struct opinions *s, const struct sample_set *set,
			 struct buf *to);
extern const char *const said_words[]; /* by enum said */
#endif
