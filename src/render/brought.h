/*
 * brought.h - how much of a text is not in another: what a browser made of a page, beside
 * the page as it was received.  Pure.
 */
#ifndef RENDER_BROUGHT_H
#define RENDER_BROUGHT_H

#include "base/str.h"

/*
 * Bytes of the words of `has` that stand in no three words in a row of `had`.  Where
 * lines and elements end does not matter: a document as a browser writes it down has
 * other ones.
 */
size_t text_brought(struct str had, struct str has);
#endif
