#include "dup/store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/map_file.h"

#define HEAD_BYTES 1024

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

enum status doc_store_sync(struct store *s, struct sync_set *later, struct diag *why)
{
	TRY(segment_flush(&s->log, why));
	return sync_or_add(&s->log.file, later, why);
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
	ret->print = record;
	return ret_sketch ? page_sketch_decode(record, ret_sketch) : ST_OK;
}

/*
 * The first `most` bytes of a record, from the file or from what is still to be written.
 * The next one's place tells how much to read, so one call does.
 */
static enum status read_record(struct store *s, size_t doc, size_t most, struct str *ret,
			       struct diag *why)
{
	uint64_t at = s->offsets[doc], written = s->log.file.size;
	uint64_t end = doc + 1 < s->n ? s->offsets[doc + 1] : segment_end(&s->log);
	size_t want = (size_t)MIN(end - at, (uint64_t)most + SEGMENT_OVERHEAD);
	uint32_t length, sum;

	buf_reset(&s->record);
	if (at >= written) {
		buf_add(&s->record, str_slice(buf_str(&s->log.pending), at - written,
					      at - written + want));
	} else {
		char *to = buf_reserve(&s->record, want);

		if (!to)
			return ST_TOO_LARGE;
		TRY(file_read_at(&s->log.file, at, to, want, &s->record.n, why));
	}
	*ret = buf_str(&s->record);
	if (!str_take_u32(ret, &length) || !str_take_u32(ret, &sum) ||
	    ret->n != MIN(length, most))
		return diag_fail(why, ST_CORRUPT, "%s: record torn", s->log.file.path);
	return ST_OK;
}

static enum status get(struct store *s, size_t doc, size_t most, struct stored_doc *ret,
		       struct page_sketch *ret_sketch, struct diag *why)
{
	struct str record;

	if (doc >= s->n)
		return diag_fail(why, ST_NOT_FOUND, "there is no document %zu", doc);
	TRY(read_record(s, doc, most, &record, why));
	if (doc_store_decode(record, ret, ret_sketch) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "document %zu is damaged", doc);
	return ST_OK;
}

enum status doc_store_get(struct store *s, size_t doc, struct stored_doc *ret,
			  struct page_sketch *ret_sketch, struct diag *why)
{
	return get(s, doc, SEGMENT_RECORD_BYTES, ret, ret_sketch, why);
}

enum status doc_store_get_head(struct store *s, size_t doc, struct stored_doc *ret,
			       struct text_sketch *ret_text, struct u128 *ret_payload,
			       struct diag *why)
{
	/* Most names leave room for a sketch without its set; one that does not is rare.
	 */
	if (get(s, doc, HEAD_BYTES, ret, NULL, why) == ST_OK &&
	    page_sketch_decode_text(ret->print, ret_text, ret_payload) == ST_OK)
		return ST_OK;
	TRY(get(s, doc, SEGMENT_RECORD_BYTES, ret, NULL, why));
	if (page_sketch_decode_text(ret->print, ret_text, ret_payload) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "document %zu is damaged", doc);
	return ST_OK;
}
