/*
 * server.h - the test web on a port: one thread, one loop, plain HTTP and TLS.
 *
 * Listens on all loopback addresses at once, so that every site has its own
 * (127.x.y.z); connections to any other address are refused.  The first byte
 * of a connection tells TLS from plain HTTP.
 */
#ifndef TESTWEB_SERVER_H
#define TESTWEB_SERVER_H

#include "os/loop.h"
#include "testweb/access_log.h"
#include "testweb/answer.h"
#include "testweb/tls.h"

struct connection;

struct server {
	struct world *world;
	struct loop *loop;
	struct memory memory;
	struct answer answer; /* reused; handed over before the next is made */
	struct access_log log;
	struct tls tls;
	struct watch listening;
	struct timer flush; /* of the log, once a second */
	uint16_t port;
	bool any_address;               /* also on addresses that are not loopback */
	struct connection *connections; /* the head of all open ones */
	size_t n_connections;
	int64_t epoch_us; /* wall clock minus monotonic clock */
};

struct server_options {
	uint16_t port; /* 0: any free one; server.port says which */
	bool any_address;
	const char *log_path; /* NULL: no log */
	const char *ca_path;  /* where the CA certificate goes; NULL: no TLS */
};

must_use enum status server_start(struct server *s, struct world *w, struct loop *l,
				  const struct server_options *o, struct diag *why);
void server_stop(struct server *s);

/* connection.c */
void connection_open(struct server *s, int fd, uint32_t address, uint32_t client_port);
void connection_close(struct connection *c);
#endif
