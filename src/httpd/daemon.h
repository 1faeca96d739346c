/*
 * daemon.h - how every server of ours is started.
 *
 * The limits of connections and heads are the same everywhere; what differs is in the
 * options.  Threads of the server get no signals: those are for the main one.
 */
#ifndef HTTPD_DAEMON_H
#define HTTPD_DAEMON_H

#include <netinet/in.h>

#include "httpd/connections.h"

struct daemon_options {
	struct sockaddr_in at; /* port 0: any that is free */
	bool one_thread;       /* answers all; otherwise each connection has its own */
	unsigned idle_seconds;
	size_t stack_bytes;              /* of a thread; 0: the system's */
	struct connections *connections; /* NULL: at most 64, and none must go */
	MHD_AccessHandlerCallback on_request;
	MHD_RequestCompletedCallback on_completed;
	void *(*on_target)(void *context, const char *target,
			   struct MHD_Connection *c); /* NULL: nobody asks */
	void *context;                                /* of all three */
};

/* NULL when it cannot listen there. */
struct MHD_Daemon *daemon_start(const struct daemon_options *o);
/* Where it listens. */
uint16_t daemon_port(struct MHD_Daemon *d);
#endif
