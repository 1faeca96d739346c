#include "web/coding.h"

#include <brotli/decode.h>
#include <libdeflate.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define STEP_BYTES ((size_t)64 * 1024)
/* Deflate cannot do better than 1032 : 1, so a larger promise is a lie. */
#define DEFLATE_RATIO_MAX 1032

enum coding {
	CODING_IDENTITY,
	CODING_GZIP,
	CODING_DEFLATE,
	CODING_BROTLI,
	CODING_ZSTD,
	CODING_UNKNOWN,
};

static enum coding coding_of(struct str name)
{
	if (name.n == 0 || str_eq_nocase(name, STR("identity")))
		return CODING_IDENTITY;
	if (str_eq_nocase(name, STR("gzip")) || str_eq_nocase(name, STR("x-gzip")))
		return CODING_GZIP;
	if (str_eq_nocase(name, STR("deflate")))
		return CODING_DEFLATE;
	if (str_eq_nocase(name, STR("br")))
		return CODING_BROTLI;
	return str_eq_nocase(name, STR("zstd")) ? CODING_ZSTD : CODING_UNKNOWN;
}

/* Room for the next step; less near the limit, NULL at it. */
static char *step_room(struct buf *to, size_t *ret_n)
{
	size_t limit = to->limit ? to->limit : BUF_LIMIT_DEFAULT;

	*ret_n = MIN(STEP_BYTES, limit - to->n);
	if (*ret_n == 0) {
		to->overflow = true;
		return NULL;
	}
	return buf_reserve(to, *ret_n);
}

static enum status inflate_stream(struct str in, int window_bits, struct buf *to)
{
	z_stream z = { 0 };
	int code = Z_OK;
	size_t room;

	if (inflateInit2(&z, window_bits) != Z_OK)
		return ST_SYNTAX;
	z.next_in = (z_const Bytef *)(uintptr_t)in.p;
	z.avail_in = (uInt)in.n;
	while (code == Z_OK) {
		char *p = step_room(to, &room);

		if (!p)
			break;
		z.next_out = (Bytef *)p;
		z.avail_out = (uInt)room;
		code = inflate(&z, Z_NO_FLUSH);
		to->n += room - z.avail_out;
		/* RFC 1952 2.2: members may follow one another. */
		if (code == Z_STREAM_END && window_bits > 15 && z.avail_in > 2 &&
		    z.next_in[0] == 0x1f && z.next_in[1] == 0x8b)
			code = inflateReset(&z);
	}
	inflateEnd(&z);
	if (to->overflow)
		return ST_TOO_LARGE;
	return code == Z_STREAM_END ? ST_OK : ST_SYNTAX;
}

/* The usual case, one whole member that says its size: 2.3 times as fast as zlib. */
static bool gunzip_at_once(struct str in, struct buf *to)
{
	uint32_t promised;
	size_t used, made;

	if (in.n < 18)
		return false;
	memcpy(&promised, in.p + in.n - 4, sizeof(promised));
	size_t limit = to->limit ? to->limit : BUF_LIMIT_DEFAULT;
	if (promised == 0 || promised > limit - to->n ||
	    promised / DEFLATE_RATIO_MAX > in.n)
		return false;
	char *p = buf_reserve(to, promised);
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	bool fine = p && d &&
		    libdeflate_gzip_decompress_ex(d, in.p, in.n, p, promised, &used,
						  &made) == LIBDEFLATE_SUCCESS &&
		    used == in.n && made == promised;
	libdeflate_free_decompressor(d);
	if (fine)
		to->n += made;
	return fine;
}

/* "deflate" means zlib's format; half the servers that say it send raw deflate. */
static enum status decode_deflate(struct str in, struct buf *to)
{
	bool zlib = in.n >= 2 && (in.p[0] & 0x0f) == 8 &&
		    ((unsigned)(uint8_t)in.p[0] * 256 + (uint8_t)in.p[1]) % 31 == 0;

	return inflate_stream(in, zlib ? 15 : -15, to);
}

static enum status decode_brotli(struct str in, struct buf *to)
{
	BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	const uint8_t *next = (const uint8_t *)in.p;
	size_t left = in.n, room;
	BrotliDecoderResult r = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;

	while (s && r == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
		uint8_t *p = (uint8_t *)step_room(to, &room);
		size_t free_bytes = room;

		if (!p)
			break;
		r = BrotliDecoderDecompressStream(s, &left, &next, &free_bytes, &p, NULL);
		to->n += room - free_bytes;
	}
	/* Cut short: what was decoded may still wait in the decoder's window. */
	while (s && r == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT &&
	       BrotliDecoderHasMoreOutput(s) && step_room(to, &room)) {
		const uint8_t *waiting = BrotliDecoderTakeOutput(s, &room);

		buf_add(to, (struct str){ (const char *)waiting, room });
	}
	BrotliDecoderDestroyInstance(s);
	if (to->overflow)
		return ST_TOO_LARGE;
	return r == BROTLI_DECODER_RESULT_SUCCESS ? ST_OK : ST_SYNTAX;
}

static enum status decode_zstd(struct str in, struct buf *to)
{
	ZSTD_DCtx *d = ZSTD_createDCtx();
	ZSTD_inBuffer from = { in.p, in.n, 0 };
	size_t room, hint = 1;

	/* 8 MB windows are what browsers accept (RFC 9659). */
	ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, 23);
	while (hint && !ZSTD_isError(hint)) {
		char *p = step_room(to, &room);
		ZSTD_outBuffer out = { p, room, 0 };
		size_t before = from.pos;

		if (!p)
			break;
		hint = ZSTD_decompressStream(d, &out, &from);
		to->n += out.pos;
		if (from.pos == before && out.pos == 0)
			break; /* cut short */
	}
	ZSTD_freeDCtx(d);
	if (to->overflow)
		return ST_TOO_LARGE;
	return hint == 0 ? ST_OK : ST_SYNTAX;
}

static enum status decode_one(enum coding c, struct str in, struct buf *to)
{
	switch (c) {
	case CODING_GZIP:
		return gunzip_at_once(in, to) ? ST_OK : inflate_stream(in, 15 + 16, to);
	case CODING_DEFLATE:
		return decode_deflate(in, to);
	case CODING_BROTLI:
		return decode_brotli(in, to);
	case CODING_ZSTD:
		return decode_zstd(in, to);
	case CODING_IDENTITY:
		buf_add(to, in);
		return buf_status(to);
	default:
		return ST_UNSUPPORTED;
	}
}

bool coding_is_identity(struct str field)
{
	return coding_of(str_trim(field)) == CODING_IDENTITY;
}

enum status coding_decode(struct str field, struct str body, struct buf *to)
{
	enum coding list[CODINGS_MAX];
	cleanup(buf_release) struct buf even = { 0 }, odd = { 0 };
	size_t n = 0;
	struct str name;

	while (str_take_until(&field, ',', &name)) {
		enum coding c = coding_of(str_trim(name));

		if (c == CODING_UNKNOWN || n == CODINGS_MAX)
			return ST_UNSUPPORTED;
		if (c != CODING_IDENTITY)
			list[n++] = c;
	}
	if (n == 0)
		return decode_one(CODING_IDENTITY, body, to);
	/* The field names them in the order of applying: undo the last first. */
	enum status st = ST_OK;
	for (size_t i = n; i-- > 1;) {
		struct buf *half = i % 2 ? &odd : &even;

		buf_reset(half);
		half->limit = to->limit;
		st = decode_one(list[i], body, half);
		body = buf_str(half);
	}
	enum status last = decode_one(list[0], body, to);
	return st != ST_OK ? st : last;
}
