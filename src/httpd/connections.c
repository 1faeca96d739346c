#include "httpd/connections.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "os/clock.h"

void connections_init(struct connections *c)
{
	pthread_mutex_init(&c->lock, NULL);
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		c->v[i].phase = GUARD_FREE;
}

void connections_release(struct connections *c)
{
	pthread_mutex_destroy(&c->lock);
}

int connection_socket(struct MHD_Connection *m)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(m, MHD_CONNECTION_INFO_CONNECTION_FD);

	return info ? info->connect_fd : -1;
}

/* Its place + 1 among the connections; kept by libmicrohttpd beside the socket. */
static size_t *slot_of(struct MHD_Connection *m)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(m, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

void connections_phase(struct connections *c, struct MHD_Connection *m,
		       enum guard_phase phase)
{
	const size_t *slot = slot_of(m);

	if (!slot)
		return;
	pthread_mutex_lock(&c->lock);
	c->v[*slot - 1].phase = phase;
	c->v[*slot - 1].active_ms = clock_mono_ms(&real_clock);
	pthread_mutex_unlock(&c->lock);
}

/* A place for a new connection; an idle one is shown the door when there are many. */
static size_t take_slot(struct connections *c, int socket)
{
	int64_t now = clock_mono_ms(&real_clock);
	size_t used = 0, at = 0;

	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		if (c->v[i].phase != GUARD_FREE)
			used++;
		else if (!at)
			at = i + 1;
	}
	if (used >= CONNECTIONS_HIGH) {
		size_t victim = guard_victim(c->v, CONNECTIONS_MAX, now);

		if (victim != SIZE_MAX) {
			shutdown(c->sockets[victim], SHUT_RDWR);
			/* It closes soon; until then it is no victim again. */
			c->v[victim].phase = GUARD_ANSWERING;
		}
	}
	if (at) {
		c->v[at - 1] = (struct guard_connection){ GUARD_IDLE, now };
		c->sockets[at - 1] = socket;
	}
	return at;
}

void connections_notify(void *context, struct MHD_Connection *m, void **socket_context,
			enum MHD_ConnectionNotificationCode code)
{
	struct connections *c = context;
	size_t *slot = *socket_context;

	pthread_mutex_lock(&c->lock);
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		size_t at = take_slot(c, connection_socket(m));

		slot = at ? NEW(size_t) : NULL;
		if (slot)
			*slot = at;
		*socket_context = slot;
	} else if (slot) {
		c->v[*slot - 1].phase = GUARD_FREE;
		free(slot);
		*socket_context = NULL;
	}
	pthread_mutex_unlock(&c->lock);
}

struct str connection_header(struct MHD_Connection *m, const char *name)
{
	const char *v = MHD_lookup_connection_value(m, MHD_HEADER_KIND, name);

	return v ? str_from(v) : (struct str){ 0 };
}

void response_add_safety(struct MHD_Response *m)
{
	static const char *const fields[][2] = {
		{ "Cache-Control", "no-store" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Content-Security-Policy",
		  "default-src 'none'; style-src 'unsafe-inline'; script-src "
		  "'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; "
		  "form-action 'none'; frame-ancestors 'none'" },
	};

	for (size_t i = 0; i < COUNT(fields); i++)
		MHD_add_response_header(m, fields[i][0], fields[i][1]);
}
