/*
 * sitemap.h - lists of URLs that a site itself publishes.
 *
 * XML (urlset and sitemapindex, with the image, video, news and translation
 * extensions, in whatever namespace) and plain text, one URL a line.  A gzip
 * layer is undone by page_parse(), whatever the label says.  Entries become LINK_SITEMAP,
 * those of an index LINK_SITEMAPS, with their lastmod as `date`; whether to believe them
 * (other hosts, dates in the future) is for the crawl to say.
 */
#ifndef PAGE_SITEMAP_H
#define PAGE_SITEMAP_H

#include "page/page.h"

void sitemap_read_xml(struct str xml, const struct page_options *options, struct arena *a,
		      struct page *ret);
void sitemap_read_text(struct str text, const struct page_options *options,
		       struct arena *a, struct page *ret);
/* Is every line of the beginning of `text` an http URL? */
bool sitemap_is_text(struct str text);
#endif
