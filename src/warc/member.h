/*
 * member.h - bytes into one gzip member, zstd frame, or as they are.
 *
 * Each WARC record is a member of its own, so that it can be read from its offset
 * alone.  The compressor's state is kept from member to member.  gzip is ISA-L's
 * level 1: 10 x the speed of zlib -6 for 12 % more bytes (../shared measurements,
 * repeated in doc/archive.md).  zstd frames carry their size and a checksum, as
 * the .warc.zst convention demands.  One thread each.
 */
#ifndef WARC_MEMBER_H
#define WARC_MEMBER_H

#include "base/buf.h"

enum member_format { MEMBER_GZIP, MEMBER_ZSTD, MEMBER_PLAIN };

struct member_writer {
	enum member_format format;
	struct isal_zstream *gzip;
	uint8_t *level_buf;
	struct isal_hufftables *small_codes;
	struct ZSTD_CCtx_s *zstd;
};

void member_writer_init(struct member_writer *w, enum member_format format);
void member_writer_release(struct member_writer *w);
/* Append `bytes` to `to` as one whole member. */
void member_add(struct member_writer *w, struct str bytes, struct buf *to);
/* The same for what is not in memory: `bytes` in all, in pieces, then the end. */
void member_start(struct member_writer *w, uint64_t bytes);
void member_more(struct member_writer *w, struct str piece, struct buf *to);
void member_end(struct member_writer *w, struct buf *to);
/* ".gz", ".zst" or "". */
struct str member_suffix(enum member_format format);
#endif
