/*
 * postings.h - which documents have this key?  In memory up to a budget, then
 * in sorted runs on disk.
 *
 * Keys are hashes.  New postings gather in a hash table; when it is full they
 * are written as one sorted, checksummed run, and runs are merged into one when
 * there are too many.  A run has a Bloom filter in memory, so that a key that
 * is nowhere costs no page of disk.
 *
 * The runs hold the postings of the documents below postings_covered(), synced;
 * the rest is lost with the process and must be added again by the owner, who
 * has the documents.  One thread.
 */
#ifndef DUP_POSTINGS_H
#define DUP_POSTINGS_H

#include "base/arena.h"
#include "dup/chains.h"

struct postings_options {
	const char *dir;     /* for the runs; NULL: memory only, no limit */
	size_t memory_bytes; /* for the table; 0: 64 MiB */
};

struct postings {
	struct postings_options options;
	char *dir;
	struct chains chains; /* what is in no run yet */
	struct postings_run *runs;
	size_t n_runs, cap_runs;
	uint32_t covered, serial;
};

/* Reads the runs that are there; ST_CORRUPT when one is damaged. */
must_use enum status postings_open(struct postings *p,
				   const struct postings_options *options,
				   struct diag *why);
void postings_release(struct postings *p);
/* Documents below this number need not be added again. */
static inline uint32_t postings_covered(const struct postings *p)
{
	return p->covered;
}
void postings_add(struct postings *p, uint64_t key, uint32_t doc);
/* True when postings_spill() should be called before more is added. */
bool postings_full(const struct postings *p);
/*
 * Write what is in memory as a run; all documents below `covered` are complete.
 * After ST_OK it survives a crash.
 */
must_use enum status postings_spill(struct postings *p, uint32_t covered,
				    struct diag *why);
/* So that the misses of many questions to memory overlap. */
void postings_prefetch(const struct postings *p, const uint64_t *keys, size_t n);
/* Up to `max` documents with `key`, newest first; returns how many. */
size_t postings_find(const struct postings *p, uint64_t key, uint32_t *ret, size_t max);
#endif
