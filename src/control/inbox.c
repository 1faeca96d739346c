#include "control/inbox.h"

#include <stdlib.h>
#include <string.h>

#define ROTATE_BYTES ((uint64_t)64 << 20)

const struct segment_kind inbox_segments = { .name = "thrINBOX", .version = 1 };

enum status inbox_open(struct inbox *x, const char *crawl_dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *dir = path_join(&a, crawl_dir, STR("state/inbox"));

	*x = (struct inbox){ 0 };
	TRY(dir_make(dir, why));
	TRY(file_open(&x->lock_file, path_join(&a, dir, STR("lock")), FILE_UPDATE, why));
	enum status st = file_lock(&x->lock_file, why);
	if (st == ST_OK)
		st = segment_log_open(
			&x->log, dir, &inbox_segments,
			&(struct segment_log_options){ .rotate_bytes = ROTATE_BYTES },
			NULL, why);
	if (st != ST_OK) {
		file_close(&x->lock_file);
		return st;
	}
	pthread_mutex_init(&x->adding, NULL);
	pthread_mutex_init(&x->syncing, NULL);
	x->open = true;
	return ST_OK;
}

void inbox_close(struct inbox *x)
{
	if (!x->open)
		return;
	segment_log_close(&x->log);
	file_close(&x->lock_file);
	pthread_mutex_destroy(&x->adding);
	pthread_mutex_destroy(&x->syncing);
	*x = (struct inbox){ 0 };
}

/* Handed to the kernel at once, so that the crawl sees it before the disk has it: what
 * it then commits is in its own journal. */
enum status inbox_add(struct inbox *x, struct str block, uint64_t *ret_end,
		      struct diag *why)
{
	pthread_mutex_lock(&x->adding);
	enum status st = segment_log_add(&x->log, block, NULL, why);
	if (st == ST_OK)
		st = segment_log_flush(&x->log, why);
	if (st == ST_OK)
		*ret_end = segment_log_end(&x->log);
	pthread_mutex_unlock(&x->adding);
	return st;
}

/* The newest file is synced through a handle of our own, so that others add meanwhile;
 * a file that was full was synced when the next one began. */
static enum status sync_all(struct inbox *x, struct diag *why)
{
	struct file shared = { 0 };

	pthread_mutex_lock(&x->adding);
	uint64_t end = segment_log_end(&x->log);
	enum status st = file_share(&x->log.open.file, &shared, why);
	pthread_mutex_unlock(&x->adding);
	if (st != ST_OK)
		return st;
	st = file_sync(&shared, why);
	file_close(&shared);
	if (st == ST_OK)
		x->synced = end;
	return st;
}

enum status inbox_sync(struct inbox *x, uint64_t position, struct diag *why)
{
	pthread_mutex_lock(&x->syncing);
	enum status st = x->synced >= position ? ST_OK : sync_all(x, why);
	pthread_mutex_unlock(&x->syncing);
	return st;
}

/* --- the crawl's end --- */

void inbox_reader_init(struct inbox_reader *r, const char *crawl_dir, uint64_t position)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct segment_cursor c = { 0 };
	struct str block;

	*r = (struct inbox_reader){ .position = position };
	r->dir = strdup(path_join(&a, crawl_dir, STR("state/inbox")));
	if (segment_cursor_open(&c, r->dir, &inbox_segments, position, NULL) == ST_OK)
		while (segment_cursor_next(&c, &block, NULL) == ST_OK)
			;
	r->born = c.position;
	/* After a power cut the journal may have been on disk before the inbox. */
	r->position = MIN(r->position, r->born);
	segment_cursor_close(&c);
}

void inbox_reader_release(struct inbox_reader *r)
{
	segment_cursor_close(&r->cursor);
	free(r->dir);
	*r = (struct inbox_reader){ 0 };
}

enum status inbox_reader_next(struct inbox_reader *r, struct str *ret, struct diag *why)
{
	if (!r->open) {
		if (!dir_exists(r->dir) ||
		    segment_cursor_open(&r->cursor, r->dir, &inbox_segments, r->position,
					NULL) != ST_OK)
			return ST_AGAIN;
		r->open = true;
	}
	enum status st = segment_cursor_next(&r->cursor, ret, why);
	/* Half a record at the end is one that is just being written. */
	if (st == ST_CORRUPT)
		return ST_AGAIN;
	TRY(st);
	r->next_is_old = r->cursor.position <= r->born;
	r->position = r->cursor.position;
	return ST_OK;
}
