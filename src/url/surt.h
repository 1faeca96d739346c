/*
 * surt.h - the sort-friendly form of a URL that CDXJ indexes are keyed by:
 * http://www.Example.com:81/A/?b&a  ->  com,example:81)/a?a&b
 *
 * It is meant to find captures, not to name pages: case, "www.", sessions and
 * trailing slashes are gone, so several URLs share a key.  The rules are those
 * of the Internet Archive's tools, whose indexes this must fit.  Pure.
 */
#ifndef URL_SURT_H
#define URL_SURT_H

#include "url/url.h"

/* Append the key of `u`.  URLs without a host are their own key. */
void buf_add_surt(struct buf *b, const struct url *u);
/* Without the "www." or "www2." that the keys leave out: one, whatever remains. */
struct str surt_without_www(struct str host);
#endif
