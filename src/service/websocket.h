/*
 * websocket.h - the bytes of a WebSocket (RFC 6455), as far as a listener needs it.
 *
 * A stream is read in slices: a GET with the fields of an upgrade, the frames that came
 * until the slice was over, then the next GET with a cursor.  We send no frame, so a
 * slice is shorter than the time after which a server misses an answer to its pings.
 * Pure.
 */
#ifndef SERVICE_WEBSOCKET_H
#define SERVICE_WEBSOCKET_H

#include "base/buf.h"

#define WEBSOCKET_MESSAGE_MAX ((size_t)4 << 20)

/* The fields of the upgrade, "Name: value" CRLF each; the key follows from `url`. */
void websocket_add_fields(struct str url, struct buf *to);
/* Whether `accept` is the answer to them (4.2.2). */
bool websocket_is_accepted(struct str url, struct str accept);
/*
 * Every whole text message as one line; control frames, binary messages and a frame that
 * was cut by the end are passed over.  ST_SYNTAX for what no server may send.
 */
must_use enum status websocket_add_lines(struct str bytes, struct buf *to,
					 struct diag *why);
#endif
