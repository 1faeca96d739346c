#include "os/segment_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ROTATE_DEFAULT ((uint64_t)256 << 20)
#define NAME_DIGITS    20

static char *copy(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xrealloc(NULL, n, 1), s, n);
}

static char *file_path(struct arena *a, const char *dir, uint64_t base)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_addf(&name, "%0*llu.seg", NAME_DIGITS, (unsigned long long)base);
	return path_join(a, dir, buf_str(&name));
}

static bool parse_name(struct str name, uint64_t *ret_base)
{
	return name.n == NAME_DIGITS + 4 &&
	       str_to_uint(str_slice(name, 0, NAME_DIGITS), UINT64_MAX, ret_base);
}

/* The greatest base at or before `position`, else the least there is. */
static enum status find_base(const char *dir, uint64_t position, uint64_t *ret_base,
			     struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	uint64_t base, best = 0;
	bool any = false;

	TRY(dir_list(dir, STR(".seg"), &a, &names, why));
	for (size_t i = 0; i < names.n; i++) {
		if (!parse_name(names.v[i], &base) || (any && base > position))
			continue;
		best = base;
		any = true;
	}
	if (!any)
		return diag_fail(why, ST_NOT_FOUND, "%s: no log here", dir);
	*ret_base = best;
	return ST_OK;
}

enum status segment_log_open(struct segment_log *ret, const char *dir,
			     const struct segment_kind *kind,
			     const struct segment_log_options *options,
			     struct segment_cut *ret_cut, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(segment_log_close) struct segment_log l = {
		.dir = copy(dir),
		.kind = kind,
		.rotate_bytes =
			options->rotate_bytes ? options->rotate_bytes : ROTATE_DEFAULT,
	};
	struct segment_cut cut;

	TRY(dir_make(dir, why));
	enum status st = find_base(dir, UINT64_MAX, &l.base, why);
	if (st != ST_OK && st != ST_NOT_FOUND)
		return st;
	uint64_t synced =
		options->synced > l.base ? options->synced - l.base + SEGMENT_HEADER : 0;
	TRY(segment_open(&l.open, file_path(&a, dir, l.base), kind, synced, &cut, why));
	if (ret_cut)
		*ret_cut = (struct segment_cut){
			l.base + MAX(cut.at, (uint64_t)SEGMENT_HEADER) - SEGMENT_HEADER,
			cut.bytes
		};
	*ret = TAKE(l);
	return ST_OK;
}

void segment_log_close(struct segment_log *l)
{
	segment_close(&l->open);
	free(l->dir);
	*l = (struct segment_log){ 0 };
}

uint64_t segment_log_end(const struct segment_log *l)
{
	return l->base + segment_end(&l->open) - SEGMENT_HEADER;
}

/* The old file is synced first: a synced record never stands behind an unsynced one. */
static enum status rotate(struct segment_log *l, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	uint64_t base = segment_log_end(l);
	struct segment next = { 0 };

	TRY(segment_sync(&l->open, why));
	TRY(segment_open(&next, file_path(&a, l->dir, base), l->kind, 0, NULL, why));
	segment_close(&l->open);
	l->open = next;
	l->base = base;
	return ST_OK;
}

enum status segment_log_add(struct segment_log *l, struct str record,
			    uint64_t *ret_position, struct diag *why)
{
	uint64_t offset;

	/* Behind a barrier nothing can be synced: the file grows somewhat longer. */
	if (!l->open.barrier && segment_end(&l->open) > SEGMENT_HEADER &&
	    segment_end(&l->open) + record.n > l->rotate_bytes)
		TRY(rotate(l, why));
	TRY(segment_add(&l->open, record, &offset, why));
	if (ret_position)
		*ret_position = l->base + offset - SEGMENT_HEADER;
	return ST_OK;
}

enum status segment_log_flush(struct segment_log *l, struct diag *why)
{
	return segment_flush(&l->open, why);
}

enum status segment_log_read(const struct segment_log *l, uint64_t position,
			     struct buf *scratch, struct str *ret, struct diag *why)
{
	return segment_read(&l->open, position - l->base + SEGMENT_HEADER, scratch, ret,
			    why);
}

enum status segment_log_sync(struct segment_log *l, struct diag *why)
{
	return segment_sync(&l->open, why);
}

enum status segment_log_cut(const char *dir, uint64_t position, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	struct file f = { 0 };
	uint64_t base, keep;

	TRY(find_base(dir, position, &keep, why));
	TRY(dir_list(dir, STR(".seg"), &a, &names, why));
	/* Newest first: a crash in between leaves a log without holes. */
	for (size_t i = names.n; i-- > 0;)
		if (parse_name(names.v[i], &base) && base > keep)
			TRY(file_remove(path_join(&a, dir, names.v[i]), why));
	TRY(file_open(&f, file_path(&a, dir, keep), FILE_UPDATE, why));
	uint64_t size = position - keep + SEGMENT_HEADER;
	enum status st = f.size > size ? file_truncate(&f, size, why) : ST_OK;
	if (st == ST_OK)
		st = file_sync(&f, why);
	file_close(&f);
	return st == ST_OK ? dir_sync(dir, why) : st;
}

enum status segment_log_drop(struct segment_log *l, uint64_t position, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	uint64_t base, next;

	TRY(dir_list(l->dir, STR(".seg"), &a, &names, why));
	/* Sorted by name is sorted by position: a file ends where the next begins. */
	for (size_t i = 0; i + 1 < names.n; i++)
		if (parse_name(names.v[i], &base) && parse_name(names.v[i + 1], &next) &&
		    next <= position)
			TRY(file_remove(path_join(&a, l->dir, names.v[i]), why));
	return ST_OK;
}

/* Map the file that starts at `base` as it is now. */
static enum status map_base(struct segment_cursor *c, uint64_t base, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(map_file_release) struct map_file map = { 0 };
	char *path = file_path(&a, c->dir, base);
	struct segment_reader r;
	struct diag detail;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	if (map.bytes.n < SEGMENT_HEADER) /* the writer is just beginning it */
		return diag_fail(why, ST_AGAIN, "%s: nothing there yet", path);
	enum status st = segment_reader_init(&r, map.bytes, c->kind, &detail);
	if (st != ST_OK)
		return diag_fail(why, st, "%s: %.180s", path, detail.text);
	map_file_release(&c->map);
	c->map = TAKE(map);
	c->base = base;
	c->reader = r;
	c->reader.at = c->position - base + SEGMENT_HEADER;
	return ST_OK;
}

enum status segment_cursor_open(struct segment_cursor *ret, const char *dir,
				const struct segment_kind *kind, uint64_t position,
				struct diag *why)
{
	cleanup(segment_cursor_close) struct segment_cursor c = { .dir = copy(dir),
								  .kind = kind };
	uint64_t base;

	TRY(find_base(dir, position, &base, why));
	c.position = MAX(position, base);
	TRY(map_base(&c, base, why));
	*ret = TAKE(c);
	return ST_OK;
}

void segment_cursor_close(struct segment_cursor *c)
{
	map_file_release(&c->map);
	free(c->dir);
	*c = (struct segment_cursor){ 0 };
}

/* At the end of what is mapped: the file may have grown, or the next one begun. */
static enum status look_again(struct segment_cursor *c, struct diag *why)
{
	uint64_t base;
	size_t before = c->map.bytes.n;

	TRY(find_base(c->dir, c->position, &base, why));
	uint64_t was = c->base;
	TRY(map_base(c, base, why));
	return base != was || c->map.bytes.n > before ? ST_OK : ST_AGAIN;
}

enum status segment_cursor_next(struct segment_cursor *c, struct str *ret,
				struct diag *why)
{
	for (;;) {
		enum status st = segment_next(&c->reader, ret);

		if (st == ST_OK) {
			c->position = c->base + c->reader.at - SEGMENT_HEADER;
			return ST_OK;
		}
		enum status more = look_again(c, why);
		if (more != ST_AGAIN) {
			TRY(more);
			continue;
		}
		if (st == ST_AGAIN)
			return ST_AGAIN;
		return diag_fail(why, ST_CORRUPT, "%s/%0*llu.seg: damaged at byte %llu",
				 c->dir, NAME_DIGITS, (unsigned long long)c->base,
				 (unsigned long long)c->reader.at);
	}
}
