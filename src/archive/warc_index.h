/*
 * warc_index.h - CDXJ lines for WARC files that are there already.
 *
 * The same records and the same lines as the field's indexer takes: responses,
 * revisits, resources, and metadata that is not application/warc-fields.
 */
#ifndef ARCHIVE_WARC_INDEX_H
#define ARCHIVE_WARC_INDEX_H

#include "os/extsort.h"
#include "warc/warc_read.h"

struct warc_index {
	struct extsort sort; /* takes the lines */
	struct digest sha1;  /* for records that bring no digest */
	struct buf head, line;
	uint64_t lines;
};

/* Lines are sorted with the help of files in `dir`. */
void warc_index_init(struct warc_index *x, const char *dir);
void warc_index_release(struct warc_index *x);
/*
 * Add the records of one file; in the index it is called `name`.  ST_CORRUPT at the
 * first damage: the lines before it stay.
 */
must_use enum status warc_index_file(struct warc_index *x, const char *path,
				     struct str name, struct diag *why);
/* The sorted lines, each with its '\n', to a file. */
must_use enum status warc_index_write(struct warc_index *x, struct file *to,
				      struct diag *why);
#endif
