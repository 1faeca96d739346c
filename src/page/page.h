/*
 * page.h - bytes in, what they say out.
 *
 * The one call that the crawl makes: looks at the content type and at the
 * bytes, makes them UTF-8 and hands the page to the reader of its kind (html_page, feed,
 * sitemap, css, pdf ...).  It never fails: of what cannot be read, little is
 * known, and page.kind and page.cut say so.  Pure: no file, no clock, no
 * network; any thread, as long as each has its own arena.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/arena.h"
#include "record/page.h"

struct page_input {
	struct str
		body; /* as served, content encoding undone; a packed sitemap as it is */
	struct str content_type; /* the header's value; may be empty */
	struct str url; /* where it came from; its extension tells if nothing else */
};

/* Zero means the default. */
struct page_options {
	size_t max_links;      /* default PAGE_LINKS_MAX */
	size_t max_text_bytes; /* default PAGE_TEXT_MAX */
	struct str own_host;   /* set by page_parse(): whose bare URLs in scripts count */
	bool no_guesses;       /* no LINK_GUESS: the host's have turned out junk */
	bool no_language;      /* leave page.language empty */
	/* Of HTML only text, blocks, title, lang and canonical: no links, no meta, no
	 * JSON-LD, and blocks without their hashes.  These are as they are without it,
	 * but where max_links was met. */
	bool text_only;
};

#define PAGE_LINKS_MAX ((size_t)100 * 1000)
#define PAGE_TEXT_MAX  ((size_t)8 << 20)
#define PAGE_META_MAX  256 /* <meta> of one page */

/*
 * Strings of `ret` are slices of `in->body` or lie in `a`.  `options` may be
 * NULL.
 */
void page_parse(const struct page_input *in, const struct page_options *options,
		struct arena *a, struct page *ret);

/* The options with every zero replaced by its default. */
struct page_options page_options_filled(const struct page_options *options);
#endif
