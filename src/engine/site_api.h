/*
 * site_api.h - a running crawl that reads the API of a site in place of its pages
 * (--api auto).
 *
 *   the application of a server is known, and a page names its API
 *     -> the first list is queued (PURPOSE_API); each answer leads to the next request,
 *        as long as that costs fewer requests than the pages (site_api_pays)
 *   an answer names pages that show its objects
 *     -> they are refused, or taken out of the queue, with REASON_API_OBJECT, and
 *        remembered (apps/watch.h): a few are fetched at the end, to see whether the API
 *        has what they show
 *   the chain fails, costs more, or does not come to its end
 *     -> all of them return
 *
 * Loop thread.
 */
#ifndef ENGINE_SITE_API_H
#define ENGINE_SITE_API_H

#include "frontier/frontier.h"
#include "journal/journal.h"
#include "siteapi/readings.h"

struct crawl;
struct crawl_item;

struct site_apis {
	struct site_services *services; /* NULL: none is read */
	struct site_readings readings;
};

must_use enum status site_api_open(struct crawl *c, struct diag *why);
void site_api_release(struct crawl *c);
/* An answer of an API, before its links are decided. */
void site_api_answered(struct crawl *c, const struct crawl_item *i);
/* A page or a list was judged, and its links are decided. */
must_use enum status site_api_learn(struct crawl *c, struct crawl_item *i,
				    struct diag *why);
/*
 * A new link in scope: is its page left out, because an API has what it shows?  With the
 * words of the object in `ret_by`.
 */
bool site_api_has(struct crawl *c, const struct discovery *l, struct str *ret_by);
/* An object of an API is shown by a page that is known: out of the queue with it. */
must_use enum status site_api_unqueue(struct crawl *c, const struct discovery *l,
				      struct diag *why);
/* Nothing else is left to fetch: what did not come to its end never will. */
void site_api_settle(struct crawl *c);
/* Records of earlier processes. */
void site_api_restore_link(struct crawl *c, const struct journal_links *l,
			   const struct journal_link *k);
void site_api_restore_done(struct crawl *c, const struct journal_done *d);
void site_api_restore_dropped(struct crawl *c, const struct journal_dropped *d);
#endif
