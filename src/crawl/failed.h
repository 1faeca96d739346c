/*
 * failed.h - pages that could not be got, for reasons that may pass.
 *
 * A server that was down for a minute fails every attempt of some pages.  Nothing that a
 * rule takes for the same page is skipped for their sake, and when nothing else is left
 * to ask each is asked once more, with as many attempts as the first time where the
 * server answers at all.  Owned by the loop thread; made again from the journal.
 */
#ifndef CRAWL_FAILED_H
#define CRAWL_FAILED_H

#include "base/map.h"
#include "crawl/journal.h"
#include "frontier/frontier.h"

struct crawl;
struct crawl_item;

struct failed_url {
	struct discovery link;
	struct frontier_page page;
};

struct failed {
	struct map keys;  /* hashes of their URLs, by the rules of then */
	struct map asked; /* hashes of URLs that an earlier process asked once more */
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
/* The URL queued under this key is asked for the last time. */
bool failed_is_last(struct str url, struct u128 key);
/* Nothing is left to ask: true when there were some, which are queued now. */
bool failed_ask_again(struct crawl *c);
#endif
