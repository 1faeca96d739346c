#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "store/bulk_internal.h"
#include "store/segment_writer.h"

/* Alone, with nothing in memory: then what is loaded is newer than all runs. */
static enum status take_turn_with_empty_memory(struct store *s, struct diag *why)
{
	for (;;) {
		TRY(settle_memory(s, why));
		store_take_turn(s);
		if (s->now->n_runs == s->n_settled)
			return ST_OK;
		store_give_turn(s);
	}
}

/*
 * Terms may be met by other threads meanwhile: they get numbers behind all that
 * this load can give out.  What the part in memory holds is settled with it.
 */
static enum status reserve_numbers(struct store *s, uint64_t most, uint64_t *ret_first,
				   struct diag *why)
{
	struct snapshot *next = snapshot_copy(s->now);
	struct dict_part *old;
	uint64_t count;

	pthread_mutex_lock(&s->lock);
	old = dict_part_share(store_delta(s->now));
	count = dict_part_count(old);
	*ret_first = old->first + count;
	snapshot_add_part(next, dict_part_new(*ret_first + most));
	SWAP(s->now, next);
	s->terms_logged = *ret_first + most;
	pthread_mutex_unlock(&s->lock);
	snapshot_release(next);
	enum status st = ST_OK;
	if (count) {
		uint64_t number = s->manifest.next_file++;
		char *path = store_path(s, number, "dict");

		st = dict_part_settle(old, path, count, why);
		free(path);
		VEC_ADD(s->manifest.parts, s->manifest.n_parts, s->manifest.parts_cap,
			(struct manifest_part){ number, old->first });
	}
	dict_part_release(old);
	return st;
}

/* Each spilled chunk as a segment of its own, then all of them as one. */
static enum status write_spilled(struct bulk *b, const struct bulk_numbers *numbers,
				 uint64_t number, const struct snapshot *known,
				 struct diag *why)
{
	struct run **runs = xcalloc(b->n_chunks + 1, sizeof(*runs));
	size_t n = 0;
	enum status st = ST_OK;

	for (size_t i = 0; st == ST_OK && i < b->n_chunks; i++) {
		uint64_t part = b->store->manifest.next_file++;

		st = bulk_write_rows(b, &b->chunks[i], 1, numbers, part, known, why);
		chunk_release(b->chunks[i]);
		runs[n] = st == ST_OK ? segment_run_open(b->store, part, why) : NULL;
		if (st == ST_OK && !runs[n])
			st = ST_CORRUPT;
		n += runs[n] != NULL;
	}
	if (st == ST_OK)
		st = segment_unite(b->store, number, (const struct run *const *)runs, n,
				   why);
	for (size_t i = 0; i < n; i++) {
		segment_remove(b->store, runs[i]->segment);
		run_release(runs[i]);
	}
	free(runs);
	return st;
}

static enum status install(struct store *s, uint64_t number,
			   const struct manifest_part *parts, size_t n_parts,
			   struct diag *why)
{
	struct manifest *m = &s->manifest;
	struct run *run = segment_run_open(s, number, why);
	if (!run)
		return ST_CORRUPT;
	for (size_t i = 0; i < n_parts; i++)
		VEC_ADD(m->parts, m->n_parts, m->parts_cap, parts[i]);
	if (run->n_rows) /* else all of it was there already */
		VEC_ADD(m->segments, m->n_segments, m->segments_cap, number);
	else
		segment_remove(s, number);
	run_release(run);
	m->next_blank = s->next_blank;
	m->next_term = store_delta(s->now)->first;
	char *path = store_path(s, 0, MANIFEST_NAME);
	enum status st = manifest_save(m, path, why);
	free(path);
	TRY(st);
	return segments_reload(s, why);
}

static enum status write_all(struct bulk *b, struct diag *why)
{
	struct store *s = b->store;
	struct manifest_part parts[2];
	struct bulk_numbers numbers = { 0 };
	uint64_t files[2], number, most = 0;
	size_t n_parts;

	for (size_t i = 0; i < b->n_chunks; i++)
		most += b->chunks[i]->n_keys;
	TRY(reserve_numbers(s, most, &numbers.first, why));
	files[0] = s->manifest.next_file++;
	files[1] = s->manifest.next_file++;
	number = s->manifest.next_file++;
	TRY(bulk_number_terms(b, s->now, files, parts, &n_parts, &numbers, why));
	if (b->spilled)
		TRY(write_spilled(b, &numbers, number, s->now, why));
	else
		TRY(bulk_write_rows(b, b->chunks, b->n_chunks, &numbers, number, s->now,
				    why));
	return install(s, number, parts, n_parts, why);
}

enum status bulk_end(struct bulk *b, struct diag *why)
{
	struct store *s = b->store;
	struct manifest before;
	enum status st;

	/* Chunks that still are in memory join those on disk: one way through. */
	for (size_t i = 0; b->spilled && i < b->n_chunks; i++) {
		char name[40];

		if (b->chunks[i]->spilled)
			continue;
		snprintf(name, sizeof(name), "bulk-last-%zu", i);
		char *path = store_path(s, 0, name);
		st = chunk_spill(b->chunks[i], path, why);
		free(path);
		if (st != ST_OK) {
			bulk_release(b);
			return st;
		}
	}
	pthread_mutex_lock(&s->settling);
	st = take_turn_with_empty_memory(s, why);
	if (st == ST_OK) {
		before = manifest_copy(&s->manifest);
		st = write_all(b, why);
		if (st !=
		    ST_OK) { /* files that nobody names are removed at the next opening */
			before.next_file = s->manifest.next_file;
			before.next_term = store_delta(s->now)->first;
			SWAP(before, s->manifest);
		}
		manifest_release(&before);
		store_give_turn(s);
	}
	bulk_release(b);
	if (st == ST_OK)
		st = settle_merge(s, why);
	pthread_mutex_unlock(&s->settling);
	return st;
}
