#include "warc/decoder.h"

#include <assert.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"

#define FIRST_ROOM       ((size_t)1 << 20)
#define DICTIONARY_MAX   ((size_t)16 << 20)
#define DICTIONARY_TAG   0x184D2A5Du
#define SKIPPABLE_FIRST  0x184D2A50u
#define PROBE_BYTES      ((size_t)4096)      /* more than a table of codes takes */
#define ZSTD_PROBE_BYTES ((size_t)256 << 10) /* more than a block takes */
#define ZSTD_WINDOW_LOG  27 /* 128 MiB: what zstd itself accepts by default */

static const char gzip_magic[] = { 0x1f, (char)0x8b, 8 };
static const char zstd_magic[] = { 0x28, (char)0xb5, 0x2f, (char)0xfd };

static struct str rest_of(const struct decoder *d)
{
	return str_skip(d->in, (size_t)MIN(d->next, (uint64_t)d->in.n));
}

static bool is_gzip(struct str s)
{
	return str_starts(s, (struct str){ gzip_magic, sizeof(gzip_magic) });
}

static bool is_zstd(struct str s)
{
	uint32_t tag = 0;

	if (str_starts(s, (struct str){ zstd_magic, sizeof(zstd_magic) }))
		return true;
	return str_take_u32(&s, &tag) && (tag & ~15u) == SKIPPABLE_FIRST;
}

void decoder_init(struct decoder *d, struct str in)
{
	*d = (struct decoder){
		.in = in,
		.format = is_gzip(in)   ? MEMBER_GZIP
			  : is_zstd(in) ? MEMBER_ZSTD
					: MEMBER_PLAIN,
	};
	if (d->format == MEMBER_GZIP) {
		d->whole = libdeflate_alloc_decompressor();
		d->stream = xcalloc(1, sizeof(*d->stream));
		int error = inflateInit2(d->stream, 16 + MAX_WBITS);
		assert(d->whole && error == Z_OK);
		(void)error;
	}
	if (d->format == MEMBER_ZSTD) {
		d->zstd = ZSTD_createDCtx();
		assert(d->zstd);
		ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
	}
	d->out.limit = DECODER_WHOLE;
}

void decoder_release(struct decoder *d)
{
	if (d->stream)
		inflateEnd(d->stream);
	free(d->stream);
	if (d->whole)
		libdeflate_free_decompressor(d->whole);
	ZSTD_freeDCtx(d->zstd);
	buf_release(&d->out);
	*d = (struct decoder){ 0 };
}

void decoder_seek(struct decoder *d, uint64_t offset)
{
	d->next = d->member_start = offset;
	d->in_member = false;
	d->torn = false;
}

/* Room for another piece behind what is decoded: in pieces, the old ones go. */
static char *room(struct decoder *d, size_t n)
{
	buf_reset(&d->out);
	return buf_reserve(&d->out, n);
}

/* The whole member in one call; false when it must go in pieces, nothing changed. */
static bool gunzip_whole(struct decoder *d, struct str in)
{
	size_t used, made;

	for (size_t n = MAX(d->out.cap, FIRST_ROOM); n <= DECODER_WHOLE; n *= 4) {
		char *to = room(d, n);

		if (!to)
			return false;
		enum libdeflate_result r = libdeflate_gzip_decompress_ex(
			d->whole, in.p, in.n, to, n, &used, &made);
		if (r == LIBDEFLATE_SUCCESS) {
			d->out.n = made;
			d->next += used;
			return true;
		}
		if (r != LIBDEFLATE_INSUFFICIENT_SPACE)
			return false;
	}
	return false;
}

static enum status gunzip_piece(struct decoder *d, struct diag *why)
{
	struct str in = rest_of(d);
	uInt given = (uInt)MIN(in.n, (size_t)1 << 30);
	char *to = room(d, DECODER_PIECE);

	d->stream->next_in = (Bytef *)(uintptr_t)in.p;
	d->stream->avail_in = given;
	d->stream->next_out = (Bytef *)to;
	d->stream->avail_out = (uInt)DECODER_PIECE;
	int r = inflate(d->stream, Z_NO_FLUSH);
	d->next += given - d->stream->avail_in;
	d->out.n = DECODER_PIECE - d->stream->avail_out;
	if (r == Z_STREAM_END)
		d->in_member = false;
	else if (r != Z_OK && r != Z_BUF_ERROR)
		return diag_fail(why, ST_CORRUPT, "gzip: %s",
				 d->stream->msg ? d->stream->msg : "damaged");
	/* Nothing made and nothing left to read: the file ends here. */
	if (r != Z_STREAM_END && d->out.n == 0) {
		d->torn = true;
		return diag_fail(why, ST_CORRUPT, "the file ends inside a gzip member");
	}
	return ST_OK;
}

static enum status next_gzip(struct decoder *d, struct diag *why)
{
	if (d->in_member)
		return gunzip_piece(d, why);
	struct str in = rest_of(d);
	d->member_start = d->next;
	if (!is_gzip(in)) {
		d->torn = in.n < sizeof(gzip_magic);
		return diag_fail(why, ST_CORRUPT, "not the beginning of a gzip member");
	}
	if (gunzip_whole(d, in))
		return ST_OK;
	/* Too large, or damaged: zlib gives what there is, and says what is wrong. */
	inflateReset(d->stream);
	d->in_member = true;
	return gunzip_piece(d, why);
}

/* The optional first frame of .warc.zst, itself compressed or not. */
static enum status load_dictionary(struct decoder *d, struct str bytes, struct diag *why)
{
	cleanup(buf_release) struct buf plain = BUF(DICTIONARY_MAX);

	if (str_starts(bytes, (struct str){ zstd_magic, sizeof(zstd_magic) })) {
		unsigned long long n = ZSTD_getFrameContentSize(bytes.p, bytes.n);
		char *to = n <= DICTIONARY_MAX ? buf_reserve(&plain, (size_t)n) : NULL;

		if (!to)
			return diag_fail(why, ST_TOO_LARGE, "zstd: dictionary too large");
		size_t made = ZSTD_decompress(to, (size_t)n, bytes.p, bytes.n);
		if (ZSTD_isError(made))
			return diag_fail(why, ST_CORRUPT, "zstd: damaged dictionary");
		bytes = (struct str){ to, made };
	}
	if (ZSTD_isError(ZSTD_DCtx_loadDictionary(d->zstd, bytes.p, bytes.n)))
		return diag_fail(why, ST_CORRUPT, "zstd: not a dictionary");
	d->zstd_dictionary = true;
	return ST_OK;
}

/* Pass over skippable frames; ST_AGAIN when nothing follows them. */
static enum status skip_frames(struct decoder *d, struct diag *why)
{
	for (;;) {
		struct str in = rest_of(d), body;
		uint32_t tag, n;

		if (in.n == 0)
			return ST_AGAIN;
		if (!str_take_u32(&in, &tag) || (tag & ~15u) != SKIPPABLE_FIRST)
			return ST_OK;
		if (!str_take_u32(&in, &n) || !str_take_bytes(&in, n, &body)) {
			d->torn = true;
			return diag_fail(why, ST_CORRUPT,
					 "the file ends inside a skippable frame");
		}
		if (tag == DICTIONARY_TAG && d->next == 0)
			TRY(load_dictionary(d, body, why));
		d->next += 8 + n;
	}
}

static enum status unzstd_piece(struct decoder *d, struct diag *why)
{
	struct str rest = rest_of(d);
	char *to = room(d, DECODER_PIECE);
	ZSTD_inBuffer in = { rest.p, rest.n, 0 };
	ZSTD_outBuffer out = { to, DECODER_PIECE, 0 };
	size_t r = ZSTD_decompressStream(d->zstd, &out, &in);

	d->next += in.pos;
	d->out.n = out.pos;
	if (ZSTD_isError(r))
		return diag_fail(why, ST_CORRUPT, "zstd: %s", ZSTD_getErrorName(r));
	d->in_member = r != 0;
	if (d->in_member && out.pos == 0 && in.pos == in.size) {
		d->torn = true;
		return diag_fail(why, ST_CORRUPT, "the file ends inside a zstd frame");
	}
	return ST_OK;
}

/* False when it must go in pieces. */
static bool unzstd_whole(struct decoder *d, struct str in)
{
	unsigned long long size = ZSTD_getFrameContentSize(in.p, in.n);
	size_t used = ZSTD_findFrameCompressedSize(in.p, in.n);

	if (ZSTD_isError(used) || size > DECODER_WHOLE)
		return false;
	char *to = room(d, (size_t)size + 1);
	size_t made = to ? ZSTD_decompressDCtx(d->zstd, to, (size_t)size, in.p, used) : 0;
	if (!to || ZSTD_isError(made))
		return false;
	d->out.n = made;
	d->next += used;
	return true;
}

static enum status next_zstd(struct decoder *d, struct diag *why)
{
	if (d->in_member)
		return unzstd_piece(d, why);
	TRY(skip_frames(d, why));
	struct str in = rest_of(d);
	d->member_start = d->next;
	if (unzstd_whole(d, in))
		return ST_OK;
	ZSTD_DCtx_reset(d->zstd, ZSTD_reset_session_only);
	d->in_member = true;
	return unzstd_piece(d, why);
}

enum status decoder_next(struct decoder *d, struct str *ret, struct diag *why)
{
	struct str rest = rest_of(d);

	d->torn = false;
	if (rest.n == 0 && !d->in_member)
		return ST_AGAIN;
	if (d->format == MEMBER_PLAIN) {
		d->member_start = d->next;
		d->next = d->in.n;
		*ret = rest;
		return ST_OK;
	}
	enum status st = d->format == MEMBER_GZIP ? next_gzip(d, why) : next_zstd(d, why);
	if (st != ST_OK) {
		d->in_member = false;
		return st;
	}
	*ret = buf_str(&d->out);
	return ST_OK;
}

uint64_t decoder_find_member(const struct decoder *d, uint64_t offset)
{
	struct str magic = d->format == MEMBER_GZIP
				   ? (struct str){ gzip_magic, sizeof(gzip_magic) }
			   : d->format == MEMBER_ZSTD
				   ? (struct str){ zstd_magic, sizeof(zstd_magic) }
				   : STR("WARC/1.");
	size_t at = (size_t)MIN(offset + 1, (uint64_t)d->in.n);
	size_t found = str_find(str_skip(d->in, at), magic);

	return found == STR_NONE ? d->in.n : at + found;
}

#define RECORD_BEGIN "WARC/"

/* The member inflates to "WARC/...", as far as its first bytes tell. */
static bool gzip_begins_record(struct str member)
{
	char got[sizeof(RECORD_BEGIN) - 1];
	z_stream z = { .next_in = (Bytef *)(uintptr_t)member.p,
		       .avail_in = (uInt)MIN(member.n, PROBE_BYTES),
		       .next_out = (Bytef *)got,
		       .avail_out = sizeof(got) };
	int error = inflateInit2(&z, 16 + MAX_WBITS);

	assert(error == Z_OK);
	error = inflate(&z, Z_SYNC_FLUSH);
	inflateEnd(&z);
	return (error == Z_OK || error == Z_STREAM_END) && z.avail_out == 0 &&
	       memcmp(got, RECORD_BEGIN, sizeof(got)) == 0;
}

/* The same of a frame: zstd needs the whole first block of it. */
static bool zstd_begins_record(struct str frame)
{
	char got[sizeof(RECORD_BEGIN) - 1];
	ZSTD_inBuffer in = { frame.p, MIN(frame.n, ZSTD_PROBE_BYTES), 0 };
	ZSTD_outBuffer out = { got, sizeof(got), 0 };
	ZSTD_DCtx *z = ZSTD_createDCtx();
	size_t error = 0;

	assert(z);
	while (!ZSTD_isError(error) && out.pos < out.size && in.pos < in.size)
		error = ZSTD_decompressStream(z, &out, &in);
	ZSTD_freeDCtx(z);
	return out.pos == out.size && memcmp(got, RECORD_BEGIN, sizeof(got)) == 0;
}

/* Frames tell how long they are: from one to the next, up to `offset` or behind it. */
static uint64_t find_frame(const struct decoder *d, uint64_t offset)
{
	uint64_t at = d->next;

	while (at < MIN(offset, (uint64_t)d->in.n)) {
		struct str rest = str_skip(d->in, (size_t)at);
		size_t n = ZSTD_findFrameCompressedSize(rest.p, rest.n);

		at = ZSTD_isError(n) ? decoder_find_member(d, at) : at + n;
	}
	return at;
}

uint64_t decoder_find_record(const struct decoder *d, uint64_t offset)
{
	bool gzip = d->format == MEMBER_GZIP;
	uint64_t at = gzip ? decoder_find_member(d, offset ? offset - 1 : 0)
			   : find_frame(d, offset);

	assert(d->format != MEMBER_PLAIN);
	while (at < d->in.n) {
		struct str member = str_skip(d->in, (size_t)at);

		if (gzip ? gzip_begins_record(member) : zstd_begins_record(member))
			break;
		at = gzip ? decoder_find_member(d, at) : find_frame(d, at + 1);
	}
	return at;
}

bool decoder_has_dictionary(const struct decoder *d)
{
	struct str in = d->in;
	uint32_t tag;

	return d->format == MEMBER_ZSTD && str_take_u32(&in, &tag) &&
	       tag == DICTIONARY_TAG;
}
