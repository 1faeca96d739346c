/*
 * mangle.h - pages that come, but not as they should: wrong charset, bad markup.
 */
#ifndef TESTWEB_MANGLE_H
#define TESTWEB_MANGLE_H

#include "base/buf.h"

/* Rewrite UTF-8 HTML in a legacy charset; the answer is the (mostly wrong) Content-Type.
 */
struct str mangle_charset(struct buf *body, unsigned form);
/* Unclosed and crossed tags, bad attributes, bad references; the links survive. */
void mangle_html(struct buf *body);
#endif
