/*
 * inbox.h - demands on their way to a crawl, durable.
 *
 * An append-only log in DIR/state/inbox (os/segment_log.h).  Whoever answers HTTP adds
 * blocks of demands and acknowledges them when they are on disk; the crawl reads them in
 * order, and its journal says how far it came.  So nothing that was acknowledged is lost
 * when either dies, and nothing is done twice.  One process at a time may add, any of its
 * threads; one fsync serves all that wait for one.
 */
#ifndef CONTROL_INBOX_H
#define CONTROL_INBOX_H

#include <pthread.h>

#include "control/demand.h"
#include "os/segment_log.h"

#define INBOX_BLOCK ((size_t)64 << 10) /* demands are added in blocks of about this */

extern const struct segment_kind inbox_segments;

struct inbox {
	struct file lock_file; /* held by the process that adds */
	struct segment_log log;
	pthread_mutex_t adding;
	pthread_mutex_t syncing; /* held during an fsync; taken before `adding` */
	uint64_t synced;
	bool open;
};

/* ST_DENIED when another process adds to this inbox. */
must_use enum status inbox_open(struct inbox *x, const char *crawl_dir, struct diag *why);
void inbox_close(struct inbox *x);
/* Any thread.  `ret_end` is the position behind it; not durable yet. */
must_use enum status inbox_add(struct inbox *x, struct str block, uint64_t *ret_end,
			       struct diag *why);
/* All before `position` is on disk when it returns. */
must_use enum status inbox_sync(struct inbox *x, uint64_t position, struct diag *why);

/* The other end: one thread of the crawl. */
struct inbox_reader {
	char *dir;
	struct segment_cursor cursor;
	bool open;
	uint64_t position; /* all before it was read */
	uint64_t born;     /* where the inbox ended when this process began */
	bool next_is_old;  /* the block that was read last is older than this process */
};

/* Before the first demand was ever made there is no folder, which is no error. */
void inbox_reader_init(struct inbox_reader *r, const char *crawl_dir, uint64_t position);
void inbox_reader_release(struct inbox_reader *r);
/* The next block, borrowed until the next call.  ST_AGAIN when there is none. */
must_use enum status inbox_reader_next(struct inbox_reader *r, struct str *ret,
				       struct diag *why);
#endif
