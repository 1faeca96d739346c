/*
 * answers.h - answers of servers in memory, for browsers that ask for them again.
 *
 * What the crawl has fetched lately and a page may need: documents that wait to be
 * rendered, scripts, styles, data.  The least recently used go first when all together
 * are too large.  Answers are kept as received.  One owner.
 */
#ifndef RENDER_ANSWERS_H
#define RENDER_ANSWERS_H

#include "base/buf.h"
#include "base/map.h"

struct answer_stored {
	uint64_t key;     /* hash of the URL */
	uint64_t check;   /* another */
	struct buf bytes; /* header, then body */
	size_t header_bytes;
	int code;
	struct answer_stored *newer, *older;
};

struct answers {
	size_t bytes, limit;
	struct map index; /* key -> pointer */
	struct answer_stored *newest, *oldest;
};

/* Borrowed: `header` and `body` live until the answers change. */
struct answer_view {
	int code;
	struct str header, body;
};

void answers_release(struct answers *a);
/* One that is larger than a quarter of the limit is not kept. */
void answers_add(struct answers *a, struct str url, const struct answer_view *v);
/* False when it is not there. */
bool answers_find(struct answers *a, struct str url, struct answer_view *ret);
#endif
