/*
 * serve.h - the knowledge base over HTTP (libmicrohttpd, a thread per connection).
 *
 * Who may ask is decided before a body is read (web/http_guard.h).  An idle connection
 * makes room for a new one; a query ends when its client is gone.
 */
#ifndef KB_SERVE_H
#define KB_SERVE_H

#include "kb/protocol.h"

struct kb_server;

struct serve_options {
	struct protocol_options protocol;
	const char *address;   /* NULL: 127.0.0.1 */
	uint16_t port;         /* 0: any free one */
	size_t body_bytes;     /* the largest request; 0: 256 MB */
	uint64_t bodies_bytes; /* all requests together; 0: 512 MB */
	size_t queries; /* that run at a time; 0: as many as there are connections */
};

must_use enum status kb_serve_start(struct kb_server **ret, struct kb *k,
				    const struct serve_options *options,
				    struct diag *why);
uint16_t kb_serve_port(const struct kb_server *s);
/* Cancels the queries that run and waits for them. */
void kb_serve_stop(struct kb_server *s);
#endif
