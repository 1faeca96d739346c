#include "dup/store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/map_file.h"

static const struct segment_kind kind = { "THRDOCS1", 1, false };

void doc_store_close(struct store *s)
{
	segment_close(&s->log);
	free(s->offsets);
	buf_release(&s->record);
	*s = (struct store){ 0 };
}

/* Where each record stands; all were checked by segment_open(). */
static enum status find_records(struct store *s, const char *path, struct diag *why)
{
	struct segment_reader r;
	struct map_file map = { 0 };
	struct str record;
	uint64_t at;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	enum status st = segment_reader_init(&r, map.bytes, &kind, why);
	while (st == ST_OK) {
		at = r.at;
		st = segment_next(&r, &record);
		if (st == ST_OK)
			VEC_ADD(s->offsets, s->n, s->cap, at);
	}
	map_file_release(&map);
	return st == ST_AGAIN ? ST_OK : st;
}

enum status doc_store_open(struct store *s, const char *path, struct diag *why)
{
	*s = (struct store){ 0 };
	enum status st = segment_open(&s->log, path, &kind, 0, NULL, why);
	if (st == ST_OK)
		st = find_records(s, path, why);
	if (st != ST_OK)
		doc_store_close(s);
	return st;
}

enum status doc_store_add(struct store *s, const struct stored_doc *doc,
			  const struct page_sketch *sketch, struct diag *why)
{
	uint64_t score, at;

	memcpy(&score, &doc->score, sizeof(score));
	buf_reset(&s->record);
	buf_add_sized(&s->record, doc->name);
	buf_add_varint(&s->record, doc->length);
	buf_add_u64(&s->record, score);
	buf_add_sized(&s->record, doc->extra);
	page_sketch_encode(sketch, &s->record);
	TRY(segment_add(&s->log, buf_str(&s->record), &at, why));
	VEC_ADD(s->offsets, s->n, s->cap, at);
	return ST_OK;
}

enum status doc_store_sync(struct store *s, struct diag *why)
{
	return segment_sync(&s->log, why);
}

enum status doc_store_flush(struct store *s, struct diag *why)
{
	return segment_flush(&s->log, why);
}

enum status doc_store_decode(struct str record, struct stored_doc *ret,
			     struct page_sketch *ret_sketch)
{
	uint64_t score;

	if (!str_take_sized(&record, &ret->name) ||
	    !str_take_varint(&record, &ret->length) || !str_take_u64(&record, &score) ||
	    !str_take_sized(&record, &ret->extra))
		return ST_CORRUPT;
	memcpy(&ret->score, &score, sizeof(score));
	return ret_sketch ? page_sketch_decode(record, ret_sketch) : ST_OK;
}

/* The record's bytes, from the file or from what is still to be written. */
static enum status read_record(struct store *s, uint64_t at, struct diag *why)
{
	uint64_t written = s->log.file.size;
	uint32_t head[2];
	size_t n;

	if (at >= written) {
		struct str pending = str_skip(buf_str(&s->log.pending), at - written);

		if (!str_take_u32(&pending, &head[0]) ||
		    !str_take_u32(&pending, &head[1]))
			return ST_CORRUPT;
		buf_add(&s->record, str_slice(pending, 0, head[0]));
		return ST_OK;
	}
	TRY(file_read_at(&s->log.file, at, (char *)head, sizeof(head), &n, why));
	if (n < sizeof(head) || head[0] > SEGMENT_RECORD_BYTES)
		return diag_fail(why, ST_CORRUPT, "%s: record torn", s->log.file.path);
	char *to = buf_reserve(&s->record, head[0]);
	if (!to)
		return ST_TOO_LARGE;
	TRY(file_read_at(&s->log.file, at + sizeof(head), to, head[0], &n, why));
	s->record.n = n;
	return n == head[0] ? ST_OK : ST_CORRUPT;
}

enum status doc_store_get(struct store *s, size_t doc, struct stored_doc *ret,
			  struct page_sketch *ret_sketch, struct diag *why)
{
	if (doc >= s->n)
		return diag_fail(why, ST_NOT_FOUND, "there is no document %zu", doc);
	buf_reset(&s->record);
	TRY(read_record(s, s->offsets[doc], why));
	if (doc_store_decode(buf_str(&s->record), ret, ret_sketch) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "document %zu is damaged", doc);
	return ST_OK;
}
