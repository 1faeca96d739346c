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
#endif
