/*
 * dedup_lines.h - where the line of each document stands that is written if it is kept.
 *
 * A line of plain JSON lines stays where it is, in its file; of everything else
 * (compressed lines, WARC, HTML, text) the line is made while the document is read, and
 * goes to a passing file, because reading it again costs more than its bytes.  Not kept
 * over a crash: whoever resumes reads the corpus again and adds all lines again.
 * One thread.
 */
#ifndef CMD_DEDUP_LINES_H
#define CMD_DEDUP_LINES_H

#include <stdio.h>

#include "base/option.h"

#define LINES_MADE UINT32_MAX /* as the file's number: in the passing file */

struct line_place {
	uint64_t offset;
	uint32_t bytes; /* with its newline */
	uint32_t file;  /* number in the corpus, or LINES_MADE */
};

struct dedup_lines {
	FILE *made;
	uint64_t made_bytes;
	struct line_place *v; /* a document each */
	size_t n, cap;
};

must_use enum status lines_open(struct dedup_lines *l, const char *dir, struct diag *why);
void lines_release(struct dedup_lines *l);
/* The next document's line stands in the file of this number. */
void lines_add_place(struct dedup_lines *l, size_t file, uint64_t offset, size_t bytes);
/* The same for a line that was made; it ends in a newline.  Failures
 * to write show in lines_copy_start(). */
void lines_add_made(struct dedup_lines *l, struct str line);

/* Lines on their way to the output; those that stand together go in one go. */
struct lines_copy {
	struct dedup_lines *lines;
	const struct str_list *files; /* of the corpus */
	FILE *out;
	FILE *from; /* a file of the corpus, open */
	uint32_t from_nr;
	struct line_run {
		uint32_t file;
		uint64_t offset, bytes;
	} run; /* not yet copied */
	char *block;
};

must_use enum status lines_copy_start(struct lines_copy *c, struct dedup_lines *lines,
				      const struct str_list *files, FILE *out,
				      struct diag *why);
must_use enum status lines_copy_add(struct lines_copy *c, size_t doc, struct diag *why);
must_use enum status lines_copy_end(struct lines_copy *c, struct diag *why);
void lines_copy_release(struct lines_copy *c);
#endif
