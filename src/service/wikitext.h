/*
 * wikitext.h - what a reader sees of MediaWiki's source, near enough to compare texts.
 *
 * Labels of links, values of templates, without their names, quotes of emphasis, marks of
 * headings, lists and tables; footnotes at the end, as on the page.  Tags and entities
 * stay: the caller reads the rest as HTML.  One pass, whatever the input.  Pure.
 */
#ifndef SERVICE_WIKITEXT_H
#define SERVICE_WIKITEXT_H

#include "base/buf.h"

void wikitext_add_html(struct str in, struct buf *to);
#endif
