/*
 * archive.h - the folder of a crawl as others read it: WARC files, their index, the
 * list of pages, the log.
 *
 *   DIR/archive/PREFIX-TIME-SERIAL-HOST.warc.gz   ".open" behind it while written
 *   DIR/indexes/index.cdxj                        sorted at the end; ".open" before
 *   DIR/pages.jsonl   DIR/crawl.log
 *
 * Everything is append-only.  archive_commit() makes all of it last and gives the
 * position that it covers; archive_open() with a position cuts whatever is behind
 * it, so that nothing is there twice when a killed crawl asks again.  A commit is
 * the owner's promise too: commit here first, then write the position down.
 * Owned by one thread, but for archive_warcinfo_id().
 */
#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

#include <stdatomic.h>

#include "archive/capture.h"
#include "os/clock.h"
#include "os/sync.h"

/* How far the files go; a zeroed one is before everything. */
struct archive_position {
	uint32_t serial; /* of the WARC file; all before it are complete */
	uint64_t warc_bytes, cdx_bytes, page_bytes, log_bytes;
};

void archive_position_encode(const struct archive_position *p, struct buf *to);
must_use enum status archive_position_decode(struct str *in,
					     struct archive_position *ret);

/* Who crawls, for the warcinfo record; empty ones are left out. */
struct archive_about {
	struct str operator_name, publisher, description, part_of, user_agent, from;
	struct str robots; /* the policy in a word: "obey" */
};

struct archive_options {
	const char *dir;
	struct str prefix; /* of file names; empty: "thresh" */
	struct archive_about about;
	const struct clock *clock;
	struct id_maker ids;
	enum warc_version version;
	enum member_format format;
	uint64_t rotate_bytes; /* begin a new file above this; 0: 1,000,000,000 */
	/* Takes a finished file over, to stay under `name` ("archive/X.warc.gz") in
	 * the folder or wherever it is kept; NULL: it is renamed. */
	enum status (*publish)(void *arg, struct str name, const char *path,
			       struct diag *why);
	void *publish_arg;
};

/* A file that is added to; what is pending was not written yet. */
struct archive_side {
	struct file file;
	struct buf pending;
};

struct archive {
	struct archive_options options;
	char *dir, *archive_dir, *index_dir;
	struct arena names;       /* what the options point to, and file names */
	struct encoder encoder;   /* for the warcinfo records and large bodies */
	struct archive_side warc; /* closed until the first capture */
	char *name;               /* of the WARC file, without ".open" */
	_Atomic uint32_t serial;  /* of the present or next WARC file */
	struct archive_side cdx, pages, log;
	struct buf scratch;
};

/* What archive_open() took away. */
struct archive_cut {
	uint32_t files; /* WARC files that were begun after the position */
	uint64_t warc_bytes;
};

/*
 * Open the folder for adding.  `at` is the last committed position (zeroed when
 * there is none): WARC files of ours behind it are removed, the one it names is cut
 * and finished, the lists are cut.  ST_CORRUPT when less is there than was committed.
 */
must_use enum status archive_open(struct archive *ret,
				  const struct archive_options *options,
				  const struct archive_position *at,
				  struct archive_cut *ret_cut, struct diag *why);

/* Where a record stands. */
struct archive_place {
	struct str filename; /* lives as long as the archive */
	uint64_t offset, length;
};

/*
 * Append all records of a capture.  `r` is the result it was made of; its spooled
 * body is read here.  On failure (a full disk) nothing of it stays, and it may be
 * tried again.
 */
must_use enum status archive_add(struct archive *a, const struct capture *c,
				 const struct fetch_result *r,
				 struct archive_place *ret_place, struct diag *why);

/* A line of pages.jsonl. */
struct archive_page {
	struct str url, title;
	int64_t date_ms;
	struct str text; /* empty: left out, as the next ones */
	struct str language, mime;
	int status;
	bool seed;
};

must_use enum status archive_add_page(struct archive *a, const struct archive_page *p,
				      struct diag *why);
/* A line of crawl.log, as crawl_log_add() makes it. */
must_use enum status archive_add_log(struct archive *a, struct str line,
				     struct diag *why);

/* All on disk when it returns, or, given a set, once that is synced. */
must_use enum status archive_commit(struct archive *a, struct sync_set *later,
				    struct archive_position *ret, struct diag *why);
/*
 * Finish: the WARC file gets its name, the index is sorted.  Only after the last
 * position was committed and written down.  Releases in any case.
 */
must_use enum status archive_close(struct archive *a, struct diag *why);
/* Leave everything as it is, as a crash would, but free the memory. */
void archive_release(struct archive *a);

/* The name of the present file's warcinfo record, for encoders.  Any thread. */
struct record_id archive_warcinfo_id(const struct archive *a);
#endif
