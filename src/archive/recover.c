#include <string.h>

#include "archive/archive_internal.h"
#include "os/extsort.h"

#define SORT_MEMORY ((size_t)64 << 20)
#define CHUNK_BYTES ((size_t)1 << 20)

/*
 * The serial in PREFIX-TIME-SERIAL-HOST.warc[.gz|.zst][.open] with our prefix; false
 * for files that are not ours, which are never touched.
 */
static bool parse_name(const struct archive *a, struct str name, uint32_t *ret_serial)
{
	struct str time;
	uint64_t serial;

	if (!str_take_prefix(&name, a->options.prefix) || !str_take_char(&name, '-') ||
	    !str_take_bytes(&name, 17, &time) ||
	    !str_to_uint(time, UINT64_MAX, &serial) || !str_take_char(&name, '-') ||
	    !str_take_uint(&name, UINT32_MAX, &serial) || !str_take_char(&name, '-') ||
	    str_find(name, STR(".warc")) == STR_NONE)
		return false;
	*ret_serial = (uint32_t)serial;
	return true;
}

static enum status finish_name(const char *path, struct arena *t, struct diag *why)
{
	struct str open = str_from(path);

	if (!str_ends(open, STR(".open")))
		return ST_OK;
	open.n -= 5;
	return file_rename(path, path_join(t, "", open), why);
}

/* The file that was being written at the time of the commit. */
static enum status cut_warc(const char *path, const struct archive_position *at,
			    struct archive_cut *cut, struct arena *t, struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };

	TRY(file_open(&f, path, FILE_UPDATE, why));
	if (f.size < at->warc_bytes)
		return diag_fail(
			why, ST_CORRUPT, "%s: %llu bytes, but %llu were committed", path,
			(unsigned long long)f.size, (unsigned long long)at->warc_bytes);
	if (f.size > at->warc_bytes) {
		cut->warc_bytes += f.size - at->warc_bytes;
		TRY(file_truncate(&f, at->warc_bytes, why));
		TRY(file_sync(&f, why));
	}
	return finish_name(path, t, why);
}

static enum status drop_warc(const char *path, struct archive_cut *cut, struct diag *why)
{
	uint64_t bytes;

	TRY(file_size(path, &bytes, why));
	cut->files++;
	cut->warc_bytes += bytes;
	return file_remove(path, why);
}

static enum status recover_warcs(struct archive *a, const struct archive_position *at,
				 struct archive_cut *cut, struct diag *why)
{
	cleanup(arena_release) struct arena t = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	bool found = at->warc_bytes == 0;
	uint32_t serial, last = 0;

	TRY(dir_list(a->archive_dir, STR(""), &t, &names, why));
	for (size_t i = 0; i < names.n; i++) {
		char *path = path_join(&t, a->archive_dir, names.v[i]);

		if (!parse_name(a, names.v[i], &serial))
			continue;
		if (serial > at->serial || (serial == at->serial && !at->warc_bytes)) {
			TRY(drop_warc(path, cut, why));
			continue;
		}
		last = MAX(last, serial);
		if (serial == at->serial) {
			found = true;
			TRY(cut_warc(path, at, cut, &t, why));
		} else {
			TRY(finish_name(path, &t, why));
		}
	}
	if (!found)
		return diag_fail(why, ST_CORRUPT, "%s: WARC file %u is missing",
				 a->archive_dir, at->serial);
	if (cut->files)
		TRY(dir_sync(a->archive_dir, why));
	atomic_store(&a->serial, last + 1);
	return ST_OK;
}

static enum status cut_side(struct archive_side *s, uint64_t bytes, struct diag *why)
{
	if (s->file.size < bytes)
		return diag_fail(why, ST_CORRUPT,
				 "%s: %llu bytes, but %llu were committed", s->file.path,
				 (unsigned long long)s->file.size,
				 (unsigned long long)bytes);
	return s->file.size > bytes ? file_truncate(&s->file, bytes, why) : ST_OK;
}

enum status archive_recover(struct archive *a, const struct archive_position *at,
			    struct archive_cut *cut, struct diag *why)
{
	cleanup(arena_release) struct arena t = { 0 };
	bool sorted = file_exists(path_join(&t, a->index_dir, STR("index.cdxj")));

	TRY(recover_warcs(a, at, cut, why));
	TRY(cut_side(&a->pages, at->page_bytes, why));
	TRY(cut_side(&a->log, at->log_bytes, why));
	/* Once sorted, the lines are in index.cdxj, and the open one begins anew. */
	if (sorted && a->cdx.file.size < at->cdx_bytes)
		return ST_OK;
	return cut_side(&a->cdx, at->cdx_bytes, why);
}

static enum status add_lines(struct extsort *s, const char *path, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	struct str rest, line;

	if (!file_exists(path))
		return ST_OK;
	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	for (rest = map.bytes; str_take_until(&rest, '\n', &line);)
		TRY(extsort_add(s, line, why));
	return ST_OK;
}

static enum status write_sorted(struct extsort *s, const char *path, struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct str line;
	enum status st;

	TRY(extsort_sort(s, why));
	TRY(file_open(&f, path, FILE_CREATE, why));
	while ((st = extsort_next(s, &line, why)) == ST_OK) {
		buf_add(&b, line);
		buf_add_char(&b, '\n');
		if (b.n < CHUNK_BYTES)
			continue;
		TRY(file_write(&f, buf_str(&b), why));
		buf_reset(&b);
	}
	if (st != ST_AGAIN)
		return st;
	TRY(file_write(&f, buf_str(&b), why));
	return file_sync(&f, why);
}

/* A crash in between leaves both files; equal lines are written once. */
enum status archive_sort_index(struct archive *a, struct diag *why)
{
	cleanup(arena_release) struct arena t = { 0 };
	cleanup(extsort_release) struct extsort s = { 0 };
	char *index = path_join(&t, a->index_dir, STR("index.cdxj"));
	char *fresh = path_join(&t, a->index_dir, STR("index.cdxj.tmp"));
	char *runs = path_join(&t, a->index_dir, STR("sorting"));

	extsort_init(&s, &(struct extsort_options){ .dir = runs,
						    .memory_bytes = SORT_MEMORY,
						    .unique_bytes = SIZE_MAX });
	TRY(add_lines(&s, index, why));
	TRY(add_lines(&s, a->cdx.file.path, why));
	TRY(write_sorted(&s, fresh, why));
	TRY(file_rename(fresh, index, why));
	TRY(file_remove(a->cdx.file.path, why));
	extsort_release(&s);
	return dir_remove(runs, why);
}
