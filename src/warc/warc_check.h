/*
 * warc_check.h - does a WARC file keep its promises?
 *
 * Reads every byte of the given files: the compression, the form of each record,
 * its digests, and, once all files are read, what records say of each other.
 * Every defect is told with file and offset, and reading goes on behind it where
 * that is possible.  An error breaks the standard (ISO 28500:2017, or 2009 for
 * WARC/1.0) or loses bytes; a warning is what readers commonly stumble over.
 */
#ifndef WARC_WARC_CHECK_H
#define WARC_WARC_CHECK_H

#include "base/intern.h"
#include "base/map.h"
#include "warc/warc_read.h"

struct check_finding {
	const char *path;
	uint64_t offset; /* of the member or record */
	bool is_error;
	struct str id;   /* of the record, in its brackets; may be empty */
	struct str what; /* one sentence without a full stop */
};

/* A record as far as others may speak of it. */
struct check_seen {
	uint32_t path;
	enum warc_type type;
	uint64_t offset;
};

/* What a record said of another, to be looked up at the end. */
struct check_promise {
	uint64_t target; /* hash of the id it names */
	uint64_t offset;
	uint32_t path;
	bool is_revisit; /* WARC-Refers-To of a revisit; else WARC-Concurrent-To */
};

struct warc_check {
	void (*found)(void *arg, const struct check_finding *f);
	void *arg;
	uint64_t records, errors, warnings, bytes;
	/* the rest is private */
	struct intern paths;
	struct map ids; /* hash of a record's id to its place in `seen` */
	struct check_seen *seen;
	size_t seen_count, seen_cap;
	struct check_promise *promises;
	size_t promise_count, promise_cap;
	struct digest digests[2 * DIGEST_KINDS]; /* for blocks, for payloads */
	uint32_t path;                           /* of the present file */
	const struct warc_record *record;        /* the present one, or NULL */
	uint64_t offset;
	struct buf text;
};

void warc_check_init(struct warc_check *c,
		     void (*found)(void *arg, const struct check_finding *f), void *arg);
void warc_check_release(struct warc_check *c);
/* ST_OK however many defects; anything else when the file cannot be opened. */
must_use enum status warc_check_file(struct warc_check *c, const char *path,
				     struct diag *why);
/* The same for bytes in memory, named `path`. */
void warc_check_bytes(struct warc_check *c, struct str bytes, const char *path);
/* After the last file: what records say of each other. */
void warc_check_end(struct warc_check *c);
#endif
