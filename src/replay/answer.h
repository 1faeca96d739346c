/*
 * answer.h - what the replay server answers to a request; no sockets.
 *
 * Two kinds of names lead here: localhost has the list of pages and the frame with the
 * banner, names under it are archived origins (names.h).  Archived pages are shown in the
 * frame: its sandbox and the policies sent along keep them from every other host, the
 * browser's own navigation included.  Any thread.
 */
#ifndef REPLAY_ANSWER_H
#define REPLAY_ANSWER_H

#include "base/buf.h"
#include "replay/captures.h"

struct replay_request {
	struct str method, host, path; /* path with its query, as sent */
	struct str origin, referer;
	struct str fetch_site, fetch_mode, fetch_dest;
};

struct replay_response {
	unsigned status;
	struct buf fields; /* "Name: value\n" each */
	struct buf body;
};

void replay_response_release(struct replay_response *r);
void replay_answer(const struct captures *c, unsigned port,
		   const struct replay_request *q, struct replay_response *ret);
#endif
