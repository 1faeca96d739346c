/*
 * segment.h - an append-only file of checksummed records, safe to tear.
 *
 *   header   8 bytes kind, u32 version, u32 checksum of the 12 bytes before
 *   record   u32 length, u32 checksum of length and bytes, the bytes
 *
 * Little-endian.  Whatever a crash leaves at the end is recognised and cut by
 * segment_open(); damage inside the part that the caller knows to be synced is
 * ST_CORRUPT and nothing is cut.  A file of zeros is damage too.  Offsets are
 * positions in the file; the first record is at SEGMENT_HEADER.  One writer.
 * A log over many files, with rotation, is in segment_log.h.
 */
#ifndef OS_SEGMENT_H
#define OS_SEGMENT_H

#include "os/file.h"

#define SEGMENT_HEADER       16u
#define SEGMENT_OVERHEAD     8u /* bytes a record takes besides its own */
#define SEGMENT_RECORD_BYTES ((size_t)64 << 20)

/* What a file of this sort contains; `name` is exactly 8 characters. */
struct segment_kind {
	const char *name;
	uint32_t version;
	bool scratch;    /* worth nothing after a crash: its beginning is not synced */
	uint32_t oldest; /* version that can be read; 0: any */
	const char *if_older; /* what a person does with an older one */
};

struct segment {
	struct file file;
	struct buf pending; /* added, not yet written */
	size_t hold_bytes;  /* see segment_hold() */
	uint64_t barrier;   /* see segment_raise_barrier(); 0 for none */
};

/* What segment_open() found behind the last good record. */
struct segment_cut {
	uint64_t at, bytes; /* `bytes` is 0 when the file ended cleanly */
};

/*
 * Open for appending; created when missing.  Every record is checked once.  What
 * follows the last good record is cut, unless that would cut into the first
 * `synced` bytes: then ST_CORRUPT.  `ret_cut` may be NULL.
 */
must_use enum status segment_open(struct segment *ret, const char *path,
				  const struct segment_kind *kind, uint64_t synced,
				  struct segment_cut *ret_cut, struct diag *why);
/* Drops what was not flushed. */
void segment_close(struct segment *s);
/*
 * Write nothing by itself while all that was added takes no more than so many bytes.
 * Ends with the first flush: for a log that is worth writing only if it grows large, or
 * old.
 */
void segment_hold(struct segment *s, size_t bytes);
/* Buffered; `ret_offset` (may be NULL) is where it will stand. */
must_use enum status segment_add(struct segment *s, struct str record,
				 uint64_t *ret_offset, struct diag *why);
/*
 * Nothing that is added from now on is written before the barrier is lifted, flushed or
 * not: for a record that may not be seen before something else is on disk.  What is
 * held back takes memory, without a bound.
 */
void segment_raise_barrier(struct segment *s);
void segment_lift_barrier(struct segment *s);
/* Hand all to the kernel: survives our death, not the machine's. */
must_use enum status segment_flush(struct segment *s, struct diag *why);
/* Flush, and on disk when it returns.  Not behind a barrier. */
must_use enum status segment_sync(struct segment *s, struct diag *why);
/*
 * `n` bytes that were added together, wherever they are: borrowed until the next
 * segment_add() or change of `scratch`.  ST_CORRUPT when the file ends before them.
 */
must_use enum status segment_get(const struct segment *s, uint64_t at, size_t n,
				 struct buf *scratch, struct str *ret, struct diag *why);
/* The record at `at`, an offset that segment_add() gave; else as segment_get(). */
must_use enum status segment_read(const struct segment *s, uint64_t at,
				  struct buf *scratch, struct str *ret, struct diag *why);
/* The offset behind the last record added. */
static inline uint64_t segment_end(const struct segment *s)
{
	return s->file.size + s->pending.n;
}

/* Reads bytes from anywhere: a mapped file, or a test. */
struct segment_reader {
	struct str bytes;
	uint64_t at; /* of the next record; may be set to any offset that was one */
};

/* ST_CORRUPT when the header is not one of this kind, ST_UNSUPPORTED for a newer version,
 * or one that is too old.
 */
must_use enum status segment_reader_init(struct segment_reader *r, struct str bytes,
					 const struct segment_kind *kind,
					 struct diag *why);
/*
 * The record at `at`; borrowed from `bytes`.  ST_AGAIN at a clean end, ST_CORRUPT
 * when what stands at `at` is torn or damaged; `at` then does not move.
 */
must_use enum status segment_next(struct segment_reader *r, struct str *ret);
#endif
