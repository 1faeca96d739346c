/*
 * failed.h - pages that could not be fetched, for reasons that may pass.
 *
 * A server that was down for a minute fails every attempt of some pages.  Nothing that a
 * rule takes for the same page is skipped for their sake, and when nothing else is left
 * to fetch each has a last attempt, with as many retries as the first time where the
 * server answers at all.  Owned by the loop thread; made again from the journal.
 */
#ifndef ENGINE_FAILED_H
#define ENGINE_FAILED_H

#include "base/map.h"
#include "frontier/frontier.h"
#include "journal/journal.h"

struct crawl;
struct crawl_item;

struct failed_url {
	struct discovery link;
	struct frontier_page page;
};

struct failed {
	struct map keys; /* hashes of their URLs, by the rules of then */
	struct map
		retried; /* hashes of URLs whose last attempt an earlier process made */
	struct failed_url *v;
	size_t n, cap;
	struct arena text;
};

void failed_release(struct failed *f);
/* An answer that was the last attempt's. */
void failed_note(struct crawl *c, const struct crawl_item *i);
void failed_restore(struct crawl *c, const struct journal_done *d);
void failed_restore_link(struct crawl *c, const struct journal_link *l);
/* Is nothing known of this key but that it failed? */
bool failed_has(const struct failed *f, struct str key);
/* Another URL of this key is asked. */
void failed_forget(struct failed *f, struct str key);
/* Nothing is left to fetch: true when there were some, which are queued now. */
bool failed_retry_all(struct crawl *c);
#endif
