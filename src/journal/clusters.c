#include "journal/clusters.h"

#include "journal/journal.h"
#include "os/file.h"
#include "record/verdict.h"

static enum status map(void *ctx, struct str line, struct batch_emit to, struct diag *why)
{
	struct str representative;

	(void)ctx;
	if (!str_take_until(&line, '\t', &representative) || line.n == 0)
		return ST_OK;
	return to.emit(to.ctx, representative, line, why);
}

static enum status reduce(void *ctx, struct str key, struct batch_values *values,
			  struct batch_emit to, struct diag *why)
{
	cleanup(buf_release) struct buf urls = { 0 }, last = { 0 };
	struct str url;

	(void)ctx;
	buf_add(&urls, key);
	while (batch_next_value(values, &url)) {
		/* Values come sorted: what was asked again stands beside itself. */
		if (str_eq(url, buf_str(&last)) || str_eq(url, key))
			continue;
		buf_reset(&last);
		buf_add(&last, url);
		buf_add_char(&urls, '\t');
		buf_add(&urls, url);
	}
	return last.n > 0 ? to.emit(to.ctx, key, buf_str(&urls), why) : ST_OK;
}

const struct batch_job clusters_job = { .map = map, .reduce = reduce };

/* --- the journal as lines --- */

struct input {
	struct segment_cursor cursor;
	struct buf line;
	struct arena a;
};

/* A verdict that names another page, for the same or nearly the same content. */
static bool is_copy(const struct journal_done *d, struct verdict *ret)
{
	return d->verdict.n > 0 && verdict_decode(d->verdict, ret) == ST_OK &&
	       (ret->kind == VERDICT_EXACT || ret->kind == VERDICT_NEAR) &&
	       ret->representative_url.n > 0 &&
	       !str_eq(ret->representative_url, d->url) &&
	       str_find_char(ret->representative_url, '\t') == STR_NONE;
}

static enum status next_line(void *ctx, struct str *ret, struct diag *why)
{
	struct input *in = ctx;
	struct journal_record r;
	struct verdict v;
	struct str bytes;
	enum status st;

	while ((st = segment_cursor_next(&in->cursor, &bytes, why)) == ST_OK) {
		if (bytes.n == 0 || bytes.p[0] != JOURNAL_DONE)
			continue;
		arena_reset(&in->a);
		TRY(journal_decode(bytes, &in->a, &r));
		if (!is_copy(&r.done, &v))
			continue;
		buf_reset(&in->line);
		buf_add(&in->line, v.representative_url);
		buf_add_char(&in->line, '\t');
		buf_add(&in->line, r.done.url);
		*ret = buf_str(&in->line);
		return ST_OK;
	}
	return st == ST_CORRUPT ? ST_AGAIN : st;
}

struct output {
	struct file file;
	struct buf line;
	uint64_t n;
};

static enum status write_line(void *ctx, struct str key, struct str value,
			      struct diag *why)
{
	struct output *o = ctx;

	buf_reset(&o->line);
	buf_add(&o->line, key);
	buf_add_char(&o->line, '\t');
	buf_add(&o->line, value);
	buf_add_char(&o->line, '\n');
	o->n++;
	return file_write(&o->file, buf_str(&o->line), why);
}

static enum status run(struct batch *batch, struct input *in, struct output *out,
		       const char *fresh, struct diag *why)
{
	TRY(file_open(&out->file, fresh, FILE_CREATE, why));
	TRY(batch->ops->run(batch, &clusters_job, next_line, in,
			    (struct batch_emit){ write_line, out }, why));
	return file_sync(&out->file, why);
}

enum status clusters_write(const char *dir, struct batch *batch, uint64_t *ret_clusters,
			   struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct input in = { 0 };
	struct output out = { 0 };
	char *fresh = path_join(&a, dir, STR("duplicates.tsv.new"));

	TRY(segment_cursor_open(&in.cursor, path_join(&a, dir, STR("state/journal")),
				&journal_segments, 0, why));
	enum status st = run(batch, &in, &out, fresh, why);
	file_close(&out.file);
	segment_cursor_close(&in.cursor);
	buf_release(&in.line);
	arena_release(&in.a);
	buf_release(&out.line);
	TRY(st);
	*ret_clusters = out.n;
	return file_rename(fresh, path_join(&a, dir, STR("duplicates.tsv")), why);
}
