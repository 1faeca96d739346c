/*
 * sync.h - wait for the disk in a thread of its own.
 *
 * Who needs several files on the disk before the next step collects them in a set,
 * everything written, and gives it to a syncer; what is written to them meanwhile is
 * not promised to be on disk.  A set has descriptors of its own: the files may be
 * closed or renamed before it is done.  One thread gives and asks; the syncer's own
 * thread touches nothing but the set.
 */
#ifndef OS_SYNC_H
#define OS_SYNC_H

#include "os/file.h"
#include "os/queue.h"
#include "os/thread.h"

#define SYNC_FILES_MAX 16

/* Zeroed is empty. */
struct sync_set {
	struct file v[SYNC_FILES_MAX];
	size_t n;
};

/* Without a set, or when it cannot take it, the file is synced at once. */
must_use enum status sync_or_add(struct file *f, struct sync_set *later,
				 struct diag *why);
/* All on disk when it returns; the set is empty then, also on failure. */
must_use enum status sync_all(struct sync_set *s, struct diag *why);
void sync_set_release(struct sync_set *s);

/* Zeroed is one without a thread: it syncs while it is given a set. */
struct syncer {
	struct thread thread;
	struct queue todo, done;
	struct sync_set set; /* the thread's, while busy */
	bool busy;
	enum status st;
	struct diag why;
};

must_use enum status syncer_start(struct syncer *s, struct diag *why);
/* Ends what it has begun. */
void syncer_stop(struct syncer *s);
/* Takes the set over.  Only when it is not busy. */
void syncer_give(struct syncer *s, struct sync_set *set);
/*
 * ST_AGAIN when nothing was done within `timeout_ms` (QUEUE_FOREVER); else how the last
 * set fared: it is asked once.
 */
must_use enum status syncer_take(struct syncer *s, int64_t timeout_ms, struct diag *why);
#endif
