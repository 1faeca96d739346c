/*
 * html_page.h - one walk over an HTML page that collects all we want of it.
 *
 * Tokens go, in turn, to the stack of open elements, to the text and to the
 * links; no module keeps the page.  `html` is UTF-8 and lives as long as `ret`.
 */
#ifndef PAGE_HTML_PAGE_H
#define PAGE_HTML_PAGE_H

#include "page/page.h"

/* Sets the fields that HTML has; the rest of `ret` is left as it was. */
void html_page_read(struct str html, const struct page_options *options, struct arena *a,
		    struct page *ret);

/*
 * The same in steps, for documents that hold pieces of HTML: feeds.  The links
 * and the text may be added to between the pieces.  `input_bytes` is the size
 * of them all.  Lives in `a`.
 */
struct html_reader *html_reader_start(size_t input_bytes,
				      const struct page_options *options, struct arena *a,
				      struct page *ret);
void html_reader_add(struct html_reader *r, struct str html);
struct links *html_reader_links(struct html_reader *r);
struct text *html_reader_text(struct html_reader *r);
void html_reader_finish(struct html_reader *r);
#endif
