#include "annotate/server.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "httpd/daemon.h"
#include "httpd/listen.h"
#include "os/clock.h"

#define IDLE_SECONDS 30u

struct annotate_server {
	struct annotate_site *site;
	struct MHD_Daemon *daemon;
	struct connections connections;
	char url[256];
};

struct arriving {
	struct buf body;
	struct site_response response; /* status 0: none yet */
};

static struct str argument(struct MHD_Connection *c, const char *name)
{
	const char *v = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);

	return v ? str_from(v) : STR("");
}

static struct site_request read_request(struct MHD_Connection *c, const char *url,
					const char *method)
{
	return (struct site_request){
		.guard = { .method = str_from(method),
			   .host = connection_header(c, "Host"),
			   .origin = connection_header(c, "Origin"),
			   .referer = connection_header(c, "Referer"),
			   .fetch_site = connection_header(c, "Sec-Fetch-Site"),
			   .fetch_mode = connection_header(c, "Sec-Fetch-Mode"),
			   .authorization = connection_header(c, "Authorization") },
		.path = str_from(url),
		.annotator = argument(c, "annotator"),
		.id = argument(c, "id"),
		.a = argument(c, "a"),
		.b = argument(c, "b"),
	};
}

static enum MHD_Result send_response(struct MHD_Connection *c,
				     const struct site_response *r)
{
	struct MHD_Response *m = MHD_create_response_from_buffer(
		r->body.n, r->body.n ? r->body.p : (char *)(uintptr_t) "",
		MHD_RESPMEM_MUST_COPY);

	MHD_add_response_header(m, "Content-Type", r->content_type);
	if (r->status == 401)
		MHD_add_response_header(m, "WWW-Authenticate", "Bearer");
	response_add_safety(m);
	enum MHD_Result sent = MHD_queue_response(c, r->status, m);
	MHD_destroy_response(m);
	return sent;
}

static enum MHD_Result begin(struct annotate_server *s, struct MHD_Connection *c,
			     const struct site_request *q, void **state)
{
	struct arriving *a = *state = NEW(struct arriving);

	a->body.limit = ANNOTATE_BODY_MAX;
	connections_phase(&s->connections, c, GUARD_SENDING);
	if (!site_allows(s->site, q, &a->response))
		return send_response(c, &a->response); /* its body is not read */
	return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c,
				  const char *url, const char *method,
				  const char *version, const char *data, size_t *size,
				  void **state)
{
	struct annotate_server *s = context;
	struct site_request q = read_request(c, url, method);
	struct arriving *a = *state;

	(void)version;
	if (!a)
		return begin(s, c, &q, state);
	if (*size) {
		buf_add(&a->body, (struct str){ data, *size });
		connections_phase(&s->connections, c, GUARD_SENDING);
		*size = 0;
		return MHD_YES;
	}
	if (a->response.status)
		return MHD_YES; /* refused, and answered */
	q.body = buf_str(&a->body);
	connections_phase(&s->connections, c, GUARD_ANSWERING);
	if (a->body.overflow)
		site_too_large(&a->response);
	else
		site_answer(s->site, &q, clock_wall_ms(&real_clock), &a->response);
	return send_response(c, &a->response);
}

static void on_completed(void *context, struct MHD_Connection *c, void **state,
			 enum MHD_RequestTerminationCode code)
{
	struct annotate_server *s = context;
	struct arriving *a = *state;

	(void)code;
	if (a) {
		buf_release(&a->body);
		buf_release(&a->response.body);
	}
	free(a);
	*state = NULL;
	connections_phase(&s->connections, c, GUARD_IDLE);
}

enum status annotate_start(struct annotate_server **ret, struct annotate_site *site,
			   const struct annotate_options *options, struct diag *why)
{
	struct sockaddr_in at;
	char ip[INET_ADDRSTRLEN];

	TRY(listen_parse(options->listen, &at, why));
	struct annotate_server *s = NEW(struct annotate_server);
	s->site = site;
	site->rules.hosts = options->hosts;
	site->rules.n_hosts = options->n_hosts;
	connections_init(&s->connections);
	/* One thread, so that the study needs no lock. */
	s->daemon = daemon_start(&(struct daemon_options){ .at = at,
							   .one_thread = true,
							   .idle_seconds = IDLE_SECONDS,
							   .connections = &s->connections,
							   .on_request = on_request,
							   .on_completed = on_completed,
							   .context = s });
	if (!s->daemon) {
		annotate_stop(s);
		return diag_fail(why, ST_IO, "cannot listen on " STR_FMT,
				 STR_ARG(options->listen));
	}
	inet_ntop(AF_INET, &at.sin_addr, ip, sizeof(ip));
	snprintf(s->url, sizeof(s->url), "http://%s:%u/#token=" STR_FMT, ip,
		 daemon_port(s->daemon), STR_ARG(site->rules.token));
	*ret = s;
	return ST_OK;
}

const char *annotate_url(const struct annotate_server *s)
{
	return s->url;
}

void annotate_stop(struct annotate_server *s)
{
	if (s->daemon)
		MHD_stop_daemon(s->daemon);
	connections_release(&s->connections);
	free(s);
}
