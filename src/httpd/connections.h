/*
 * connections.h - the connections of a server of ours (libmicrohttpd), and who must go.
 *
 * An idle connection makes room for a new one, and so does a body that has stopped
 * arriving: clients that only hold sockets cannot keep others out (web/http_guard.h
 * decides which goes).  Shared by `kb serve` and the control API.  Any thread.
 */
#ifndef HTTPD_CONNECTIONS_H
#define HTTPD_CONNECTIONS_H

#include <microhttpd.h>
#include <pthread.h>

#include "web/http_guard.h"

#define CONNECTIONS_MAX  384
#define CONNECTIONS_HIGH 352 /* from here on a new one takes the place of an idle one */

struct connections {
	/* Connections come and go in one thread and work in others. */
	pthread_mutex_t lock;
	struct guard_connection v[CONNECTIONS_MAX];
	int sockets[CONNECTIONS_MAX];
};

void connections_init(struct connections *c);
void connections_release(struct connections *c);
/* For MHD_OPTION_NOTIFY_CONNECTION, with the struct as its context. */
void connections_notify(void *context, struct MHD_Connection *m, void **socket_context,
			enum MHD_ConnectionNotificationCode code);
/* What it does now. */
void connections_phase(struct connections *c, struct MHD_Connection *m,
		       enum guard_phase phase);

int connection_socket(struct MHD_Connection *m);
/* A header field; empty when missing. */
struct str connection_header(struct MHD_Connection *m, const char *name);
/* Fields that every answer has: nothing is kept, framed, sniffed or loaded from outside.
 */
void response_add_safety(struct MHD_Response *m);
#endif
