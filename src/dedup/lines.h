/*
 * lines.h - where the line of each document stands that is written if it is kept.
 *
 * A line of plain JSON lines stays where it is, in its file; of everything else
 * (compressed lines, WARC, HTML, text) the line is made while the document is read,
 * because reading it again costs more than its bytes; such lines wait in memory, and
 * in a passing file when they are too many.  Not kept over a crash: whoever resumes
 * reads the corpus again and adds all lines again.  One thread.
 */
#ifndef DEDUP_LINES_H
#define DEDUP_LINES_H

#include "os/map_file.h"
#include "os/segment.h"

#define LINES_MADE UINT32_MAX /* as the file's number: a line that was made */

struct line_place {
	uint64_t offset;
	uint32_t bytes; /* with its newline */
	uint32_t file;  /* number in the corpus, or LINES_MADE */
};

struct dedup_lines {
	struct segment made;
	struct line_place *v; /* a document each */
	size_t n, cap;
};

/* Up to `hold_bytes` stay in memory. */
must_use enum status lines_open(struct dedup_lines *l, const char *dir, size_t hold_bytes,
				struct diag *why);
void lines_release(struct dedup_lines *l);
/* The next document's line stands in the file of this number. */
void lines_add_place(struct dedup_lines *l, size_t file, uint64_t offset, size_t bytes);
/* The same for a line that was made; it ends in a newline. */
must_use enum status lines_add_made(struct dedup_lines *l, struct str line,
				    struct diag *why);

#define LINES_AT_ONCE 256

/* Lines on their way to the output, many in one go. */
struct lines_copy {
	struct dedup_lines *lines;
	const struct str_list *files; /* of the corpus */
	struct file *out;
	struct map_file map;
	struct str from; /* the bytes of the file now read */
	uint32_t from_nr;
	bool started;
	struct iovec v[LINES_AT_ONCE]; /* not yet copied */
	size_t n, bytes;
};

must_use enum status lines_copy_start(struct lines_copy *c, struct dedup_lines *lines,
				      const struct str_list *files, struct file *out,
				      struct diag *why);
must_use enum status lines_copy_add(struct lines_copy *c, size_t doc, struct diag *why);
must_use enum status lines_copy_end(struct lines_copy *c, struct diag *why);
void lines_copy_release(struct lines_copy *c);
#endif
