/*
 * manifest.h - the list of files that make up the store, replaced at once.
 *
 * A text of lines, the last one a checksum of those before.  What it does not
 * name does not exist: left-overs of a crash are removed when the store is opened
 * for writing.
 */
#ifndef STORE_MANIFEST_H
#define STORE_MANIFEST_H

#include "base/buf.h"

#define MANIFEST_NAME "MANIFEST"

struct manifest_part {
	uint64_t file, first; /* file number and first term number */
};

struct manifest {
	uint64_t next_file; /* number for the next file */
	uint64_t wal;       /* the first log to replay */
	uint64_t next_blank;
	uint64_t next_term; /* first number of the part in memory */
	uint64_t *segments; /* oldest first */
	size_t n_segments, segments_cap;
	struct manifest_part *parts; /* settled dictionary parts */
	size_t n_parts, parts_cap;
};

void manifest_release(struct manifest *m);
struct manifest manifest_copy(const struct manifest *m);
must_use enum status manifest_load(struct manifest *ret, const char *path,
				   struct diag *why);
must_use enum status manifest_save(const struct manifest *m, const char *path,
				   struct diag *why);
must_use enum status manifest_parse(struct str text, struct manifest *ret,
				    struct diag *why);
#endif
