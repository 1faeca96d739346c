/*
 * skip_store.h - URLs that were skipped, until they are wanted back.
 *
 * There are more of them than pages: every link of a site that puts a session into its
 * URLs.  Few return, so their text lies in a file, behind a buffer of its end; a store
 * without a file keeps all in memory.  The file is a view of the crawl's journal: nothing
 * in it has to survive a crash.  One owner.
 */
#ifndef ONLINE_SKIP_STORE_H
#define ONLINE_SKIP_STORE_H

#include "base/arena.h"
#include "online/online.h"
#include "os/file.h"

struct skip_store {
	struct file file;  /* closed: all is in `end` */
	struct buf end;    /* what is not in the file yet */
	uint64_t via_at;   /* of the page that links last named */
	uint64_t via_hash; /* and its hash: the links of a page come together */
	bool failed;       /* the disk: nothing more is taken */
};

/* Text goes to `path` from now on; what is there is overwritten. */
must_use enum status skip_store_open(struct skip_store *s, const char *path,
				     struct diag *why);
/* Removes the file. */
void skip_store_release(struct skip_store *s);
/* Where it is kept; false when it cannot be. */
bool skip_store_add(struct skip_store *s, const struct online_skip *what,
		    uint64_t *ret_at);
/* What was added there; its text lies in `a`.  False when the disk does not give it. */
bool skip_store_read(const struct skip_store *s, uint64_t at, struct arena *a,
		     struct online_skip *ret);
#endif
