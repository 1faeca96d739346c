#include "kb/unpack.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "os/file.h"

#define PIECE_BYTES ((size_t)1 << 20)
#define PIECE_IN    ((size_t)1 << 30) /* zlib counts in 32 bits */

enum packing packing_of(struct str name, struct str *ret_name)
{
	static const struct {
		const char *suffix;
		enum packing packing;
	} known[] = { { ".gz", PACKING_GZIP }, { ".zst", PACKING_ZSTD } };

	*ret_name = name;
	for (size_t i = 0; i < COUNT(known); i++) {
		struct str suffix = str_from(known[i].suffix);

		if (str_ends(name, suffix)) {
			*ret_name = str_slice(name, 0, name.n - suffix.n);
			return known[i].packing;
		}
	}
	return PACKING_NONE;
}

/* The file that is written, up to its limit. */
struct target {
	struct file *file;
	char *piece;
	uint64_t written, most;
	struct diag *why;
};

static enum status write_piece(struct target *t, size_t n)
{
	t->written += n;
	if (t->written > t->most)
		return ST_TOO_LARGE;
	return file_write(t->file, (struct str){ t->piece, n }, t->why);
}

/* Members may follow each other, as those of parallel compressors do. */
static enum status inflate_all(z_stream *z, struct str in, struct target *to)
{
	int st = Z_OK;

	while (in.n || st == Z_OK) {
		size_t portion = MIN(in.n, PIECE_IN);

		z->next_in = (Bytef *)(uintptr_t)in.p;
		z->avail_in = (uInt)portion;
		z->next_out = (Bytef *)to->piece;
		z->avail_out = (uInt)PIECE_BYTES;
		if (st == Z_STREAM_END && inflateReset(z) != Z_OK)
			return ST_SYNTAX;
		st = inflate(z, Z_NO_FLUSH);
		in = str_skip(in, portion - z->avail_in);
		if (st != Z_OK && st != Z_STREAM_END)
			return ST_SYNTAX;
		TRY(write_piece(to, PIECE_BYTES - z->avail_out));
	}
	return ST_OK;
}

static enum status unpack_gzip(struct str in, struct target *to)
{
	z_stream z = { 0 };

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return ST_SYNTAX;
	enum status st = inflate_all(&z, in, to);
	inflateEnd(&z);
	return st;
}

static enum status unpack_zstd(struct str in, struct target *to)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer from = { in.p, in.n, 0 };
	size_t left = 0;
	enum status st = z ? ST_OK : ST_SYNTAX;

	while (st == ST_OK && (from.pos < from.size || left)) {
		ZSTD_outBuffer out = { to->piece, PIECE_BYTES, 0 };
		size_t before = from.pos;

		left = ZSTD_decompressStream(z, &out, &from);
		if (ZSTD_isError(left) || (out.pos == 0 && from.pos == before))
			st = ST_SYNTAX;
		else
			st = write_piece(to, out.pos);
	}
	ZSTD_freeDStream(z);
	return st;
}

enum status unpack_open(struct map_file *ret, const char *path, enum packing packing,
			const char *dir, uint64_t most, struct diag *why)
{
	cleanup(map_file_release) struct map_file packed = { 0 };
	cleanup(buf_release) struct buf name = { 0 };
	cleanup(file_close) struct file f = { 0 };
	struct target to = { .file = &f, .why = why };
	enum status st;

	if (packing == PACKING_NONE)
		return map_file_open(ret, path, MAP_SEQUENTIAL, why);
	TRY(map_file_open(&packed, path, MAP_SEQUENTIAL, why));
	buf_addf(&name, "%s/unpacked.tmp", dir);
	TRY(file_open(&f, buf_cstr(&name), FILE_CREATE, why));
	to.piece = xrealloc(NULL, PIECE_BYTES, 1);
	to.most = most ? most : packed.bytes.n * UNPACK_RATIO + UNPACK_FREE;
	st = packing == PACKING_GZIP ? unpack_gzip(packed.bytes, &to)
				     : unpack_zstd(packed.bytes, &to);
	free(to.piece);
	if (st == ST_TOO_LARGE)
		st = diag_fail(
			why, st,
			"%s: unpacked it is more than %llu bytes; --unpacked allows more",
			path, (unsigned long long)to.most);
	if (st == ST_SYNTAX)
		st = diag_fail(why, st, "%s: the compressed data is damaged or cut short",
			       path);
	if (st == ST_OK)
		st = map_file_open(ret, buf_cstr(&name), MAP_SEQUENTIAL, why);
	enum status removed =
		file_remove(buf_cstr(&name), why); /* lives on while mapped */
	return st != ST_OK ? st : removed;
}
