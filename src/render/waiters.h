/*
 * waiters.h - requests of browsers that wait for an answer of the crawl.  One owner.
 */
#ifndef RENDER_WAITERS_H
#define RENDER_WAITERS_H

#include "render/answers.h"
#include "render/pool.h"

struct render_waiter {
	uint64_t url; /* hash */
	struct render_message *m;
};

struct render_waiters {
	struct render_waiter *v;
	size_t n, cap;
};

/* Nobody answers any more. */
void render_waiters_release(struct render_waiters *w);
/* Takes the message over. */
void render_waiters_add(struct render_waiters *w, struct render_message *m);
/* One that waits for `url`; NULL: none does. */
const struct render_message *render_waiters_find(const struct render_waiters *w,
						 struct str url);
/* All that wait for `url` get `v`; NULL: they are refused. */
void render_waiters_answer(struct render_waiters *w, struct render_pool *p,
			   struct str url, const struct answer_view *v,
			   struct str refused);
/* All that wait for something of `origin` are refused. */
void render_waiters_refuse(struct render_waiters *w, struct render_pool *p,
			   struct str origin, struct str why);
#endif
