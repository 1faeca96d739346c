/*
 * seen_disk.h - a set of 128-bit hashes on disk that answers in its own time.
 *
 * The DRUM: questions are collected in buckets by the first bits of the key
 * and answered by merging a sorted bucket of questions into a sorted file of
 * keys, in sequential passes only.  Buckets are grouped into bands; one band is
 * merged at a time, by a thread of its own, while questions for all bands
 * (also that one) go on being collected.
 *
 * A Bloom filter a band says at once that a key is surely new; such a key is
 * only recorded.  A key that may be known waits for the merge of its band: its
 * payload comes back from seen_disk_next() if it turns out to be new.
 *
 * The files are a view of the journal: they are made anew by every process and
 * removed with the set.  Except for the merging thread, which shares nothing,
 * all calls come from the one owner.
 */
#ifndef FRONTIER_SEEN_DISK_H
#define FRONTIER_SEEN_DISK_H

#include "base/bloom.h"
#include "frontier/seen_merge.h"
#include "os/queue.h"
#include "os/thread.h"

struct seen_band {
	struct seen_pending pending[SEEN_BUCKETS];
	struct bloom bloom;
	uint64_t bloom_keys;        /* what the filter was sized for */
	uint8_t side[SEEN_BUCKETS]; /* of each set file: see seen_merge.h */
	uint64_t keys;              /* merged into the files */
	uint64_t fresh;             /* pending and surely new */
	uint64_t weight;            /* of all that is pending; decides when to merge */
	uint64_t waiting;           /* questions without an answer */
	unsigned generation; /* of spill files: those of a running merge are others */
};

struct seen_disk {
	char *dir;
	struct seen_band bands[SEEN_BANDS];
	struct u128 *hot; /* keys asked lately, direct-mapped: surely known */
	size_t hot_slots;
	uint64_t batch_min; /* weight below which a band is not merged unasked */
	struct seen_job *running;
	struct queue jobs, done;
	struct thread merger;
	struct buf late; /* answers "new" not yet taken by seen_disk_next() */
	size_t late_at;
	bool settling;
};

struct seen_disk_options {
	uint64_t batch_min;  /* 0: a good one */
	size_t hot_slots;    /* a power of two; 0: a good one */
	uint64_t bloom_keys; /* a band begins with a filter for so many; 0: a good one */
};

enum seen_answer {
	SEEN_NEW, /* never asked before; it is in the set now */
	SEEN_KNOWN,
	SEEN_LATER, /* comes back from the _next() function if it is new */
};

/* Makes `dir`, and removes what another process left in it. */
must_use enum status seen_disk_open(struct seen_disk *s, const char *dir,
				    const struct seen_disk_options *options,
				    struct diag *why);
/* Waits for a running merge; removes the files. */
void seen_disk_close(struct seen_disk *s);

/* Some keys ahead of seen_disk_add(). */
void seen_disk_prefetch(const struct seen_disk *s, struct u128 key);
/*
 * Is `key` new?  `payload` is copied if the answer has to wait.  A question of
 * level 0 to 3 weighs 1 to 8: the band it is in is merged that much sooner.
 * May wait for a merge when the disk does not keep up.
 */
must_use enum status seen_disk_add(struct seen_disk *s, struct u128 key,
				   struct str payload, unsigned level,
				   enum seen_answer *ret, struct diag *why);
/* What seen_disk_add() would answer. */
enum seen_answer seen_disk_peek(const struct seen_disk *s, struct u128 key);
/* A key that is known to be new: for moving a set in. */
must_use enum status seen_disk_add_known(struct seen_disk *s, struct u128 key,
					 struct diag *why);
/* Start a merge if one is due, take the results of one that ended; never waits. */
must_use enum status seen_disk_step(struct seen_disk *s, struct diag *why);
/* From now on merge whatever has questions waiting, until none has. */
void seen_disk_settle(struct seen_disk *s);
/* The next key that turned out to be new.  ST_AGAIN when there is none (yet). */
must_use enum status seen_disk_next(struct seen_disk *s, struct u128 *ret_key,
				    struct str *ret_payload);
/* Questions that were answered SEEN_LATER and whose merge has not ended. */
uint64_t seen_disk_waiting(const struct seen_disk *s);
/* Wait for the running merge, if there is one. */
must_use enum status seen_disk_wait(struct seen_disk *s, struct diag *why);
/* Keys in the set, and bytes on disk for them and for what is pending. */
uint64_t seen_disk_count(const struct seen_disk *s);
must_use enum status seen_disk_bytes(const struct seen_disk *s, uint64_t *ret,
				     struct diag *why);
#endif
