#include "testweb/compress.h"

#include <brotli/encode.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"

const char *const coding_names[CODINGS] = { "identity", "gzip", "br", "zstd" };

#define MEGABYTE ((size_t)1 << 20)

void compressors_release(struct compressors *c)
{
	if (c->gzip)
		libdeflate_free_compressor(c->gzip);
	ZSTD_freeCCtx(c->zstd);
	for (unsigned i = 0; i < CODINGS; i++)
		buf_release(&c->bombs[i]);
	*c = (struct compressors){ 0 };
}

static size_t gzip_to(struct compressors *c, struct str in, char *to, size_t room)
{
	if (!c->gzip)
		c->gzip = libdeflate_alloc_compressor(1);
	return libdeflate_gzip_compress(c->gzip, in.p, in.n, to, room);
}

static size_t brotli_to(struct str in, char *to, size_t room)
{
	size_t n = room;
	bool ok = BrotliEncoderCompress(1, 18, BROTLI_MODE_TEXT, in.n,
					(const uint8_t *)in.p, &n, (uint8_t *)to);

	return ok ? n : 0;
}

static size_t zstd_to(struct compressors *c, struct str in, char *to, size_t room)
{
	if (!c->zstd)
		c->zstd = ZSTD_createCCtx();
	size_t n = ZSTD_compressCCtx(c->zstd, to, room, in.p, in.n, 1);

	return ZSTD_isError(n) ? 0 : n;
}

bool compress_add(struct compressors *c, enum coding coding, struct str in,
		  struct buf *to)
{
	char *at = buf_reserve(to, in.n);
	size_t n = 0;

	if (!at)
		return false;
	if (coding == CODING_GZIP)
		n = gzip_to(c, in, at, in.n);
	else if (coding == CODING_BR)
		n = brotli_to(in, at, in.n);
	else if (coding == CODING_ZSTD)
		n = zstd_to(c, in, at, in.n);
	to->n += n;
	return n > 0;
}

static void add_u32(struct buf *to, uint32_t v)
{
	buf_add_u32(to, v);
}

/*
 * After a full flush the state of deflate is that of the beginning, so one
 * compressed megabyte can be repeated; the checksums are combined the same way.
 */
static void make_gzip_bomb(struct buf *to)
{
	z_stream z = { 0 };
	char *zeros = xcalloc(MEGABYTE, 1), *small = xcalloc(MEGABYTE, 1);
	uLong crc_one = crc32(0, (const Bytef *)zeros, MEGABYTE), crc = 0;

	buf_add(to, (struct str){ "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10 });
	if (deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (Bytef *)zeros;
	z.avail_in = MEGABYTE;
	z.next_out = (Bytef *)small;
	z.avail_out = MEGABYTE;
	deflate(&z, Z_FULL_FLUSH);
	size_t n = MEGABYTE - z.avail_out;
	for (uint64_t i = 0; i < BOMB_BYTES / MEGABYTE; i++) {
		buf_add(to, (struct str){ small, n });
		crc = i ? crc32_combine(crc, crc_one, MEGABYTE) : crc_one;
	}
	z.next_out = (Bytef *)small;
	z.avail_out = MEGABYTE;
	deflate(&z, Z_FINISH);
	buf_add(to, (struct str){ small, MEGABYTE - z.avail_out });
	add_u32(to, (uint32_t)crc);
	add_u32(to, (uint32_t)BOMB_BYTES);
	deflateEnd(&z);
	free(zeros);
	free(small);
}

/* Frames may follow each other, so one of 8 MiB is enough. */
static void make_zstd_bomb(struct buf *to)
{
	char *zeros = xcalloc(8, MEGABYTE), *small = xcalloc(MEGABYTE, 1);
	size_t n = ZSTD_compress(small, MEGABYTE, zeros, 8 * MEGABYTE, 1);

	for (uint64_t i = 0; i < BOMB_BYTES / (8 * MEGABYTE) && !ZSTD_isError(n); i++)
		buf_add(to, (struct str){ small, n });
	free(zeros);
	free(small);
}

static void make_brotli_bomb(struct buf *to)
{
	size_t n = MEGABYTE;
	char *zeros = xcalloc(64, MEGABYTE), *small = xcalloc(n, 1);

	if (BrotliEncoderCompress(1, 22, BROTLI_MODE_GENERIC, 64 * MEGABYTE,
				  (const uint8_t *)zeros, &n, (uint8_t *)small))
		buf_add(to, (struct str){ small, n });
	free(zeros);
	free(small);
}

struct str compress_bomb(struct compressors *c, enum coding coding)
{
	struct buf *b = &c->bombs[coding];

	if (b->n == 0 && coding == CODING_GZIP)
		make_gzip_bomb(b);
	else if (b->n == 0 && coding == CODING_ZSTD)
		make_zstd_bomb(b);
	else if (b->n == 0 && coding == CODING_BR)
		make_brotli_bomb(b);
	return buf_str(b);
}
