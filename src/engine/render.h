/*
 * render.h - a browser where a page needs one: which pages are rendered, what their
 * browser may fetch, and what it brought.
 *
 * A page that needs a browser is queued once more (PURPOSE_BROWSER).  When its turn comes
 * its document is taken from memory, or fetched again, and given to the pool; what its
 * browser requests is queued like any URL (PURPOSE_RENDER_REQUEST), so that robots.txt,
 * politeness, budgets, cookies and the address guard hold for it, and it is archived.
 * The rendered page goes the way of any page.  Owned by the loop thread.
 */
#ifndef ENGINE_RENDER_H
#define ENGINE_RENDER_H

#include "os/loop.h"
#include "render/answers.h"
#include "render/need.h"
#include "render/pool.h"

struct crawl;
struct crawl_item;
struct frontier_step;
struct due_decision;
struct fetch_task;
struct journal_done;

/* A browser waits for the answer of this URL. */
struct render_waiter {
	uint64_t url; /* hash */
	struct render_message *m;
};

/* A page with scripts whose template is being tried: rendered when that pays. */
struct render_held {
	uint64_t template, host;
	struct str url, via, hops, source, words; /* in `bytes` */
	struct buf bytes;
	uint32_t depth;
	uint8_t off_hops;
};

struct crawl_render {
	bool on, cancelled;
	bool always;
	struct render_pool pool;
	struct queue messages;
	struct loop_wake wake;
	struct answers answers;
	struct render_learned learned;
	struct render_held *held;
	size_t n_held, held_cap;
	struct render_waiter *waiters;
	size_t n_waiters, waiters_cap;
	size_t items; /* given to the pool */
};

must_use enum status crawl_render_open(struct crawl *c, struct diag *why);
void crawl_render_close(struct crawl *c);

/* Before a worker looks at it: how much must it need to be rendered? */
void crawl_render_hint(struct crawl *c, struct crawl_item *i);
/* It is to be fetched: true when it was taken from memory, and is being rendered. */
bool crawl_render_start(struct crawl *c, struct crawl_item *i);
/* Its answer came: browsers that wait for it get it.  True when it is being rendered. */
bool crawl_render_answered(struct crawl *c, struct crawl_item *i);
/* It was judged: is it to be rendered, what did rendering bring? */
must_use enum status crawl_render_judged(struct crawl *c, struct crawl_item *i,
					 struct diag *why);
/* It was not fetched. */
void crawl_render_dropped(struct crawl *c, const struct frontier_step *s,
			  const struct due_decision *d);
/* Its site does not answer: browsers do not wait for it. */
void crawl_render_unreachable(struct crawl *c, uint32_t site);
/* Whether a request of a browser is still wanted, now that its turn has come. */
bool crawl_render_awaits(const struct crawl *c, const struct fetch_task *t);
/* The crawl is stopping: browsers end, and what they had goes back to the queue. */
void crawl_render_stop(struct crawl *c);
/* The journal of an earlier process. */
void crawl_render_restore(struct crawl *c, const struct journal_done *d);
#endif
