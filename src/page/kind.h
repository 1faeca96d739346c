/*
 * kind.h - which reader a document gets, by its label and by its bytes.
 *
 * Labels lie: feeds are served as text/html, sitemaps as octet-stream.  The
 * MIME Sniffing standard (web/mime) settles most of it; the first element of
 * what is XML, and the lines of what is plain text, settle the rest.
 */
#ifndef PAGE_KIND_H
#define PAGE_KIND_H

#include "page/page.h"

/*
 * By the bytes as served: PAGE_PDF, PAGE_UNKNOWN for what is no text, and for
 * text a first guess that page_kind_refine() may change.
 */
enum page_kind page_kind_of(struct str content_type, struct str url, struct str body);
/* The final word on a text, once it is UTF-8. */
enum page_kind page_kind_refine(enum page_kind kind, struct str text, struct arena *a);
#endif
