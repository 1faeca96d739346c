/*
 * names.h - an origin of the archive as a host name of this machine.
 *
 * http://a.org:81/x of 2026-11-16 is
 * http://a.org.p81.http.20261116000000.localhost:PORT/x. Browsers lead every name under
 * localhost to this machine (RFC 6761), so each archived origin is an origin of its own,
 * its paths are what they were, and what is relative needs no rewriting.  Pure.
 */
#ifndef REPLAY_NAMES_H
#define REPLAY_NAMES_H

#include "url/url.h"

/* `time` has 14 digits, or is empty for the newest. */
void replay_add_name(struct buf *to, const struct url *u, struct str time, unsigned port);
/* The whole local URL of `u`. */
void replay_add_url(struct buf *to, const struct url *u, struct str time, unsigned port);
/*
 * From the Host field and the path back to the URL, which is added to `to`; `ret_time` is
 * a slice of `host`.  False when the name is none of ours.
 */
bool replay_parse(struct str host, struct str path, unsigned port, struct buf *to,
		  struct str *ret_time);
/* Is it http://NAME:PORT, NAME being localhost or under it? */
bool replay_is_own_origin(struct str origin, unsigned port);
#endif
