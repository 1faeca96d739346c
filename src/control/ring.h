/*
 * ring.h - the newest events of a crawl, in a file of fixed size.
 *
 *   header   magic, version, capacity; head, tail, checksum of both
 *   body     records in a circle: u32 length, u32 checksum, the bytes
 *
 * A position is the count of bytes ever written before it, so it only grows, and is the
 * id of an event as well: whoever comes back with one goes on behind it, unless that is
 * overwritten by now.  One writer (the crawl's loop), which buffers until ring_flush();
 * any number of readers in any process, without locks: what the writer overtook while it
 * was read is recognised and passed over.  For watching, not for keeping: it survives the
 * death of the process, not always that of the machine.
 */
#ifndef CONTROL_RING_H
#define CONTROL_RING_H

#include "os/file.h"

#define RING_BYTES      ((uint64_t)4 << 20)
#define RING_RECORD_MAX 16384u

struct ring {
	struct file file;
	uint64_t capacity;
	uint64_t head, tail; /* behind the newest record, before the oldest */
	struct buf pending;  /* added, not yet written */
};

/* Created when missing; a damaged one begins anew.  `capacity` 0: RING_BYTES. */
must_use enum status ring_open(struct ring *r, const char *path, uint64_t capacity,
			       struct diag *why);
void ring_close(struct ring *r);
/* Records beyond RING_RECORD_MAX are cut. */
void ring_add(struct ring *r, struct str record);
must_use enum status ring_flush(struct ring *r, struct diag *why);

struct ring_reader {
	struct file file;
	uint64_t capacity;
	uint64_t position; /* of the next record */
	uint64_t lost;     /* bytes that were overwritten before they were read */
	struct buf bytes;
};

/* From behind the event `after`; 0: from the oldest, UINT64_MAX: only what comes. */
must_use enum status ring_reader_open(struct ring_reader *r, const char *path,
				      uint64_t after, struct diag *why);
void ring_reader_close(struct ring_reader *r);
/* The next record, borrowed until the next call; its id is `position` afterwards.
 * ST_AGAIN when there is none yet. */
must_use enum status ring_reader_next(struct ring_reader *r, struct str *ret,
				      struct diag *why);
#endif
