/*
 * running.h - the queries and updates that a server answers now, by number.
 *
 * So many and no more run at a time; anybody who may ask can see them and end one.
 * Any thread: the table has a lock of its own, held for a few instructions, since
 * those who list and cancel are other threads than the one that runs the query.
 */
#ifndef KB_RUNNING_H
#define KB_RUNNING_H

#include <pthread.h>

#include "base/buf.h"

#define RUNNING_MAX        256
#define RUNNING_TEXT_BYTES 400 /* of a query that the list shows */

struct running_query {
	uint64_t id; /* 0: free */
	int64_t start_ms;
	bool cancel; /* read by the query, with __atomic */
	size_t n;
	char text[RUNNING_TEXT_BYTES];
};

struct running {
	pthread_mutex_t lock;
	struct running_query v[RUNNING_MAX];
	uint64_t last_id;
	size_t n, limit;
};

/* `limit` queries at a time, at most RUNNING_MAX; 0 means that. */
void running_init(struct running *r, size_t limit);
void running_release(struct running *r);
/* NULL when there are as many as may be. */
struct running_query *running_add(struct running *r, struct str text, int64_t now_ms);
void running_remove(struct running *r, struct running_query *q);
/* False when there is none of this number. */
bool running_cancel(struct running *r, uint64_t id);
/* As a JSON array: id, ms, text; the oldest first. */
void running_format(struct running *r, int64_t now_ms, struct buf *to);
#endif
