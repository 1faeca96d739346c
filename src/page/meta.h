/*
 * meta.h - what <meta> tags say: description, robots, generator, og:* ...
 *
 * Every named one is kept in page order, up to PAGE_META_MAX; the few that the
 * crawl acts on are also put into their fields of `struct page`.
 */
#ifndef PAGE_META_H
#define PAGE_META_H

#include "base/arena.h"
#include "html/html_token.h"
#include "record/page.h"

struct meta {
	struct page_meta *v;
	size_t n, cap;
	bool cut;
	struct arena *arena;
};

void meta_start(struct meta *m, struct arena *a);
/* True for a refresh, whose value is then in `ret_refresh`. */
bool meta_add(struct meta *m, const struct html_token *k, struct page *page,
	      struct str *ret_refresh);
#endif
