/*
 * blacklist.h - hosts and URLs that are never fetched: spam, or what the user names.
 *
 * A line is a host (with all hosts below it) or the beginning of a URL, up to a '/', '?'
 * or its end.  "0.0.0.0 host", as hosts files have it, counts as "host"; '#' begins a
 * comment.  Read-only once opened: any thread.
 */
#ifndef FOCUS_BLACKLIST_H
#define FOCUS_BLACKLIST_H

#include "base/str.h"

struct blacklist;

must_use enum status blacklist_open(struct blacklist **ret, struct str text,
				    struct diag *why);
/* NULL is fine. */
void blacklist_close(struct blacklist *b);
/* The part of `url` that an entry names; empty when none does. */
struct str blacklist_find(const struct blacklist *b, struct str url);
#endif
