/*
 * quota.h - how often a service may be asked: one budget object for all dialects.
 *
 * A bucket counts costs over a window: a sliding one, or one that begins at midnight of
 * some zone.  A sliding count is never over the limit in any window, wherever the server
 * lets its windows begin.  What the server says (requests left, when to come back)
 * narrows it.  Buckets belong to (host, key), so all campaigns of a process share them;
 * every spending is written down before the request is sent, so that not even kill -9
 * goes over budget.  Time is a parameter.  One thread.
 *
 * 1. The sum of the spendings within a window is at most `limit`.
 * 2. Spendings are in the order of their times.
 */
#ifndef API_QUOTA_H
#define API_QUOTA_H

#include "base/map.h"
#include "os/segment.h"

#define QUOTA_SPANS 512 /* a window is remembered in so many parts, rounded up */

struct spending {
	int64_t at_ms; /* of the last request in it */
	uint64_t cost;
};

struct bucket {
	struct str name; /* "host key bucket", for people; never the key itself */
	uint64_t id;
	uint64_t limit, window_ms; /* 0: no limit of its own */
	bool is_calendar;
	int64_t zone_ms;
	struct spending *v; /* the oldest first, from `head` on */
	size_t head, n, cap;
	uint64_t sum;       /* of all that are still in the window */
	int64_t blocked_ms; /* nothing before, the server said */
	int64_t reset_ms;   /* until then only `left` more */
	uint64_t left;
};

struct quota {
	struct bucket *v;
	size_t n, cap;
	struct map by_id; /* hash -> index */
	struct arena names;
	struct segment log; /* open when `is_durable` */
	bool is_durable;
};

void quota_release(struct quota *q);
/* Remember spendings in this file, and read those that are in it. */
must_use enum status quota_open(struct quota *q, const char *path, int64_t now_ms,
				struct diag *why);
struct bucket_limits {
	uint64_t limit, window_ms;
	bool is_calendar;
	int64_t zone_ms;
};
/* The bucket of this name; the stricter of two limits holds. */
size_t quota_bucket(struct quota *q, struct str name, const struct bucket_limits *limits);
/* When `cost` may be spent: now or earlier, or the time to come back. */
int64_t quota_due(struct quota *q, size_t bucket, uint64_t cost, int64_t now_ms);
/* Only when it is due.  Written to the file before it returns. */
must_use enum status quota_spend(struct quota *q, size_t bucket, uint64_t cost,
				 int64_t now_ms, struct diag *why);
/*
 * What the server said; `wait_ms` and `reset_ms` are from now.  With several requests in
 * flight answers overtake each other, and the least that was said holds.
 */
void quota_block(struct quota *q, size_t bucket, int64_t now_ms, uint64_t wait_ms);
void quota_left(struct quota *q, size_t bucket, int64_t now_ms, uint64_t left,
		uint64_t reset_ms, bool may_be_overtaken);
/* Spent within the window that ends now. */
uint64_t quota_spent(struct quota *q, size_t bucket, int64_t now_ms);
void assert_bucket(const struct bucket *b);
#endif
