#include "store/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/store_internal.h"

#define FLUSH_ROWS_DEFAULT 1000000

struct pending {
	const struct row *rows;
	size_t n;
	bool done;
	enum status st;
	struct diag why;
	struct pending *next;
};

char *store_path(const struct store *s, uint64_t number, const char *suffix)
{
	size_t n = strlen(s->dir) + 40;
	char *path = xcalloc(n, 1);

	if (number)
		snprintf(path, n, "%s/%06llu.%s", s->dir, (unsigned long long)number,
			 suffix);
	else
		snprintf(path, n, "%s/%s", s->dir, suffix);
	return path;
}

const char *store_dir(const struct store *s)
{
	return s->dir;
}

struct dict_part *store_delta(const struct snapshot *s)
{
	return s->parts[s->n_parts - 1];
}

/* --- turns and publishing --- */

void store_take_turn(struct store *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->busy)
		pthread_cond_wait(&s->changed, &s->lock);
	s->busy = true;
	pthread_mutex_unlock(&s->lock);
}

void store_give_turn(struct store *s)
{
	pthread_mutex_lock(&s->lock);
	s->busy = false;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

/* The invariants of store_internal.h and of a list of runs; cheap, kept on in release. */
void assert_store(const struct store *s, const struct snapshot *now)
{
	assert(s->n_settled <= now->n_runs && s->n_frozen <= now->n_runs - s->n_settled);
	for (size_t i = 0; i < now->n_runs; i++) {
		const struct run *r = now->runs[i];

		assert(r->refs > 0 && r->on_disk == (i < s->n_settled));
		assert(r->n_live <= (int64_t)r->n_rows);
		for (enum order o = 0; o < ORDERS; o++)
			assert(r->on_disk ? r->rows[o] == NULL
					  : r->rows[o] || r->n_rows == 0);
	}
	assert(now->n_parts > 0);
	for (size_t i = 0; i < now->n_parts; i++) {
		const struct dict_part *p = now->parts[i];

		assert(i + 1 < now->n_parts || !p->on_disk);
		assert(i + 1 == now->n_parts ||
		       p->first + dict_part_count(p) <= now->parts[i + 1]->first);
	}
}

void store_publish(struct store *s, struct snapshot *next)
{
	assert_store(s, next);
	pthread_mutex_lock(&s->lock);
	SWAP(s->now, next);
	pthread_mutex_unlock(&s->lock);
	snapshot_release(next);
}

struct snapshot *store_snapshot(struct store *s)
{
	struct snapshot *now;

	pthread_mutex_lock(&s->lock);
	now = snapshot_share(s->now);
	pthread_mutex_unlock(&s->lock);
	return now;
}

/* --- opening --- */

static enum status make_new(struct store *s, struct diag *why)
{
	char *path = store_path(s, 0, MANIFEST_NAME);
	enum status st;

	s->manifest = (struct manifest){
		.next_file = 2, .wal = 1, .next_blank = 1, .next_term = 1
	};
	st = manifest_save(&s->manifest, path, why);
	free(path);
	return st;
}

static enum status lock_folder(struct store *s, struct diag *why)
{
	char *path = store_path(s, 0, "lock");
	enum status st = file_open(&s->lock_file, path, FILE_UPDATE, why);

	free(path);
	TRY(st);
	if (file_lock(&s->lock_file, why) != ST_OK)
		return diag_fail(why, ST_DENIED, "%s is being written by another process",
				 s->dir);
	return ST_OK;
}

static enum status load_manifest(struct store *s, struct diag *why)
{
	char *path = store_path(s, 0, MANIFEST_NAME);
	bool exists = file_exists(path);
	enum status st = ST_OK;

	if (exists)
		st = manifest_load(&s->manifest, path, why);
	free(path);
	if (exists)
		return st;
	if (s->options.read_only || s->options.must_exist)
		return diag_fail(why, ST_NOT_FOUND, "%s is not a knowledge base", s->dir);
	return make_new(s, why);
}

/* A writer may merge away the files we are about to open: then look again. */
static enum status load_files(struct store *s, struct diag *why)
{
	enum status st = ST_OK;

	for (int tries = 0; tries < 5; tries++) {
		manifest_release(&s->manifest);
		TRY(load_manifest(s, why));
		st = segments_open(s, why);
		if (st == ST_OK || !s->options.read_only)
			break;
	}
	TRY(st);
	s->next_blank = s->manifest.next_blank;
	return wal_replay(s, why);
}

static enum status open_folder(struct store *s, struct diag *why)
{
	if (!s->options.read_only) {
		if (!s->options.must_exist)
			TRY(dir_make(s->dir, why));
		else if (!dir_exists(s->dir))
			return diag_fail(why, ST_NOT_FOUND, "%s is not a knowledge base",
					 s->dir);
		TRY(lock_folder(s, why));
	}
	TRY(load_files(s, why));
	if (s->options.read_only)
		return ST_OK;
	/* Append to the newest log; older ones stay until their rows are settled. */
	uint64_t newest = s->manifest.wal;
	for (uint64_t n = newest; n < s->manifest.next_file; n++) {
		char *path = store_path(s, n, "wal");

		if (file_exists(path))
			newest = n;
		free(path);
	}
	TRY(wal_open(s, newest, why));
	if (!s->options.no_background)
		TRY(thread_start(&s->background, "kb-settle", settle_background, s, why));
	return ST_OK;
}

enum status store_open(struct store **ret, const char *dir,
		       const struct store_options *options, struct diag *why)
{
	struct store *s = NEW(struct store);

	if (options)
		s->options = *options;
	if (s->options.flush_rows == 0)
		s->options.flush_rows = FLUSH_ROWS_DEFAULT;
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->settling, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->last = &s->first;
	s->next_blank = 1;
	s->now = NEW(struct snapshot);
	s->now->refs = 1;
	if (!dir) {
		snapshot_add_part(s->now, dict_part_new(1));
		*ret = s;
		return ST_OK;
	}
	s->dir = strdup(dir);
	enum status st = open_folder(s, why);
	if (st != ST_OK) {
		store_close(s);
		return st;
	}
	*ret = s;
	return ST_OK;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	thread_join(&s->background);
	segment_close(&s->wal);
	file_close(&s->lock_file);
	snapshot_release(s->now);
	snapshot_release(s->step);
	manifest_release(&s->manifest);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->settling);
	pthread_cond_destroy(&s->changed);
	free(s->step_rows);
	free(s->dir);
	free(s);
}

enum status store_background_status(struct store *s, struct diag *why)
{
	enum status st;

	pthread_mutex_lock(&s->lock);
	st = s->background_st;
	if (st != ST_OK && why)
		*why = s->background_why;
	pthread_mutex_unlock(&s->lock);
	return st;
}

/* --- terms --- */

uint64_t store_intern(struct store *s, struct term t)
{
	cleanup(buf_release) struct buf key = { 0 };
	struct snapshot *now = store_snapshot(s);
	uint64_t id = snapshot_find(now, t);

	snapshot_release(now);
	if (id != ID_NONE)
		return id;
	assert(t.kind == TERM_IRI || t.kind == TERM_LITERAL);
	term_to_key(t, &key);
	/* The part in memory is exchanged under the lock only. */
	pthread_mutex_lock(&s->lock);
	uint64_t number = DICT_NONE;
	for (size_t i = s->now->n_parts; i-- > 0 && number == DICT_NONE;)
		number = dict_part_find(s->now->parts[i], buf_str(&key));
	if (number == DICT_NONE)
		number = dict_part_add(store_delta(s->now), buf_str(&key));
	pthread_mutex_unlock(&s->lock);
	return id_make(t.kind == TERM_IRI ? TAG_IRI : TAG_LITERAL, number);
}

uint64_t store_new_blank(struct store *s)
{
	return id_make(TAG_BLANK,
		       __atomic_fetch_add(&s->next_blank, 1, __ATOMIC_RELAXED));
}

/* --- commits --- */

static void want_settling(struct store *s)
{
	uint64_t rows = 0;

	pthread_mutex_lock(&s->lock);
	for (size_t i = s->n_settled; i < s->now->n_runs; i++)
		rows += s->now->runs[i]->n_rows;
	if (s->dir && rows >= s->options.flush_rows && s->n_frozen == 0) {
		s->wanted = true;
		pthread_cond_broadcast(&s->changed);
	}
	pthread_mutex_unlock(&s->lock);
}

/* Log and publish; the turn is ours. */
static enum status commit_rows(struct store *s, struct row *rows, size_t n,
			       struct diag *why)
{
	n = changes_effective(s->now, rows, n);
	if (n == 0 && s->blanks_logged == s->next_blank)
		return ST_OK;
	TRY(wal_log(s, rows, n, why));
	if (n) {
		store_publish(s,
			      changes_apply(s->now, s->n_settled + s->n_frozen, rows, n));
		want_settling(s);
	}
	return ST_OK;
}

/* All that wait, as one write: whoever finds the turn free does it for the others. */
static void commit_all(struct store *s, struct pending *all)
{
	struct row *rows = NULL;
	size_t n = 0, cap = 0;
	struct diag why = { { 0 } };

	for (struct pending *p = all; p; p = p->next) {
		VEC_RESERVE(rows, cap, n + p->n);
		if (p->n)
			memcpy(rows + n, p->rows, p->n * sizeof(*rows));
		n += p->n;
	}
	enum status st = commit_rows(s, rows, n, &why);
	free(rows);
	for (struct pending *p = all; p; p = p->next) {
		p->st = st;
		p->why = why;
	}
}

enum status store_commit(struct store *s, const struct row *changes, size_t n,
			 struct diag *why)
{
	struct pending mine = { .rows = changes, .n = n };

	if (s->options.read_only)
		return diag_fail(why, ST_DENIED, "the store was opened for reading only");
	pthread_mutex_lock(&s->lock);
	*s->last = &mine;
	s->last = &mine.next;
	while (!mine.done) {
		if (s->busy) {
			pthread_cond_wait(&s->changed, &s->lock);
			continue;
		}
		struct pending *all = s->first;

		s->first = NULL;
		s->last = &s->first;
		s->busy = true;
		pthread_mutex_unlock(&s->lock);
		commit_all(s, all);
		pthread_mutex_lock(&s->lock);
		for (struct pending *p = all, *next; p; p = next) {
			next = p->next; /* its owner may leave as soon as it is done */
			p->done = true;
		}
		s->busy = false;
		pthread_cond_broadcast(&s->changed);
	}
	pthread_mutex_unlock(&s->lock);
	if (mine.st != ST_OK && why)
		*why = mine.why;
	return mine.st;
}

void store_begin(struct store *s)
{
	store_take_turn(s);
	s->step = store_snapshot(s);
	s->n_step = 0;
}

struct snapshot *store_step_snapshot(struct store *s)
{
	return snapshot_share(s->step);
}

void store_step(struct store *s, const struct row *changes, size_t n)
{
	struct row *rows = xrealloc(NULL, n + 1, sizeof(*rows));

	if (n)
		memcpy(rows, changes, n * sizeof(*rows));
	n = changes_effective(s->step, rows, n);
	if (n) {
		struct snapshot *next =
			changes_apply(s->step, s->n_settled + s->n_frozen, rows, n);

		snapshot_release(s->step);
		s->step = next;
		VEC_RESERVE(s->step_rows, s->step_cap, s->n_step + n);
		memcpy(s->step_rows + s->n_step, rows, n * sizeof(*rows));
		s->n_step += n;
	}
	free(rows);
}

enum status store_end(struct store *s, bool keep, struct diag *why)
{
	enum status st = ST_OK;

	if (keep && s->options.read_only)
		st = diag_fail(why, ST_DENIED, "the store was opened for reading only");
	else if (keep && s->n_step)
		st = commit_rows(s, s->step_rows, s->n_step, why);
	snapshot_release(s->step);
	s->step = NULL;
	free(s->step_rows);
	s->step_rows = NULL;
	s->n_step = s->step_cap = 0;
	store_give_turn(s);
	return st;
}
