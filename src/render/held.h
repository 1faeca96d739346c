/*
 * held.h - pages with scripts of whose template nothing is known yet.
 *
 * One is rendered when its turn for a trial comes, or when others of its template were
 * worth it; it is forgotten when they were not.  One owner.
 */
#ifndef RENDER_HELD_H
#define RENDER_HELD_H

#include "base/buf.h"
#include "render/learned.h"

#define RENDER_HELD_MAX 20000 /* past it pages are taken as they are */

struct render_held {
	uint64_t template, host;
	struct str url, via, hops, source, words; /* borrowed until it is held */
	struct buf bytes;
	uint32_t depth;
	uint8_t off_hops;
	uint8_t need; /* enum render_need */
};

struct render_helds {
	struct render_held *v;
	size_t n, cap;
};

void render_held_free(struct render_held *h);
void render_helds_release(struct render_helds *l);
/* A copy is held. */
void render_helds_add(struct render_helds *l, struct render_held h);
/*
 * The next that is to be rendered now, from `at` (0 at first) on; false when there is
 * none left.  The caller frees it.  Those that will not be rendered are left out.
 */
bool render_helds_next(struct render_helds *l, struct render_learned *learned, size_t *at,
		       struct render_held *ret);
/* Those whose URL's hash is in `queued` wait no longer. */
void render_helds_forget(struct render_helds *l, const struct map *queued);
#endif
