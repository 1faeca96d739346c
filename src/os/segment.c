#include "os/segment.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/map_file.h"

#define FLUSH_BYTES ((size_t)256 << 10)

/* Over the length too: else a damaged length could pass, and zeros would be a record. */
static uint32_t record_checksum(struct str record)
{
	return (uint32_t)hash64_seeded(record, 0x7365676d656e7400u + record.n);
}

static void add_header(struct buf *to, const struct segment_kind *kind)
{
	buf_add(to, (struct str){ kind->name, 8 });
	buf_add_u32(to, kind->version);
	buf_add_u32(to, checksum32((struct str){ to->p + to->n - 12, 12 }));
}

enum status segment_reader_init(struct segment_reader *r, struct str bytes,
				const struct segment_kind *kind, struct diag *why)
{
	struct str in = str_slice(bytes, 0, SEGMENT_HEADER), name;
	uint32_t version, sum;

	if (!str_take_bytes(&in, 8, &name) || !str_take_u32(&in, &version) ||
	    !str_take_u32(&in, &sum))
		return diag_fail(why, ST_CORRUPT, "too short for a header");
	if (memcmp(name.p, kind->name, 8) != 0)
		return diag_fail(why, ST_CORRUPT, "not a file of kind %.8s", kind->name);
	if (sum != checksum32((struct str){ bytes.p, 12 }))
		return diag_fail(why, ST_CORRUPT, "the header fails its checksum");
	if (version > kind->version)
		return diag_fail(why, ST_UNSUPPORTED,
				 "version %u; this program knows up to %u", version,
				 kind->version);
	if (version < kind->oldest)
		return diag_fail(why, ST_UNSUPPORTED, "version %u is too old: %s",
				 version, kind->if_older);
	*r = (struct segment_reader){ bytes, SEGMENT_HEADER };
	return ST_OK;
}

enum status segment_next(struct segment_reader *r, struct str *ret)
{
	struct str in = str_skip(r->bytes, (size_t)MIN(r->at, (uint64_t)r->bytes.n));
	struct str record;
	uint32_t length, sum;

	if (in.n == 0)
		return ST_AGAIN;
	if (!str_take_u32(&in, &length) || !str_take_u32(&in, &sum) ||
	    length > SEGMENT_RECORD_BYTES || !str_take_bytes(&in, length, &record) ||
	    sum != record_checksum(record))
		return ST_CORRUPT;
	r->at += SEGMENT_OVERHEAD + length;
	*ret = record;
	return ST_OK;
}

/* Where the good part of the file ends. */
static enum status find_end(const char *path, const struct segment_kind *kind,
			    uint64_t *ret_end, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	struct segment_reader r;
	struct str record;
	struct diag detail;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	if (map.bytes.n < SEGMENT_HEADER) { /* died while creating it */
		*ret_end = 0;
		return ST_OK;
	}
	enum status st = segment_reader_init(&r, map.bytes, kind, &detail);
	if (st != ST_OK)
		return diag_fail(why, st, "%s: %.180s", path, detail.text);
	while (segment_next(&r, &record) == ST_OK)
		;
	*ret_end = r.at;
	return ST_OK;
}

static enum status start_file(struct segment *s, const struct segment_kind *kind,
			      struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	add_header(&s->pending, kind);
	if (kind->scratch)
		return ST_OK;
	TRY(segment_sync(s, why));
	return dir_sync(path_dir(&a, s->file.path), why);
}

enum status segment_open(struct segment *ret, const char *path,
			 const struct segment_kind *kind, uint64_t synced,
			 struct segment_cut *ret_cut, struct diag *why)
{
	cleanup(segment_close) struct segment s = { 0 };
	uint64_t end = 0;

	TRY(file_open(&s.file, path, FILE_APPEND, why));
	TRY(find_end(path, kind, &end, why));
	if (end < synced)
		return diag_fail(why, ST_CORRUPT,
				 "%s: damaged at byte %llu, inside the %llu synced", path,
				 (unsigned long long)end, (unsigned long long)synced);
	struct segment_cut cut = { end, s.file.size - end };
	if (cut.bytes > 0)
		TRY(file_truncate(&s.file, end, why));
	if (end == 0)
		TRY(start_file(&s, kind, why));
	if (ret_cut)
		*ret_cut = cut;
	*ret = TAKE(s);
	return ST_OK;
}

void segment_close(struct segment *s)
{
	file_close(&s->file);
	buf_release(&s->pending);
}

void segment_hold(struct segment *s, size_t bytes)
{
	struct buf *p = &s->pending;

	s->hold_bytes = MIN(bytes, BUF_LIMIT_DEFAULT);
	if (s->hold_bytes <= MAX(p->cap, FLUSH_BYTES))
		return;
	/* All at once: room that is not used takes no memory, and what is used comes in
	 * large pages, which cost a tenth of small ones. */
	p->p = xrealloc_large(p->p, s->hold_bytes, 1);
	p->cap = s->hold_bytes;
}

/* Whether what is pending should go to the file before so many bytes are added. */
static bool is_full(const struct segment *s, size_t bytes)
{
	size_t most = MAX(s->hold_bytes, FLUSH_BYTES);

	return s->pending.n > 0 && s->pending.n + bytes > most;
}

enum status segment_add(struct segment *s, struct str record, uint64_t *ret_offset,
			struct diag *why)
{
	if (record.n > SEGMENT_RECORD_BYTES)
		return diag_fail(why, ST_TOO_LARGE, "%s: a record of %zu bytes",
				 s->file.path, record.n);
	if (is_full(s, SEGMENT_OVERHEAD + record.n))
		TRY(segment_flush(s, why));
	uint64_t at = segment_end(s);
	buf_add_u32(&s->pending, (uint32_t)record.n);
	buf_add_u32(&s->pending, record_checksum(record));
	buf_add(&s->pending, record);
	if (ret_offset)
		*ret_offset = at;
	return ST_OK;
}

void segment_raise_barrier(struct segment *s)
{
	s->barrier = segment_end(s);
}

void segment_lift_barrier(struct segment *s)
{
	s->barrier = 0;
}

/* So much of what is pending may be written. */
static size_t free_to_go(const struct segment *s)
{
	return s->barrier ? (size_t)(s->barrier - s->file.size) : s->pending.n;
}

enum status segment_flush(struct segment *s, struct diag *why)
{
	size_t n = free_to_go(s);

	if (n == 0)
		return ST_OK;
	uint64_t before = s->file.size;
	enum status st = file_write(&s->file, (struct str){ s->pending.p, n }, why);

	if (st != ST_OK) {
		/* Take back what got through, so that a later flush may repeat all. */
		struct diag ignored;
		if (file_truncate(&s->file, before, &ignored) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "%s: %.180s", s->file.path,
					 ignored.text);
		return st;
	}
	s->pending.n -= n;
	memmove(s->pending.p, s->pending.p + n, s->pending.n);
	if (s->hold_bytes && s->pending.n == 0)
		buf_release(&s->pending);
	s->hold_bytes = 0;
	file_begin_sync(&s->file);
	return ST_OK;
}

enum status segment_get(const struct segment *s, uint64_t at, size_t n,
			struct buf *scratch, struct str *ret, struct diag *why)
{
	uint64_t written = s->file.size;

	if (at >= written) {
		*ret = str_slice(buf_str(&s->pending), (size_t)(at - written),
				 (size_t)(at - written) + n);
	} else {
		buf_reset(scratch);
		char *to = buf_reserve(scratch, n);

		if (!to)
			return ST_TOO_LARGE;
		TRY(file_read_at(&s->file, at, to, n, &scratch->n, why));
		*ret = buf_str(scratch);
	}
	return ret->n == n
		       ? ST_OK
		       : diag_fail(why, ST_CORRUPT, "%s: ends too early", s->file.path);
}

enum status segment_read(const struct segment *s, uint64_t at, struct buf *scratch,
			 struct str *ret, struct diag *why)
{
	uint32_t length, sum;
	struct str in;

	TRY(segment_get(s, at, SEGMENT_OVERHEAD, scratch, &in, why));
	if (!str_take_u32(&in, &length) || !str_take_u32(&in, &sum) ||
	    length > SEGMENT_RECORD_BYTES)
		return diag_fail(why, ST_CORRUPT, "%s: no record", s->file.path);
	TRY(segment_get(s, at + SEGMENT_OVERHEAD, length, scratch, ret, why));
	return sum == record_checksum(*ret)
		       ? ST_OK
		       : diag_fail(why, ST_CORRUPT, "%s: no record", s->file.path);
}

enum status segment_sync(struct segment *s, struct diag *why)
{
	assert(!s->barrier);
	TRY(segment_flush(s, why));
	return file_sync(&s->file, why);
}
