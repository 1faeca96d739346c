/*
 * hamming.h - fingerprints that come one by one, found again within k bits.
 *
 * New ones gather in a tail that is scanned; a full tail becomes a segment, and
 * segments of like size are joined, so that there are few.  A small segment is
 * scanned too, a large one gets tables (hamming_tables.h): whatever is faster at
 * its size.  With a folder segments are files; beyond the memory budget they are
 * read from there.  What hamming_covered() says survives a crash; the rest is
 * added again by the owner.  One thread.
 */
#ifndef HAMMING_HAMMING_H
#define HAMMING_HAMMING_H

#include "hamming/hamming_tables.h"
#include "os/map_file.h"

#define HAMMING_TAIL 4096
#define HAMMING_SCAN_MOST \
	8192 /* a scan is faster up to here: see doc/near-duplicates.md */

struct hamming_options {
	const char *dir;     /* NULL: in memory only */
	size_t memory_bytes; /* of tables; 0: 1 GiB */
};

struct hamming_segment {
	struct hamming_tables tables; /* four of them */
	struct map_file file;         /* when it is read from disk */
	uint32_t serial;
};

struct hamming {
	struct hamming_options options;
	char *dir;
	uint64_t tail[HAMMING_TAIL];
	uint32_t tail_docs[HAMMING_TAIL];
	size_t n_tail;
	struct hamming_segment *segments; /* the largest first */
	size_t n_segments, cap_segments;
	uint32_t serial, covered;
	size_t n;
};

must_use enum status
hamming_open(struct hamming *h, const struct hamming_options *options, struct diag *why);
void hamming_release(struct hamming *h);
/* Documents come in ascending order; those below this need not be added again. */
static inline uint32_t hamming_covered(const struct hamming *h)
{
	return h->covered;
}
must_use enum status hamming_add(struct hamming *h, uint64_t print, uint32_t doc,
				 struct diag *why);
/* Make the tail a segment too; then all that was added survives a crash. */
must_use enum status hamming_flush(struct hamming *h, struct diag *why);
/* Documents within `k` bits, up to `max`; returns how many. */
size_t hamming_find(const struct hamming *h, uint64_t query, unsigned k, uint32_t *ret,
		    size_t max);
#endif
