/*
 * feed.h - RSS (0.9 to 2.0, RDF too), Atom and JSON Feed.
 *
 * Each entry becomes a LINK_FEED with its title as text, its summary as the
 * text around and its date; the HTML of summaries and contents, in CDATA or
 * escaped, is read as pages are, so its links and words are found as well.
 * Feeds are often broken XML: what can be read is read.
 */
#ifndef PAGE_FEED_H
#define PAGE_FEED_H

#include "page/page.h"

void feed_read_xml(struct str xml, const struct page_options *options, struct arena *a,
		   struct page *ret);
/* ST_UNSUPPORTED when the JSON is no feed, ST_SYNTAX when it is no JSON. */
must_use enum status feed_read_json(struct str json, const struct page_options *options,
				    struct arena *a, struct page *ret);
#endif
