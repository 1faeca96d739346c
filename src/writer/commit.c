#include "writer/commit.h"

#include "dup/page_check.h"
#include "writer/writer.h"

/* How soon the end of a commit is noticed by a writer that has nothing to do. */
#define LOOK_MS 5
/* So much of the journal is held back before the writer does wait. */
#define HELD_BYTES ((size_t)64 << 20)

/* All but the journal: written, and in `later` what has to be waited for. */
static enum status flush_files(struct writer *w, struct sync_set *later,
			       struct journal_commit *ret, struct diag *why)
{
	TRY(archive_commit(&w->archive, later, &ret->archive, why));
	TRY(writer_flush_ledger(w, why));
	TRY(sync_or_add(&w->ledger, later, why));
	ret->ledger_bytes = w->ledger.size;
	TRY(app_files_commit(&w->apps, later, why));
	if (w->judge.check)
		TRY(page_check_sync(w->judge.check, later, why));
	return w->facts ? facts_sync(w->facts, why) : ST_OK;
}

static enum status begin(struct writer *w, struct diag *why)
{
	struct journal_record r = { .kind = JOURNAL_COMMIT,
				    .commit = { .now_ms = clock_wall_ms(w->clock),
						.pages = w->pages } };
	cleanup(sync_set_release) struct sync_set later = { 0 };

	TRY(flush_files(w, &later, &r.commit, why));
	segment_raise_barrier(&w->journal.open);
	TRY(writer_add_record(w, &r, why));
	w->dirty = false;
	w->committing = COMMIT_FILES;
	w->committing_pages = w->pages;
	syncer_give(&w->syncer, &later);
	return ST_OK;
}

static enum status files_are_safe(struct writer *w, struct diag *why)
{
	cleanup(sync_set_release) struct sync_set later = { 0 };

	segment_lift_barrier(&w->journal.open);
	TRY(segment_log_flush(&w->journal, why));
	TRY(sync_or_add(&w->journal.open.file, &later, why));
	w->committing = COMMIT_JOURNAL;
	syncer_give(&w->syncer, &later);
	return ST_OK;
}

static enum status journal_is_safe(struct writer *w, struct diag *why)
{
	w->committing = COMMIT_NONE;
	w->last_commit_ms = clock_mono_ms(w->clock);
	__atomic_add_fetch(&w->commits, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&w->committed, segment_log_end(&w->journal), __ATOMIC_RELAXED);
	return w->facts ? facts_committed(w->facts, w->committing_pages, why) : ST_OK;
}

/* Wait so long for the disk; nothing changes when it needs longer. */
static enum status go_on(struct writer *w, int64_t timeout_ms, struct diag *why)
{
	enum status st = syncer_take(&w->syncer, timeout_ms, why);

	if (st != ST_OK)
		return st == ST_AGAIN ? ST_OK : st;
	return w->committing == COMMIT_FILES ? files_are_safe(w, why)
					     : journal_is_safe(w, why);
}

static enum status wait_for_it(struct writer *w, struct diag *why)
{
	while (w->committing)
		TRY(go_on(w, QUEUE_FOREVER, why));
	return ST_OK;
}

static int64_t due_ms(const struct writer *w)
{
	return w->last_commit_ms + (int64_t)w->settings->commit_ms -
	       clock_mono_ms(w->clock);
}

int64_t commit_due_ms(const struct writer *w)
{
	return w->committing ? LOOK_MS : MAX(due_ms(w), (int64_t)0);
}

enum status commit_step(struct writer *w, struct diag *why)
{
	if (w->committing)
		return go_on(w,
			     w->journal.open.pending.n > HELD_BYTES ? QUEUE_FOREVER : 0,
			     why);
	if (due_ms(w) > 0)
		return ST_OK;
	w->last_commit_ms = clock_mono_ms(w->clock);
	if (!w->dirty)
		return ST_OK;
	TRY(begin(w, why));
	/* The marker on the bus stands for all messages before it: none may come between.
	 */
	return w->facts ? wait_for_it(w, why) : ST_OK;
}

enum status writer_commit(struct writer *w, struct diag *why)
{
	TRY(wait_for_it(w, why));
	if (w->dirty)
		TRY(begin(w, why));
	return wait_for_it(w, why);
}
