#include "replay/server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "httpd/daemon.h"
#include "replay/answer.h"

#define IDLE_SECONDS 30

struct replay_server {
	struct MHD_Daemon *daemon;
	const struct captures *captures;
	uint16_t port;
};

static struct str header(struct MHD_Connection *c, const char *name)
{
	const char *v = MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);

	return v ? str_from(v) : STR("");
}

/* The request target as sent: the query is not to be taken apart and put together. */
struct target {
	struct buf uri;
};

static void *keep_target(void *context, const char *uri, struct MHD_Connection *c)
{
	struct target *t = NEW(struct target);

	(void)context, (void)c;
	buf_add(&t->uri, str_from(uri));
	return t;
}

static void forget_target(void *context, struct MHD_Connection *c, void **state,
			  enum MHD_RequestTerminationCode code)
{
	struct target *t = *state;

	(void)context, (void)c, (void)code;
	if (t)
		buf_release(&t->uri);
	free(t);
	*state = NULL;
}

static enum MHD_Result send_response(struct MHD_Connection *c, struct replay_response *r)
{
	struct str fields = buf_str(&r->fields), line;
	struct MHD_Response *m = MHD_create_response_from_buffer(
		r->body.n, r->body.n ? r->body.p : (char *)(uintptr_t) "",
		MHD_RESPMEM_MUST_COPY);

	while (str_take_until(&fields, '\n', &line)) {
		cleanup(buf_release) struct buf name = { 0 }, value = { 0 };
		size_t colon = str_find_char(line, ':');

		buf_add(&name, str_slice(line, 0, colon));
		buf_add(&value, str_trim(str_skip(line, colon + 1)));
		/* A value that is no header field is left out. */
		(void)MHD_add_response_header(m, buf_cstr(&name), buf_cstr(&value));
	}
	enum MHD_Result sent = MHD_queue_response(c, r->status, m);
	MHD_destroy_response(m);
	return sent;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c,
				  const char *url, const char *method,
				  const char *version, const char *upload, size_t *size,
				  void **state)
{
	struct replay_server *s = context;
	struct replay_response r = { 0 };
	struct target *t = *state;

	(void)url, (void)version, (void)upload;
	if (*size) { /* a body is read and forgotten */
		*size = 0;
		return MHD_YES;
	}
	replay_answer(s->captures, s->port,
		      &(struct replay_request){
			      .method = str_from(method),
			      .host = header(c, "Host"),
			      .path = buf_str(&t->uri),
			      .origin = header(c, "Origin"),
			      .referer = header(c, "Referer"),
			      .fetch_site = header(c, "Sec-Fetch-Site"),
			      .fetch_mode = header(c, "Sec-Fetch-Mode"),
			      .fetch_dest = header(c, "Sec-Fetch-Dest"),
		      },
		      &r);
	enum MHD_Result sent = send_response(c, &r);
	replay_response_release(&r);
	return sent;
}

uint16_t replay_port(const struct replay_server *s)
{
	return s->port;
}

enum status replay_start(struct replay_server **ret, const struct captures *c,
			 uint16_t port, struct diag *why)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct replay_server *s = NEW(struct replay_server);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->captures = c;
	s->daemon = daemon_start(&(struct daemon_options){ .at = at,
							   .idle_seconds = IDLE_SECONDS,
							   .on_request = on_request,
							   .on_completed = forget_target,
							   .on_target = keep_target,
							   .context = s });
	if (!s->daemon) {
		free(s);
		return diag_fail(why, ST_IO, "cannot listen on port %u", port);
	}
	s->port = daemon_port(s->daemon);
	*ret = s;
	return ST_OK;
}

void replay_stop(struct replay_server *s)
{
	MHD_stop_daemon(s->daemon);
	free(s);
}
