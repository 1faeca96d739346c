/*
 * app_views.h - what descriptions of applications leave out, in a running crawl.
 *
 * Remembers the application of each server, holds links that are views of other pages
 * (apps/watch.h), and fetches a few of them when nothing else is left.  Loop thread.
 */
#ifndef ENGINE_APP_VIEWS_H
#define ENGINE_APP_VIEWS_H

#include "engine/state.h"

/* The descriptions; what cannot be read is named in the log, and passed over. */
must_use enum status app_views_open(struct crawl *c, struct diag *why);
/* Before a worker takes the page: what its server is known for. */
void app_views_prepare(struct crawl *c, struct crawl_item *i);
/* A page was judged, and its links are decided: the application of its server, and the
 * end of a sample. */
void app_views_learn(struct crawl *c, const struct crawl_item *i);
/* A link that is said to be a view: false when it is followed all the same. */
bool app_views_hold(struct crawl *c, const struct discovery *l);
/* The site has nothing else to fetch: true when something was queued. */
bool app_views_settle(struct crawl *c);
/* What was retracted is queued again. */
void app_views_return(struct crawl *c);
/* A link of the journal that was left out. */
void app_views_restore(struct crawl *c, const struct journal_links *l,
		       const struct journal_link *k);
/* Pages are revisited: what was left out before stays so, unless it becomes twice as
 * many. */
void app_views_keep(struct crawl *c);
void app_views_release(struct crawl *c);
#endif
