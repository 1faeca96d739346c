/*
 * queue_store.h - what is waiting on each host, best first, on disk.
 *
 * A host has one first-in-first-out stream a priority in use.  A URL leaves by
 * queue_store_take(): highest priority first, oldest first among equals.  Any
 * queued URL can be found by its key and moved to another priority (it is then
 * the youngest there), held back, or dropped.  What a URL is, the store does not
 * know: it keeps a key and a payload.
 *
 * Memory depends on the number of hosts only.  The files are a view of the
 * journal: made anew by every process.  One owner, the loop thread.
 */
#ifndef FRONTIER_QUEUE_STORE_H
#define FRONTIER_QUEUE_STORE_H

#include "frontier/fifo_file.h"
#include "frontier/url_index.h"

#define QUEUE_PAYLOAD_MAX 16384
#define HELD_BY_HAND      UINT32_MAX /* the reason of queue_store_hold() */

struct host_stream {
	struct fifo bytes;
	uint32_t live; /* records not moved away or dropped */
	uint32_t hold; /* why it is not taken from, see queue_store_add_held(); or 0 */
	uint8_t priority;
};

/* A zeroed struct is an empty queue. */
struct host_queue {
	/* By priority, highest first; then the held ones, by their reason. */
	struct host_stream *streams;
	uint16_t n, cap;
	uint32_t live; /* in all streams that are not held */
};

struct queue_store {
	struct fifo_file records;
	struct url_index index;
	uint64_t live, held;
};

struct queued {
	struct u128 key;
	uint8_t priority;
	bool granted; /* it was held, and let go */
	struct str payload;
};

must_use enum status queue_store_open(struct queue_store *s, const char *dir,
				      struct diag *why);
/* Removes the files; the host_queues are released by their owner, before or after. */
void queue_store_close(struct queue_store *s);
void host_queue_release(struct host_queue *q);

/* The key must not be queued already.  ST_TOO_LARGE for a payload past its bound. */
must_use enum status queue_store_add(struct queue_store *s, struct host_queue *q,
				     const struct queued *url, struct diag *why);
/* The same, held from the beginning, for a reason that is a number: not 0. */
must_use enum status queue_store_add_held(struct queue_store *s, struct host_queue *q,
					  const struct queued *url, uint32_t hold,
					  struct diag *why);
/* The payload is put into `to` (reset first).  ST_AGAIN when nothing can be taken. */
must_use enum status queue_store_take(struct queue_store *s, struct host_queue *q,
				      struct buf *to, struct queued *ret,
				      struct diag *why);

/*
 * These four answer ST_NOT_FOUND when the key is not queued.  `q` is the queue of
 * the host it was added to.
 */
must_use enum status queue_store_find(struct queue_store *s, struct u128 key,
				      struct buf *to, struct queued *ret, bool *ret_held,
				      struct diag *why);
must_use enum status queue_store_move(struct queue_store *s, struct host_queue *q,
				      struct u128 key, uint8_t priority,
				      struct diag *why);
must_use enum status queue_store_hold(struct queue_store *s, struct host_queue *q,
				      struct u128 key, struct diag *why);
/* Back to the priority it had. */
must_use enum status queue_store_unhold(struct queue_store *s, struct host_queue *q,
					struct u128 key, struct diag *why);
/* The oldest of those held for this reason, `limit` at most; `ret_n` says how many. */
must_use enum status queue_store_unhold_some(struct queue_store *s, struct host_queue *q,
					     uint32_t hold, uint32_t limit,
					     uint32_t *ret_n, struct diag *why);
/* How many are held for this reason. */
uint32_t host_queue_held(const struct host_queue *q, uint32_t hold);
/* The first reason after `*hold` for which anything is held; false for none. */
bool host_queue_next_hold(const struct host_queue *q, uint32_t *hold);
must_use enum status queue_store_drop(struct queue_store *s, struct host_queue *q,
				      struct u128 key, struct diag *why);
/* How many URLs of the host go before it, the walk ending at `limit`. */
must_use enum status queue_store_rank(struct queue_store *s, const struct host_queue *q,
				      struct u128 key, uint64_t limit, uint64_t *ret,
				      struct diag *why);
/* Priority of what queue_store_take() would give; -1 for nothing. */
int host_queue_best(const struct host_queue *q);
/* On disk, for records and index. */
uint64_t queue_store_bytes(const struct queue_store *s);
#endif
