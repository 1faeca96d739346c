/*
 * kind.h - what a document is, by its label and by its first bytes.
 *
 * Labels lie: feeds are served as text/html, pages as text/plain, anything as
 * application/octet-stream.  So the label decides only among what the bytes
 * allow.
 */
#ifndef PAGE_KIND_H
#define PAGE_KIND_H

#include "page/page.h"

/* `head` is the document, of which the first kilobytes are looked at. */
enum page_kind page_kind_of(struct str content_type, struct str url, struct str head,
			    struct arena *a);
/* "text/html" of "Text/HTML; charset=x": a slice, trimmed, in any case. */
struct str kind_essence(struct str content_type);
#endif
