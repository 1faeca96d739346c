/*
 * segment_log.h - one endless log over many segment files.
 *
 * A position in the log is one number that only grows: the count of bytes
 * written before it, file headers left out.  A file is named by the position at
 * which it begins (20 digits and ".seg"), so any position is found by name alone,
 * and old files can be dropped whole.  One writer; readers in other threads or
 * processes see what was flushed.
 */
#ifndef OS_SEGMENT_LOG_H
#define OS_SEGMENT_LOG_H

#include "os/map_file.h"
#include "os/segment.h"

struct segment_log {
	char *dir;
	const struct segment_kind *kind;
	struct segment open; /* the newest file */
	uint64_t base;       /* the position at which it begins */
	uint64_t rotate_bytes;
};

struct segment_log_options {
	uint64_t rotate_bytes; /* begin a new file above this; 0: 256 MiB */
	uint64_t synced;       /* the log is known to be good up to this position */
};

/*
 * Open for appending; folder and first file are made when missing.  A torn tail
 * is cut as in segment_open(), and told in `ret_cut` (may be NULL) as a position.
 */
must_use enum status segment_log_open(struct segment_log *ret, const char *dir,
				      const struct segment_kind *kind,
				      const struct segment_log_options *options,
				      struct segment_cut *ret_cut, struct diag *why);
void segment_log_close(struct segment_log *l);
must_use enum status segment_log_add(struct segment_log *l, struct str record,
				     uint64_t *ret_position, struct diag *why);
must_use enum status segment_log_flush(struct segment_log *l, struct diag *why);
must_use enum status segment_log_sync(struct segment_log *l, struct diag *why);
/* A record that was added to the newest file, flushed or not: see segment_get(). */
must_use enum status segment_log_read(const struct segment_log *l, uint64_t position,
				      struct buf *scratch, struct str *ret,
				      struct diag *why);
/* The position behind the last record added. */
uint64_t segment_log_end(const struct segment_log *l);
/* Remove files that end before `position`; never the newest. */
must_use enum status segment_log_drop(struct segment_log *l, uint64_t position,
				      struct diag *why);

/*
 * Forget all behind `position`, one that segment_log_add() gave or the end; the log
 * must not be open.  Lasts when it returns.
 */
must_use enum status segment_log_cut(const char *dir, uint64_t position,
				     struct diag *why);

struct segment_cursor {
	char *dir;
	const struct segment_kind *kind;
	struct map_file map; /* the file `position` is in */
	uint64_t base;
	struct segment_reader reader;
	uint64_t position; /* of the next record */
};

/*
 * Read from `position`: one that segment_log_add() gave, or the end.  Positions
 * that were dropped begin at the oldest kept; `position` of the cursor tells.
 */
must_use enum status segment_cursor_open(struct segment_cursor *ret, const char *dir,
					 const struct segment_kind *kind,
					 uint64_t position, struct diag *why);
void segment_cursor_close(struct segment_cursor *c);
/*
 * The next record, borrowed until the next call.  ST_AGAIN at the end; asking
 * later sees what was added meanwhile.  ST_CORRUPT names file and offset.
 */
must_use enum status segment_cursor_next(struct segment_cursor *c, struct str *ret,
					 struct diag *why);
#endif
