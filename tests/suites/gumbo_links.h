/*
 * gumbo_links.h - the links and the text of a page by way of gumbo's tree.
 *
 * The reference for ours: another parser, another walk.  What it has in common
 * with src/page are only the small grammars inside attributes (srcset, CSS,
 * refresh) and what counts as leading nowhere.  Never for fetched pages: gumbo
 * is quadratic and recursive on some.
 */
#ifndef TESTS_GUMBO_LINKS_H
#define TESTS_GUMBO_LINKS_H

#include "base/arena.h"
#include "record/page.h"

struct oracle {
	struct str *urls; /* sorted, no repetition */
	size_t n_urls;
	struct str text; /* all white space removed */
};

void oracle_read(struct str html, struct arena *a, struct oracle *ret);
/* The same of a page that we read. */
void oracle_from_page(const struct page *p, struct arena *a, struct oracle *ret);
/* How many of a's URLs are not in b. */
size_t oracle_missing(const struct oracle *a, const struct oracle *b,
		      struct str *ret_first);
#endif
