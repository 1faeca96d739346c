/*
 * decoder.h - the members of a WARC file, decompressed; bounded whatever it holds.
 *
 * A member of up to DECODER_WHOLE bytes is decompressed at once (libdeflate, or one
 * call of zstd); a larger or damaged one in pieces (zlib, zstd streaming), so that
 * memory does not depend on the input.  A plain file is one member of any length and
 * is never copied.  Works on bytes in memory: a mapped file, or a test.
 */
#ifndef WARC_DECODER_H
#define WARC_DECODER_H

#include "warc/member.h"

#define DECODER_WHOLE ((size_t)16 << 20)
#define DECODER_PIECE ((size_t)256 << 10)

struct decoder {
	enum member_format format;
	struct str in;         /* the whole file */
	uint64_t next;         /* the first byte not yet decoded */
	uint64_t member_start; /* where the present member begins */
	bool in_member;        /* more of it is to come */
	bool torn;             /* the last failure was the file's end inside a member */
	struct buf out;
	struct libdeflate_decompressor *whole;
	struct z_stream_s *stream;
	struct ZSTD_DCtx_s *zstd;
	bool zstd_dictionary;
};

/* The format is told by the first bytes. */
void decoder_init(struct decoder *d, struct str in);
void decoder_release(struct decoder *d);
/* Go to a member; `offset` should be where one begins. */
void decoder_seek(struct decoder *d, uint64_t offset);
/*
 * The next bytes of the present member, or the first ones of the next; borrowed
 * until the next call.  ST_AGAIN at the end of the file; ST_CORRUPT when the member
 * is damaged (then `torn` tells whether it just ends too early).
 */
must_use enum status decoder_next(struct decoder *d, struct str *ret, struct diag *why);
/* True when the bytes given out last end their member. */
static inline bool decoder_member_ended(const struct decoder *d)
{
	return !d->in_member;
}
/* The next place behind `offset` that looks like the beginning of a member, or the
 * end of the file. */
uint64_t decoder_find_member(const struct decoder *d, uint64_t offset);
/*
 * The same at `offset` or behind it, of a compressed file without a dictionary, for
 * members that begin with a record.  Sure only when the member before it ends there:
 * what is stored may itself be such a file.
 */
uint64_t decoder_find_record(const struct decoder *d, uint64_t offset);
/* The members cannot be decoded without the first frame of the file. */
bool decoder_has_dictionary(const struct decoder *d);
#endif
