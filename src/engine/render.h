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
#include "render/held.h"
#include "render/waiters.h"

struct crawl;
struct crawl_item;
struct frontier_step;
struct due_decision;
struct fetch_task;
struct journal_done;
struct journal_link;

struct crawl_render {
	bool on, cancelled;
	bool looks; /* there is no browser; what would need one is counted */
	bool always;
	struct render_pool pool;
	struct queue messages;
	struct loop_wake wake;
	struct answers answers;
	struct render_learned learned;
	struct render_helds held;
	struct map
		queued; /* hashes of URLs that an earlier process queued for a browser */
	struct render_waiters waiters;
	struct render_job **ready; /* wait for a browser; from `ready_from` on */
	size_t ready_from, n_ready, ready_cap;
	size_t in_pool;
	size_t items; /* waiting for a browser or in one */
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
void crawl_render_restore_link(struct crawl *c, const struct journal_link *k);
/* All of it was read. */
void crawl_render_restored(struct crawl *c);

/* By what renderings are compared. */
uint64_t crawl_render_host(const struct crawl *c, const struct crawl_item *i);
uint64_t crawl_render_template(struct str url);
#endif
