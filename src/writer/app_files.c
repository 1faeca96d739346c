#include "writer/app_files.h"

#include <stdlib.h>
#include <string.h>

#include "os/map_file.h"

#define CHUNK ((size_t)64 * 1024)

static const struct str names[APP_FILES] = {
	[APP_FILE_OBJECTS] = STR("objects.jsonl"),
	[APP_FILE_PAGES] = STR("apps.jsonl"),
};

static const struct str page_key = STR("{\"page\":");

/* From the end: what is to be cut off is what came after the last commit. */
size_t app_lines_until(struct str text, uint64_t committed)
{
	while (text.n > 0) {
		size_t end = text.p[text.n - 1] == '\n' ? text.n - 1 : text.n;
		size_t before = str_rfind_char(str_slice(text, 0, end), '\n');
		size_t start = before == STR_NONE ? 0 : before + 1;
		struct str number = str_skip(str_slice(text, 0, end), start + page_key.n);
		uint64_t page;

		number = str_slice(number, 0, str_find_char(number, ','));
		if (end < text.n &&
		    str_starts(str_skip(str_slice(text, 0, end), start), page_key) &&
		    str_to_uint(number, UINT64_MAX, &page) && page <= committed)
			return text.n;
		text.n = start;
	}
	return 0;
}

static enum status open_one(struct app_files *f, enum app_file which, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	TRY(file_open(&f->v[which], path_join(&a, f->dir, names[which]), FILE_APPEND,
		      why));
	f->is_open[which] = true;
	return ST_OK;
}

static enum status cut(struct app_files *f, enum app_file which, uint64_t committed,
		       struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path = path_join(&a, f->dir, names[which]);
	struct map_file map;

	if (!file_exists(path))
		return ST_OK;
	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	size_t keep = app_lines_until(map.bytes, committed);
	map_file_release(&map);
	TRY(open_one(f, which, why));
	return file_truncate(&f->v[which], keep, why);
}

enum status app_files_open(struct app_files *f, const char *dir, uint64_t committed,
			   struct diag *why)
{
	f->dir = strdup(dir);
	for (int i = 0; i < APP_FILES; i++)
		TRY(cut(f, (enum app_file)i, committed, why));
	return ST_OK;
}

static enum status flush(struct app_files *f, enum app_file which, struct diag *why)
{
	if (f->pending[which].n == 0)
		return ST_OK;
	if (!f->is_open[which])
		TRY(open_one(f, which, why));
	TRY(file_write(&f->v[which], buf_str(&f->pending[which]), why));
	buf_reset(&f->pending[which]);
	return ST_OK;
}

static enum status add_lines(struct app_files *f, enum app_file which, struct str lines,
			     uint64_t page, struct str record, struct diag *why)
{
	struct buf *to = &f->pending[which];
	struct str line;

	while (str_take_line(&lines, &line)) {
		if (line.n < 2)
			continue;
		buf_add(to, page_key);
		buf_add_uint(to, page);
		if (record.n > 0)
			buf_addf(to, ",\"record\":\"urn:uuid:" STR_FMT "\"",
				 STR_ARG(record));
		buf_add_char(to, ',');
		buf_add(to, str_skip(line, 1));
		buf_add_char(to, '\n');
	}
	return to->n > CHUNK ? flush(f, which, why) : ST_OK;
}

/* A page that another one stands for has the other's objects. */
static bool is_copy(const struct crawl_item *i)
{
	return i->has_verdict &&
	       (i->verdict.kind == VERDICT_EXACT || i->verdict.kind == VERDICT_SOFT_404);
}

enum status app_files_add(struct app_files *f, const struct crawl_item *i, uint64_t page,
			  struct str record, struct diag *why)
{
	if ((i->app_page.n == 0 && !i->api) || i->needs_browser)
		return ST_OK;
	if (!is_copy(i))
		TRY(add_lines(f, APP_FILE_OBJECTS, i->objects, page, record, why));
	return add_lines(f, APP_FILE_PAGES, i->app_page, page, record, why);
}

enum status app_files_commit(struct app_files *f, struct sync_set *later,
			     struct diag *why)
{
	for (int i = 0; i < APP_FILES; i++) {
		TRY(flush(f, (enum app_file)i, why));
		if (f->is_open[i])
			TRY(sync_or_add(&f->v[i], later, why));
	}
	return ST_OK;
}

void app_files_release(struct app_files *f)
{
	for (int i = 0; i < APP_FILES; i++) {
		if (f->is_open[i])
			file_close(&f->v[i]);
		buf_release(&f->pending[i]);
	}
	free(f->dir);
	*f = (struct app_files){ 0 };
}
