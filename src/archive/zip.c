#include "archive/zip.h"

#include <libdeflate.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/date.h"
#include "os/map_file.h"

#define PIECE_BYTES ((size_t)1 << 20)
#define FULL32      0xffffffffu
#define UTF8_NAMES  0x0800

enum status zip_open(struct zip_writer *z, const char *path, int64_t date_ms,
		     struct diag *why)
{
	*z = (struct zip_writer){ .date_ms = date_ms };
	TRY(file_open(&z->file, path, FILE_CREATE, why));
	digest_init(&z->sha256, DIGEST_SHA256);
	return ST_OK;
}

void zip_release(struct zip_writer *z)
{
	file_close(&z->file);
	if (z->sha256.state)
		digest_release(&z->sha256);
	free(z->entries);
	arena_release(&z->names);
	*z = (struct zip_writer){ 0 };
}

static void add_u16(struct buf *b, unsigned v)
{
	buf_add_u8(b, (uint8_t)v);
	buf_add_u8(b, (uint8_t)(v >> 8));
}

/* What local and central header have in common (APPNOTE 4.4): flags to name length. */
static void add_common(struct buf *b, const struct zip_writer *z,
		       const struct zip_entry *e, bool big)
{
	struct civil c = civil_from_ms(z->date_ms);

	add_u16(b, UTF8_NAMES);
	add_u16(b, 0); /* stored */
	add_u16(b, (unsigned)(c.hour << 11 | c.minute << 5 | c.second / 2));
	add_u16(b, (unsigned)((c.year - 1980) << 9 | c.month << 5 | c.day));
	buf_add_u32(b, e->crc);
	buf_add_u32(b, big ? FULL32 : (uint32_t)e->bytes);
	buf_add_u32(b, big ? FULL32 : (uint32_t)e->bytes);
	add_u16(b, (unsigned)e->name.n);
}

static bool is_big(uint64_t v)
{
	return v >= FULL32;
}

static enum status write_header(struct zip_writer *z, const struct zip_entry *e,
				struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	bool big = is_big(e->bytes);

	buf_add(&b, STR("PK\3\4"));
	add_u16(&b, big ? 45 : 20);
	add_common(&b, z, e, big);
	add_u16(&b, big ? 20 : 0);
	buf_add(&b, e->name);
	if (big) {
		add_u16(&b, 1);
		add_u16(&b, 16);
		buf_add_u64(&b, e->bytes);
		buf_add_u64(&b, e->bytes);
	}
	return file_write(&z->file, buf_str(&b), why);
}

enum status zip_add(struct zip_writer *z, struct str name, struct str bytes,
		    struct diag *why)
{
	struct zip_entry e = { .bytes = bytes.n, .offset = z->file.size };

	if (name.n > UINT16_MAX)
		return diag_fail(why, ST_TOO_LARGE, "a name of %zu bytes", name.n);
	e.name = arena_copy(&z->names, name);
	e.crc = libdeflate_crc32(0, bytes.p, bytes.n);
	digest_of(&z->sha256, bytes, e.sha256);
	TRY(write_header(z, &e, why));
	for (struct str rest = bytes; rest.n > 0; rest = str_skip(rest, PIECE_BYTES))
		TRY(file_write(&z->file, str_slice(rest, 0, PIECE_BYTES), why));
	VEC_ADD(z->entries, z->n, z->cap, e);
	return ST_OK;
}

enum status zip_add_file(struct zip_writer *z, struct str name, const char *path,
			 struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	return zip_add(z, name, map.bytes, why);
}

static void add_central(struct buf *b, const struct zip_writer *z,
			const struct zip_entry *e)
{
	bool big = is_big(e->bytes), far = is_big(e->offset);
	unsigned extra = (big ? 16u : 0u) + (far ? 8u : 0u);

	buf_add(b, STR("PK\1\2"));
	add_u16(b, 3 << 8 | 45); /* made on Unix, by version 4.5 */
	add_u16(b, big || far ? 45 : 20);
	add_common(b, z, e, big);
	add_u16(b, extra ? extra + 4 : 0);
	add_u16(b, 0); /* comment */
	add_u16(b, 0); /* disk */
	add_u16(b, 0); /* text or binary: unknown */
	buf_add_u32(b, 0100644u << 16);
	buf_add_u32(b, far ? FULL32 : (uint32_t)e->offset);
	buf_add(b, e->name);
	if (!extra)
		return;
	add_u16(b, 1);
	add_u16(b, extra);
	if (big) {
		buf_add_u64(b, e->bytes);
		buf_add_u64(b, e->bytes);
	}
	if (far)
		buf_add_u64(b, e->offset);
}

/* Zip64 records stand before the old one, which then says "look there". */
static void add_end(struct buf *b, uint64_t n, uint64_t at, uint64_t bytes)
{
	bool big = n >= 0xffff || is_big(at) || is_big(bytes);

	if (big) {
		buf_add(b, STR("PK\6\6"));
		buf_add_u64(b, 44);
		add_u16(b, 3 << 8 | 45);
		add_u16(b, 45);
		buf_add_u32(b, 0);
		buf_add_u32(b, 0);
		buf_add_u64(b, n);
		buf_add_u64(b, n);
		buf_add_u64(b, bytes);
		buf_add_u64(b, at);
		buf_add(b, STR("PK\6\7"));
		buf_add_u32(b, 0);
		buf_add_u64(b, at + bytes);
		buf_add_u32(b, 1);
	}
	buf_add(b, STR("PK\5\6"));
	add_u16(b, 0);
	add_u16(b, 0);
	add_u16(b, big ? 0xffff : (unsigned)n);
	add_u16(b, big ? 0xffff : (unsigned)n);
	buf_add_u32(b, big ? FULL32 : (uint32_t)bytes);
	buf_add_u32(b, big ? FULL32 : (uint32_t)at);
	add_u16(b, 0);
}

enum status zip_end(struct zip_writer *z, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	uint64_t at = z->file.size;

	for (size_t i = 0; i < z->n; i++)
		add_central(&b, z, &z->entries[i]);
	add_end(&b, z->n, at, b.n);
	TRY(file_write(&z->file, buf_str(&b), why));
	return file_sync(&z->file, why);
}
