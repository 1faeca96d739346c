/*
 * server.h - the control API over HTTP (libmicrohttpd, a thread per connection).
 *
 * Who may ask is decided by the head of a request, before its body is read; URLs are
 * taken as they arrive, in bounded memory.  DIR/serve.addr has the address while it
 * runs.  It starts no thread that receives signals.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "serve/service.h"

struct serve_server;

struct serve_options {
	const char *dir;
	struct str listen; /* "ADDRESS:PORT", an IPv4 address; port 0 takes a free one */
	bool is_inside;    /* this process is the crawl */
	const struct str *hosts;
	size_t n_hosts;
};

/* ST_SYNTAX for an address that is none. */
must_use enum status serve_start(struct serve_server **ret,
				 const struct serve_options *options, struct diag *why);
/* "127.0.0.1:8080" */
const char *serve_address(const struct serve_server *s);
/* The token, for the address of the dashboard; another server may take the demands. */
struct str serve_token(const struct serve_server *s);
bool serve_takes_demands(const struct serve_server *s);
/* Ends streams and waits for what is being answered. */
void serve_stop(struct serve_server *s);
#endif
