/*
 * deliver.h - an answer as bytes, in the manner it asks for.
 */
#ifndef TESTWEB_DELIVER_H
#define TESTWEB_DELIVER_H

#include "testweb/answer.h"

/* How the connection goes on once the bytes are sent. */
enum after {
	AFTER_KEEP, /* the next request */
	AFTER_CLOSE,
	AFTER_RESET,
	AFTER_MORE,    /* there is more, without end: deliver_more() */
	AFTER_SLOWLY,  /* send `pace_bytes` each `pace_ms`, then keep */
	AFTER_NOTHING, /* stay silent until the client goes */
};

struct delivery_plan {
	uint8_t after; /* enum after */
	uint8_t delivery;
	uint32_t pace_bytes, pace_ms;
};

/* Head and body of `a` added to `to`. */
struct delivery_plan deliver(const struct answer *a, const struct asked *asked,
			     struct buf *to);
/* A further piece of what has no end. */
void deliver_more(enum delivery delivery, struct buf *to);
/* Whether a client that reads what is sent has the whole body, and can know it. */
bool deliver_is_whole(const struct answer *a);
#endif
