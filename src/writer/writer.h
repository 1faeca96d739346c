/*
 * writer.h - the one thread that judges pages and writes everything down.
 *
 * Items come twice: to be judged (is it new?), which fixes their place in the
 * order, and to be written, strictly in that order: WARC records, lists, then the
 * journal lines of the same page.  So archive and journal agree between any two
 * items, and a commit may begin there (commit.h).  Lines that belong to no page stand
 * behind the pages that were decided before them: so the journal has causes before
 * effects.
 *
 * Owns archive, journal, ledger and the index of duplicates.  After a failure
 * (a full disk) nothing more is written, and the loop is told.
 */
#ifndef WRITER_WRITER_H
#define WRITER_WRITER_H

#include "journal/journal.h"
#include "os/queue.h"
#include "os/thread.h"
#include "pipeline/item.h"
#include "spec/settings.h"
#include "writer/app_files.h"
#include "writer/commit.h"
#include "writer/facts.h"
#include "writer/judge.h"

#define WRITER_BATCH 64

struct writer {
	const struct crawl_settings *settings;
	const struct clock *clock;
	char *dir; /* of the crawl */
	struct archive archive;
	struct blob *blob;
	bool archive_open;
	struct segment_log journal;
	struct facts *facts; /* NULL when none are kept */
	struct file ledger;
	struct buf ledger_pending;
	struct app_files apps;
	struct judge judge;
	uint64_t next_seq;          /* given to the next item judged */
	uint64_t expected_seq;      /* of the next item to be written */
	struct crawl_item **parked; /* arrived before their turn, by seq */
	size_t parked_cap;          /* a power of two */
	struct crawl_item *batches; /* lines that wait for the pages before them */
	struct crawl_item **batches_end;
	uint64_t pages; /* done, all processes together */
	int64_t last_commit_ms;
	bool dirty; /* something was written since the last commit */
	struct syncer syncer;
	enum commit_stage committing;
	uint64_t committing_pages;
	uint64_t commits;   /* that are on disk; atomic: the loop shows it */
	uint64_t committed; /* about so far the journal goes; atomic */
	struct queue in;
	struct item_batch out; /* to the loop */
	struct thread thread;
	enum status st;
	struct diag why;
	struct buf scratch, record;
};

/* How far an earlier process came; zeroed for a new crawl. */
struct writer_start {
	struct journal_commit commit;
	uint64_t journal_end;
	uint64_t items_max; /* in flight at once */
	struct blob *blob;  /* takes finished WARC files */
};

/* `digests` are taken over. */
must_use enum status
writer_open(struct writer *w, const char *dir, const struct crawl_settings *s,
	    const struct clock *clock, const struct writer_start *start,
	    struct digests *digests, struct queue *out, struct diag *why);
must_use enum status writer_start_thread(struct writer *w, struct diag *why);
/*
 * After the queue `in` was closed: wait for the thread, commit, close the archive
 * in an orderly way.  `reason` goes to the journal.
 */
must_use enum status writer_close(struct writer *w, struct str reason, struct diag *why);
/* Free everything as a crash would leave it. */
void writer_release(struct writer *w);
/* By the thread, before or behind it: what was added is on disk when it returns. */
must_use enum status writer_commit(struct writer *w, struct diag *why);
must_use enum status writer_flush_ledger(struct writer *w, struct diag *why);
must_use enum status writer_add_record(struct writer *w, const struct journal_record *r,
				       struct diag *why);
#endif
