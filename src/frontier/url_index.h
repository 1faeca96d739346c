/*
 * url_index.h - from the key of a queued URL to its place in the queue file.
 *
 * A hash table on disk: 8 bytes a slot (40 bits of place, 24 of the key), at
 * most seven eighths full, split into 64 partitions so that it grows one small
 * part at a time.  Memory is constant: up to 256 kB a part, which is enough for a
 * million URLs, it stays there, and larger parts are on disk only.  Two keys may share
 * all 24 + slot bits: whoever asks compares the whole key at each place he is given.
 *
 * A view, made anew by every process.  One owner.
 */
#ifndef FRONTIER_URL_INDEX_H
#define FRONTIER_URL_INDEX_H

#include "base/hash.h"
#include "os/file.h"

#define URL_INDEX_PARTS     64
#define URL_INDEX_PLACE_MAX (((uint64_t)1 << 40) - 1)

struct url_index_part {
	struct file file;
	uint64_t *slots; /* while they are few: no file yet */
	uint64_t cap;    /* slots */
	uint64_t live;   /* slots with a place */
	uint64_t dead;   /* slots whose place was removed */
	uint8_t side;    /* of the two names of the file */
};

struct url_index {
	char *stem; /* files are STEM-PP.0 and .1 */
	struct url_index_part parts[URL_INDEX_PARTS];
};

void url_index_init(struct url_index *x, const char *stem);
/* Removes the files. */
void url_index_release(struct url_index *x);

/* `place` is from 2 to URL_INDEX_PLACE_MAX; equal keys may have several. */
must_use enum status url_index_add(struct url_index *x, struct u128 key, uint64_t place,
				   struct diag *why);
/*
 * Walk the places that may be the key's: start with *at = 0.  ST_NOT_FOUND at the
 * end.
 */
must_use enum status url_index_next(struct url_index *x, struct u128 key, uint64_t *at,
				    uint64_t *ret_place, struct diag *why);
/* ST_NOT_FOUND when this pair is not there. */
must_use enum status url_index_remove(struct url_index *x, struct u128 key,
				      uint64_t place, struct diag *why);
uint64_t url_index_bytes(const struct url_index *x);
#endif
