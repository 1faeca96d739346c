/*
 * pdf.h - the links of a PDF: the /URI actions of its annotations.
 *
 * No PDF is parsed: the bytes are searched for /URI, in the file and in its
 * compressed object streams, of which at most PDF_INFLATE_MAX bytes are undone.
 * Text and what is encrypted stay unread.
 */
#ifndef PAGE_PDF_H
#define PAGE_PDF_H

#include "page/page.h"

#define PDF_INFLATE_MAX ((size_t)32 << 20)

void pdf_read(struct str pdf, const struct page_options *options, struct arena *a,
	      struct page *ret);
#endif
