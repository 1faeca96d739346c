/*
 * server.h - an archive as a web site of this machine (libmicrohttpd).
 *
 * Listens on 127.0.0.1 and answers as answer.h says; nothing is ever requested of
 * anybody.
 */
#ifndef REPLAY_SERVER_H
#define REPLAY_SERVER_H

#include "replay/captures.h"

struct replay_server;

/* `port` 0: any free one.  `c` must live longer. */
must_use enum status replay_start(struct replay_server **ret, const struct captures *c,
				  uint16_t port, struct diag *why);
uint16_t replay_port(const struct replay_server *s);
void replay_stop(struct replay_server *s);
#endif
