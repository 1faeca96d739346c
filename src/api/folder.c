#include "api/folder.h"

#include <stdlib.h>
#include <string.h>

#include "api/folder_journal.h"
#include "base/alloc.h"

const struct segment_kind folder_journal_kind = { .name = "apicampn", .version = 1 };
const char *const folder_list_names[FOLDER_LISTS] = { "triples.nq", "items.jsonl",
						      "links.jsonl" };

void folder_release(struct campaign_folder *f)
{
	if (f->archive_is_open)
		archive_release(&f->archive);
	encoder_release(&f->encoder);
	capture_release(&f->capture);
	for (unsigned i = 0; i < FOLDER_LISTS; i++) {
		file_close(&f->lists[i].file);
		buf_release(&f->lists[i].pending);
	}
	segment_log_close(&f->journal);
	file_close(&f->lock);
	map_release(&f->seen);
	map_release(&f->cursors);
	free(f->texts);
	free(f->streams);
	arena_release(&f->arena);
	free(f->dir);
	*f = (struct campaign_folder){ 0 };
}

/* --- opening --- */

/* Where the last commit ends, and what it says. */
static enum status find_commit(const char *journal, struct folder_commit *ret,
			       uint64_t *ret_end, struct diag *why)
{
	struct segment_cursor c = { 0 };
	struct str record;
	enum status st;

	*ret_end = 0;
	if (!dir_exists(journal))
		return ST_OK;
	st = segment_cursor_open(&c, journal, &folder_journal_kind, 0, why);
	/* It died before its first file was there, or whole. */
	if (st == ST_NOT_FOUND || st == ST_AGAIN)
		return ST_OK;
	TRY(st);
	while ((st = segment_cursor_next(&c, &record, why)) == ST_OK) {
		if (record.n == 0 || record.p[0] != RECORD_COMMIT)
			continue;
		if (commit_record_decode(str_skip(record, 1), ret) != ST_OK) {
			st = diag_fail(why, ST_CORRUPT, "%s: a damaged commit", journal);
			break;
		}
		*ret_end = c.position;
	}
	segment_cursor_close(&c);
	/* A torn tail was never committed. */
	return st == ST_AGAIN || st == ST_CORRUPT ? ST_OK : st;
}

static enum status replay_all(struct campaign_folder *f, const char *journal,
			      struct diag *why)
{
	struct segment_cursor c = { 0 };
	struct str record;
	enum status st;

	TRY(segment_cursor_open(&c, journal, &folder_journal_kind, 0, why));
	while ((st = segment_cursor_next(&c, &record, why)) == ST_OK)
		if (folder_replay(f, record) != ST_OK) {
			st = diag_fail(why, ST_CORRUPT, "%s: a damaged record", journal);
			break;
		}
	segment_cursor_close(&c);
	return st == ST_AGAIN ? ST_OK : st;
}

static enum status open_journal(struct campaign_folder *f, struct folder_commit *ret,
				struct diag *why)
{
	char *journal = path_join(&f->arena, f->dir, STR("state/journal"));
	uint64_t end = 0;

	TRY(find_commit(journal, ret, &end, why));
	if (end == 0)
		TRY(dir_remove(journal, why));
	else
		TRY(segment_log_cut(journal, end, why));
	TRY(segment_log_open(&f->journal, journal, &folder_journal_kind,
			     &(struct segment_log_options){ .synced = end }, NULL, why));
	f->counts = ret->counts;
	return end ? replay_all(f, journal, why) : ST_OK;
}

static enum status open_lists(struct campaign_folder *f, const struct folder_commit *c,
			      struct diag *why)
{
	for (unsigned i = 0; i < FOLDER_LISTS; i++) {
		char *path = path_join(&f->arena, f->dir, str_from(folder_list_names[i]));
		struct file *file = &f->lists[i].file;

		TRY(file_open(file, path, FILE_APPEND, why));
		if (file->size < c->bytes[i])
			return diag_fail(why, ST_CORRUPT,
					 "%s: shorter than what was committed", path);
		TRY(file_truncate(file, c->bytes[i], why));
		f->committed[i] = c->bytes[i];
	}
	return ST_OK;
}

static enum status open_archive(struct campaign_folder *f, const struct folder_options *o,
				const struct archive_position *at, struct diag *why)
{
	struct archive_options a = {
		.dir = f->dir,
		.prefix = arena_copy(&f->arena, o->name),
		.about = { .user_agent = arena_copy(&f->arena, o->user_agent),
			   .description = STR("thresh api campaign") },
		.clock = o->clock,
		.ids = o->ids,
	};
	struct archive_cut cut;

	TRY(archive_open(&f->archive, &a, at, &cut, why));
	f->archive_is_open = true;
	encoder_init(&f->encoder, &(struct encoder_options){ .ids = id_maker_random() });
	return ST_OK;
}

static enum status open_all(struct campaign_folder *f, const struct folder_options *o,
			    struct diag *why)
{
	char *state = path_join(&f->arena, f->dir, STR("state"));
	struct folder_commit commit = { 0 };

	TRY(dir_make(state, why));
	TRY(file_open(&f->lock, path_join(&f->arena, state, STR("lock")), FILE_UPDATE,
		      why));
	if (file_lock(&f->lock, why) != ST_OK)
		return diag_fail(why, ST_DENIED, "%s: another process runs this campaign",
				 f->dir);
	TRY(open_journal(f, &commit, why));
	TRY(open_lists(f, &commit, why));
	return open_archive(f, o, &commit.archive, why);
}

enum status folder_open(struct campaign_folder *ret, const struct folder_options *o,
			struct diag *why)
{
	struct campaign_folder f = { .dir = strdup(o->dir) };
	enum status st = open_all(&f, o, why);

	if (st != ST_OK)
		folder_release(&f);
	else
		*ret = f;
	return st;
}

enum status folder_close(struct campaign_folder *f, struct diag *why)
{
	f->archive_is_open = false;
	enum status st = archive_close(&f->archive, why);
	folder_release(f);
	return st;
}

/* --- the journal --- */

static enum status add(struct campaign_folder *f, const struct buf *record,
		       struct diag *why)
{
	f->is_dirty = true;
	return segment_log_add(&f->journal, buf_str(record), NULL, why);
}

enum status folder_begin_round(struct campaign_folder *f, int64_t now_ms,
			       struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	f->round++;
	f->round_ms = now_ms;
	f->round_ended = false;
	buf_add_u8(&b, RECORD_ROUND);
	buf_add_varint(&b, f->round);
	buf_add_u64(&b, (uint64_t)now_ms);
	return add(f, &b, why);
}

enum status folder_end_round(struct campaign_folder *f, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	f->round_ended = true;
	buf_add_u8(&b, RECORD_ROUND_END);
	return add(f, &b, why);
}

enum status folder_add_stream(struct campaign_folder *f, const struct saved_stream *s,
			      struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	stream_record_encode(s, &b);
	return add(f, &b, why);
}

enum status folder_add_page(struct campaign_folder *f, uint32_t nr,
			    const struct stream *s, struct str items, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_u8(&b, RECORD_PAGE);
	buf_add_varint(&b, nr);
	/* In flight and delayed mean nothing to another process. */
	buf_add_u8(&b, (uint8_t)(s->state >= STREAM_DONE ? s->state : STREAM_READY));
	buf_add_u8(&b, (uint8_t)s->end);
	buf_add_varint(&b, s->pages);
	buf_add_u64(&b, s->last_page);
	buf_add_sized(&b, str_from(s->page));
	buf_add_sized(&b, str_from(s->best));
	buf_add(&b, items);
	return add(f, &b, why);
}

enum status folder_add_cursor(struct campaign_folder *f, uint64_t key, struct str value,
			      struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	*map_add(&f->cursors, key, NULL) = f->n_texts;
	VEC_ADD(f->texts, f->n_texts, f->texts_cap, arena_copy(&f->arena, value));
	buf_add_u8(&b, RECORD_CURSOR);
	buf_add_u64(&b, key);
	buf_add_sized(&b, value);
	return add(f, &b, why);
}

struct str folder_cursor(const struct campaign_folder *f, uint64_t key)
{
	const uint64_t *at = map_find(&f->cursors, key);

	return at ? f->texts[*at] : (struct str){ NULL, 0 };
}

/* --- the outputs --- */

enum status folder_add_answer(struct campaign_folder *f, const struct fetch_result *r,
			      struct str notes, struct record_id *ret_record,
			      struct diag *why)
{
	struct capture_options o = { .fields = notes };
	uint8_t payload[SHA1_BYTES], block[SHA1_BYTES];
	struct archive_place place;

	f->encoder.warcinfo = archive_warcinfo_id(&f->archive);
	if (r->header.n > 0 && r->spool.n == 0) {
		capture_both_sha1(&f->encoder, r, payload, block);
		o.payload_sha1 = payload;
		o.block_sha1 = block;
	}
	TRY(capture_encode(&f->encoder, r, &o, &f->capture, why));
	TRY(archive_add(&f->archive, &f->capture, r, &place, why));
	*ret_record = f->capture.id;
	f->is_dirty = true;
	return ST_OK;
}

enum status folder_commit(struct campaign_folder *f, struct diag *why)
{
	struct folder_commit c = { .counts = f->counts };
	cleanup(buf_release) struct buf record = { 0 };

	if (!f->is_dirty)
		return ST_OK;
	TRY(archive_commit(&f->archive, NULL, &c.archive, why));
	for (unsigned i = 0; i < FOLDER_LISTS; i++) {
		struct buf *pending = &f->lists[i].pending;

		if (pending->n > 0) {
			TRY(file_write(&f->lists[i].file, buf_str(pending), why));
			TRY(file_sync(&f->lists[i].file, why));
			buf_reset(pending);
		}
		c.bytes[i] = f->lists[i].file.size;
	}
	commit_record_encode(&c, &record);
	TRY(segment_log_add(&f->journal, buf_str(&record), NULL, why));
	TRY(segment_log_sync(&f->journal, why));
	memcpy(f->committed, c.bytes, sizeof(c.bytes));
	f->is_dirty = false;
	return ST_OK;
}
