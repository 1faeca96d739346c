/*
 * compress.h - bodies in gzip, br and zstd, and the same as bombs.
 *
 * Not thread-safe: keeps its compressors.  A zeroed struct is ready.
 */
#ifndef TESTWEB_COMPRESS_H
#define TESTWEB_COMPRESS_H

#include "base/buf.h"
#include "testweb/http_request.h"

struct compressors {
	void *gzip, *zstd;
	struct buf bombs[CODINGS]; /* made when first asked for */
};

#define BOMB_BYTES ((uint64_t)1 << 30) /* what gzip and zstd bombs expand to */

extern const char *const coding_names[CODINGS];

void compressors_release(struct compressors *c);
/* Add `in`, compressed, to `to`; false when it would not get shorter. */
bool compress_add(struct compressors *c, enum coding coding, struct str in,
		  struct buf *to);
/* A few hundred kB that expand to BOMB_BYTES (br: to 64 MiB). */
struct str compress_bomb(struct compressors *c, enum coding coding);
#endif
