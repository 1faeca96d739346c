/*
 * events.h - GET /events: the ring of events as a stream (server-sent events).
 */
#ifndef SERVE_EVENTS_H
#define SERVE_EVENTS_H

#include "control/ring.h"

struct event_stream {
	char *path; /* of the ring; it may come only later */
	struct ring_reader ring;
	bool is_open;
	uint64_t after; /* until it is open */
	unsigned kinds;
	struct buf text; /* not yet sent */
	int64_t said_ms; /* when something was sent last */
};

struct event_stream *event_stream_new(const char *dir, uint64_t after, unsigned kinds);
void event_stream_free(struct event_stream *s);
/* Fill `s->text` with what came since; true when there is anything to send, be it only a
 * sign of life. */
bool event_stream_fill(struct event_stream *s, int64_t now_ms);
#endif
