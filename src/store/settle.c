/*
 * From memory to disk, and small segments into larger ones, while commits go on.
 *
 * Settling the memory: (1) with the turn: the runs in memory are frozen, a new
 * dictionary part and a new log begin; (2) without it: the frozen runs are
 * written as one segment; (3) the manifest names it and the new log; (4) with the
 * turn: the snapshot gets the files for the arrays.  Death before (3) leaves both
 * logs to be replayed.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "store/segment_writer.h"
#include "store/store_internal.h"

#define MERGE_RATIO 4 /* an elder less than so many times as large is merged */

static enum status save_manifest(struct store *s, struct diag *why)
{
	char *path = store_path(s, 0, MANIFEST_NAME);
	enum status st = manifest_save(&s->manifest, path, why);

	free(path);
	return st;
}

/* Step 1.  Gives the snapshot whose newest `n_frozen` runs are settled now, or NULL when
 * there is nothing. */
static enum status freeze(struct store *s, struct snapshot **ret,
			  struct dict_part **ret_part, uint64_t *ret_old_wal,
			  struct diag *why)
{
	struct snapshot *next;
	uint64_t wal;

	*ret = NULL;
	if (s->now->n_runs == s->n_settled)
		return ST_OK;
	/* Terms met since the last commit go to the old log: their part is settled whole.
	 */
	TRY(wal_log(s, NULL, 0, why));
	wal = s->manifest.next_file++;
	segment_close(&s->wal);
	TRY(wal_open(s, wal, why));
	*ret_old_wal = s->manifest.wal;
	next = snapshot_copy(s->now);
	pthread_mutex_lock(&s->lock); /* store_intern() looks at the last part */
	struct dict_part *old = store_delta(s->now);
	snapshot_add_part(next, dict_part_new(old->first + dict_part_count(old)));
	*ret_part = dict_part_share(old);
	s->n_frozen = next->n_runs - s->n_settled;
	SWAP(s->now, next);
	pthread_mutex_unlock(&s->lock);
	*ret = next; /* the one before: it has the same runs */
	return ST_OK;
}

/* Step 4: files instead of the frozen runs and of their dictionary part. */
static void exchange(struct store *s, struct run *settled, struct dict_part *part)
{
	struct snapshot *next = NEW(struct snapshot), *now = s->now;
	size_t part_at = now->n_parts - 2;

	next->refs = 1;
	for (size_t i = 0; i < s->n_settled; i++)
		snapshot_add_run(next, run_share(now->runs[i]));
	if (settled)
		snapshot_add_run(next, settled);
	for (size_t i = s->n_settled + s->n_frozen; i < now->n_runs; i++)
		snapshot_add_run(next, run_share(now->runs[i]));
	for (size_t i = 0; i < now->n_parts; i++) {
		if (i != part_at)
			snapshot_add_part(next, dict_part_share(now->parts[i]));
		else if (part)
			snapshot_add_part(next, part);
	}
	s->n_settled += settled != NULL;
	s->n_frozen = 0;
	store_publish(s, next);
}

/* The runs are merged on their way to the disk: a copy in memory would be as large again.
 */
static enum status write_frozen(struct store *s, const struct snapshot *frozen,
				const struct dict_part *part, uint64_t number,
				struct diag *why)
{
	uint64_t terms = dict_part_count(part);

	if (terms) {
		char *path = store_path(s, number, "dict");
		enum status st = dict_part_settle(part, path, terms, why);

		free(path);
		TRY(st);
	}
	return segment_write(s, number,
			     (const struct run *const *)frozen->runs + s->n_settled,
			     s->n_frozen, why);
}

/* What was written; *ret is NULL when its rows took each other back. */
static enum status open_written(struct store *s, uint64_t number, struct run **ret,
				struct diag *why)
{
	*ret = segment_run_open(s, number, why);
	if (!*ret)
		return ST_CORRUPT;
	if ((*ret)->n_rows == 0) {
		run_release(TAKE(*ret));
		segment_remove(s, number);
	}
	return ST_OK;
}

static void remove_logs(const struct store *s, uint64_t from, uint64_t to)
{
	for (uint64_t n = from; n < to; n++) {
		char *path = store_path(s, n, "wal");

		if (file_exists(path))
			(void)!file_remove(path, NULL);
		free(path);
	}
}

/* Steps 3 and 4: make it count. */
static enum status install(struct store *s, const struct dict_part *part, uint64_t number,
			   struct diag *why)
{
	struct manifest *m = &s->manifest;
	struct run *settled = NULL;
	struct dict_part *settled_part = NULL;
	uint64_t terms = dict_part_count(part);

	if (terms) {
		char *path = store_path(s, number, "dict");

		settled_part = dict_part_open(path, part->first, why);
		free(path);
		if (!settled_part)
			return ST_CORRUPT;
		VEC_ADD(m->parts, m->n_parts, m->parts_cap,
			(struct manifest_part){ number, part->first });
	}
	TRY(open_written(s, number, &settled, why));
	if (settled)
		VEC_ADD(m->segments, m->n_segments, m->segments_cap, number);
	m->next_blank = s->next_blank;
	m->next_term = store_delta(s->now)->first;
	TRY(save_manifest(s, why));
	exchange(s, settled, settled_part);
	return ST_OK;
}

enum status settle_memory(struct store *s, struct diag *why)
{
	struct snapshot *frozen;
	struct dict_part *part;
	uint64_t old_wal, number;
	enum status st;

	store_take_turn(s);
	st = freeze(s, &frozen, &part, &old_wal, why);
	number = s->manifest.next_file;
	if (frozen)
		s->manifest.next_file++;
	uint64_t new_wal = number - 1;
	store_give_turn(s);
	if (st != ST_OK || !frozen)
		return st;
	st = write_frozen(s, frozen, part, number, why);
	if (st == ST_OK) {
		store_take_turn(s);
		s->manifest.wal = new_wal;
		st = install(s, part, number, why);
		store_give_turn(s);
	}
	if (st == ST_OK)
		remove_logs(s, old_wal, new_wal);
	snapshot_release(frozen);
	dict_part_release(part);
	return st;
}

/* How many of the newest settled runs belong together now; less than 2: none. */
static size_t due_for_merge(const struct store *s)
{
	size_t n = 1;
	uint64_t rows;

	if (s->n_settled < 2)
		return 0;
	rows = s->now->runs[s->n_settled - 1]->n_rows;
	while (n < s->n_settled &&
	       s->now->runs[s->n_settled - 1 - n]->n_rows < MERGE_RATIO * rows) {
		rows += s->now->runs[s->n_settled - 1 - n]->n_rows;
		n++;
	}
	return n;
}

/* The new segment in the place of the `n` newest settled ones. */
static enum status install_merged(struct store *s, size_t n, uint64_t number,
				  struct diag *why)
{
	struct run *merged = segment_run_open(s, number, why);
	struct snapshot *next, *now = s->now;
	size_t from = s->n_settled - n;

	if (!merged)
		return ST_CORRUPT;
	s->manifest.n_segments -= n;
	s->manifest.segments[s->manifest.n_segments++] = number;
	enum status st = save_manifest(s, why);
	if (st != ST_OK) {
		run_release(merged);
		return st;
	}
	next = NEW(struct snapshot);
	next->refs = 1;
	for (size_t i = 0; i < from; i++)
		snapshot_add_run(next, run_share(now->runs[i]));
	snapshot_add_run(next, merged);
	for (size_t i = s->n_settled; i < now->n_runs; i++)
		snapshot_add_run(next, run_share(now->runs[i]));
	for (size_t i = 0; i < now->n_parts; i++)
		snapshot_add_part(next, dict_part_share(now->parts[i]));
	s->n_settled = from + 1;
	store_publish(s, next);
	return ST_OK;
}

enum status settle_merge(struct store *s, struct diag *why)
{
	for (;;) {
		struct snapshot *now = store_snapshot(s);
		size_t n = due_for_merge(s), from = s->n_settled - n;
		uint64_t number, old[64];
		enum status st;

		n = MIN(n, COUNT(old));
		if (n < 2) {
			snapshot_release(now);
			return ST_OK;
		}
		store_take_turn(s);
		number = s->manifest.next_file++;
		store_give_turn(s);
		for (size_t i = 0; i < n; i++)
			old[i] = now->runs[from + i]->segment;
		st = segment_write(s, number, (const struct run *const *)now->runs + from,
				   n, why);
		snapshot_release(now);
		TRY(st);
		store_take_turn(s);
		st = install_merged(s, n, number, why);
		store_give_turn(s);
		TRY(st);
		for (size_t i = 0; i < n; i++)
			segment_remove(s, old[i]);
	}
}

enum status store_flush(struct store *s, struct diag *why)
{
	if (!s->dir || s->options.read_only)
		return ST_OK;
	pthread_mutex_lock(&s->settling);
	enum status st = settle_memory(s, why);
	if (st == ST_OK)
		st = settle_merge(s, why);
	if (st == ST_OK)
		st = settle_parts(s, why);
	pthread_mutex_unlock(&s->settling);
	return st;
}

void settle_background(void *store)
{
	struct store *s = store;

	pthread_mutex_lock(&s->lock);
	while (!s->stop) {
		if (!s->wanted) {
			pthread_cond_wait(&s->changed, &s->lock);
			continue;
		}
		s->wanted = false;
		pthread_mutex_unlock(&s->lock);
		struct diag why = { { 0 } };
		enum status st = store_flush(s, &why);
		pthread_mutex_lock(&s->lock);
		if (st != ST_OK && s->background_st == ST_OK) {
			s->background_st = st;
			s->background_why = why;
		}
	}
	pthread_mutex_unlock(&s->lock);
}
