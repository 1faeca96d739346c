#include "archive/member.h"

#include <assert.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/alloc.h"

#define ZSTD_LEVEL  3
#define ROOM_BYTES  ((size_t)64 << 10)
#define GZIP_LEVEL  1
#define LEVEL_BYTES ISAL_DEF_LVL1_DEFAULT

void member_writer_init(struct member_writer *w, enum member_format format)
{
	*w = (struct member_writer){ .format = format };
	if (format == MEMBER_GZIP) {
		w->gzip = xcalloc(1, sizeof(*w->gzip));
		w->level_buf = xcalloc(1, LEVEL_BYTES);
	}
	if (format != MEMBER_ZSTD)
		return;
	w->zstd = ZSTD_createCCtx();
	assert(w->zstd);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_contentSizeFlag, 1);
}

void member_writer_release(struct member_writer *w)
{
	free(w->gzip);
	free(w->level_buf);
	ZSTD_freeCCtx(w->zstd);
	*w = (struct member_writer){ 0 };
}

static uint8_t *unconst(const char *p)
{
	return (uint8_t *)(uintptr_t)p;
}

/* Stored blocks are the worst case: five bytes for each 64 kB, and the wrapping. */
static size_t gzip_bound(size_t n)
{
	return n + 5 * (n / 32768 + 1) + 64;
}

static void set_gzip(struct member_writer *w)
{
	w->gzip->level = GZIP_LEVEL;
	w->gzip->level_buf = w->level_buf;
	w->gzip->level_buf_size = LEVEL_BYTES;
	w->gzip->gzip_flag = IGZIP_GZIP;
	w->gzip->flush = NO_FLUSH;
}

static void add_gzip(struct member_writer *w, struct str bytes, struct buf *to)
{
	size_t room = gzip_bound(bytes.n);
	char *out = buf_reserve(to, room);

	assert(bytes.n < UINT32_MAX / 2);
	if (!out)
		return;
	isal_deflate_stateless_init(w->gzip);
	set_gzip(w);
	w->gzip->end_of_stream = 1;
	w->gzip->next_in = unconst(bytes.p);
	w->gzip->avail_in = (uint32_t)bytes.n;
	w->gzip->next_out = (uint8_t *)out;
	w->gzip->avail_out = (uint32_t)room;
	int error = isal_deflate_stateless(w->gzip);
	assert(error == COMP_OK);
	(void)error;
	to->n += w->gzip->total_out;
}

static void add_zstd(struct member_writer *w, struct str bytes, struct buf *to)
{
	size_t room = ZSTD_compressBound(bytes.n);
	char *out = buf_reserve(to, room);

	if (!out)
		return;
	size_t n = ZSTD_compress2(w->zstd, out, room, bytes.p, bytes.n);
	assert(!ZSTD_isError(n));
	to->n += n;
}

void member_add(struct member_writer *w, struct str bytes, struct buf *to)
{
	if (w->format == MEMBER_GZIP)
		add_gzip(w, bytes, to);
	else if (w->format == MEMBER_ZSTD)
		add_zstd(w, bytes, to);
	else
		buf_add(to, bytes);
}

void member_start(struct member_writer *w, uint64_t bytes)
{
	if (w->format == MEMBER_GZIP) {
		isal_deflate_init(w->gzip);
		set_gzip(w);
	} else if (w->format == MEMBER_ZSTD) {
		ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_only);
		ZSTD_CCtx_setPledgedSrcSize(w->zstd, bytes);
	}
}

static void more_gzip(struct member_writer *w, struct str piece, bool end, struct buf *to)
{
	w->gzip->next_in = unconst(piece.p);
	w->gzip->avail_in = (uint32_t)piece.n;
	w->gzip->end_of_stream = end;
	do {
		char *out = buf_reserve(to, ROOM_BYTES);

		if (!out)
			return;
		w->gzip->next_out = (uint8_t *)out;
		w->gzip->avail_out = ROOM_BYTES;
		int error = isal_deflate(w->gzip);
		assert(error == COMP_OK);
		(void)error;
		to->n += ROOM_BYTES - w->gzip->avail_out;
	} while (w->gzip->avail_out == 0 || w->gzip->avail_in > 0);
}

static void more_zstd(struct member_writer *w, struct str piece, bool end, struct buf *to)
{
	ZSTD_inBuffer in = { piece.p, piece.n, 0 };
	size_t left;

	do {
		char *out = buf_reserve(to, ROOM_BYTES);

		if (!out)
			return;
		ZSTD_outBuffer o = { out, ROOM_BYTES, 0 };
		left = ZSTD_compressStream2(w->zstd, &o, &in,
					    end ? ZSTD_e_end : ZSTD_e_continue);
		assert(!ZSTD_isError(left));
		to->n += o.pos;
	} while (in.pos < in.size || (end && left > 0));
}

static void more(struct member_writer *w, struct str piece, bool end, struct buf *to)
{
	if (w->format == MEMBER_GZIP)
		more_gzip(w, piece, end, to);
	else if (w->format == MEMBER_ZSTD)
		more_zstd(w, piece, end, to);
	else
		buf_add(to, piece);
}

void member_more(struct member_writer *w, struct str piece, struct buf *to)
{
	more(w, piece, false, to);
}

void member_end(struct member_writer *w, struct buf *to)
{
	more(w, STR(""), true, to);
}

struct str member_suffix(enum member_format format)
{
	return format == MEMBER_GZIP   ? STR(".gz")
	       : format == MEMBER_ZSTD ? STR(".zst")
				       : STR("");
}
