/*
 * seen_merge.h - one band of the seen set: its pending questions, and the merge
 * that answers them.
 *
 * A bucket holds the keys whose first byte is its number.  Its set is the file
 * seen-XX.0 or seen-XX.1 (a merge reads one and writes the other): a header and
 * the sorted keys, 15 bytes each, for the first byte is the bucket's.  Its pending
 * questions are two streams, in memory up to a chunk and beyond that in spill files: the
 * keys in the order of asking, and the payloads of those that wait for an answer.
 * Internal to seen_disk.
 */
#ifndef FRONTIER_SEEN_MERGE_H
#define FRONTIER_SEEN_MERGE_H

#include "base/bloom.h"
#include "base/buf.h"
#include "base/hash.h"
#include "os/file.h"

#define SEEN_BANDS       16
#define SEEN_BUCKETS     16                  /* a band */
#define SEEN_KEY_BYTES   15                  /* on disk */
#define SEEN_SPILL_BYTES ((size_t)64 * 1024) /* of a pending stream, kept in memory */

struct seen_pending {
	struct buf keys;       /* hi and lo of each */
	struct buf asks;       /* u32 ordinal of the key, sized payload */
	struct file key_spill; /* what came before */
	struct file ask_spill;
	uint32_t n; /* keys, spilled ones included */
};

must_use enum status seen_pending_add(struct seen_pending *p, struct u128 key,
				      struct diag *why);
/* The key added last waits for an answer. */
must_use enum status seen_pending_ask(struct seen_pending *p, struct str payload,
				      struct diag *why);
/* Move streams past SEEN_SPILL_BYTES to the files "`stem`.keys" and ".asks". */
must_use enum status seen_pending_spill(struct seen_pending *p, const char *stem,
					struct diag *why);
/* Forget all, spill files included. */
void seen_pending_release(struct seen_pending *p);

/* A merge of one band: the input is taken over, the output is the caller's. */
struct seen_job {
	const char *dir;
	unsigned band;
	struct seen_pending pending[SEEN_BUCKETS];
	uint8_t side[SEEN_BUCKETS]; /* which of the two names has the set; turns */
	uint64_t added;             /* keys that were not in the set */
	uint64_t bloom_keys;        /* make a filter of this size meanwhile; 0 for none */
	struct bloom bloom;
	struct buf late; /* per answer "new": hi, lo, sized payload */
	enum status st;
	struct diag why;
};

void seen_job_run(struct seen_job *j);
void seen_job_release(struct seen_job *j);

/* The bits of a key that the filter of its band is asked about. */
static inline uint64_t seen_bloom_key(struct u128 key)
{
	/* The band's own bits say nothing; without them sorted keys fill a filter in
	 * order. */
	return key.hi << 4 | key.lo >> 60;
}
#endif
