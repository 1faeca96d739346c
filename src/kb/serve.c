#include "kb/serve.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BODY_BYTES      ((size_t)256 << 20)
#define CONNECTIONS_MAX 256
#define IDLE_SECONDS    60

struct kb_server {
	struct kb *kb;
	struct serve_options options;
	struct MHD_Daemon *daemon;
	bool cancel;
};

/* The body of a request as it arrives. */
struct arriving {
	struct buf body;
	bool too_large;
};

static struct str header(struct MHD_Connection *c, const char *name)
{
	const char *v = MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);

	return v ? str_from(v) : (struct str){ 0 };
}

static enum MHD_Result send_response(struct MHD_Connection *c,
				     struct protocol_response *r)
{
	struct str body = buf_str(&r->body);
	struct MHD_Response *m = MHD_create_response_from_buffer(
		body.n, (void *)(uintptr_t)body.p, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result sent;

	MHD_add_response_header(m, "Content-Type", r->content_type);
	MHD_add_response_header(m, "Cache-Control", "no-store");
	MHD_add_response_header(m, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(
		m, "Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; script-src "
		"'unsafe-inline'; connect-src 'self'; img-src data:");
	sent = MHD_queue_response(c, r->status, m);
	MHD_destroy_response(m);
	return sent;
}

/* The query string as it was sent: libmicrohttpd gives the parts only. */
static enum MHD_Result add_argument(void *to, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	struct buf *b = to;
	const char *parts[] = { name, value };

	(void)kind;
	if (b->n)
		buf_add_char(b, '&');
	for (int i = 0; i < 2 && parts[i]; i++) {
		if (i)
			buf_add_char(b, '=');
		for (const char *p = parts[i]; *p; p++)
			buf_addf(b, "%%%02X", (unsigned char)*p);
	}
	return MHD_YES;
}

static enum MHD_Result answer(struct kb_server *s, struct MHD_Connection *c,
			      const char *url, const char *method,
			      const struct arriving *a)
{
	cleanup(buf_release) struct buf query = { 0 };
	struct protocol_options o = s->options.protocol;
	struct protocol_response r;
	enum MHD_Result sent;

	MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, add_argument, &query);
	struct protocol_request q = {
		.method = str_from(method),
		.path = str_from(url),
		.query = buf_str(&query),
		.content_type = header(c, "Content-Type"),
		.accept = header(c, "Accept"),
		.body = buf_str(&a->body),
		.host = header(c, "Host"),
		.origin = header(c, "Origin"),
	};
	o.cancel = &s->cancel;
	if (a->too_large) {
		r = (struct protocol_response){ .status = 413,
						.content_type = "text/plain" };
		buf_add(&r.body, STR("the request is too large\n"));
	} else {
		protocol_answer(s->kb, &o, &q, &r);
	}
	sent = send_response(c, &r);
	protocol_response_release(&r);
	return sent;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c,
				  const char *url, const char *method,
				  const char *version, const char *data, size_t *size,
				  void **state)
{
	struct kb_server *s = context;
	struct arriving *a = *state;

	(void)version;
	if (!a) {
		a = *state = NEW(struct arriving);
		a->body.limit =
			s->options.body_bytes ? s->options.body_bytes : BODY_BYTES;
		return MHD_YES;
	}
	if (*size) {
		buf_add(&a->body, (struct str){ data, *size });
		a->too_large |= a->body.overflow;
		*size = 0;
		return MHD_YES;
	}
	return answer(s, c, url, method, a);
}

static void on_completed(void *context, struct MHD_Connection *c, void **state,
			 enum MHD_RequestTerminationCode code)
{
	struct arriving *a = *state;

	(void)context;
	(void)c;
	(void)code;
	if (a)
		buf_release(&a->body);
	free(a);
	*state = NULL;
}

enum status kb_serve_start(struct kb_server **ret, struct kb *k,
			   const struct serve_options *options, struct diag *why)
{
	struct kb_server *s = NEW(struct kb_server);
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(options->port) };

	s->kb = k;
	s->options = *options;
	if (inet_pton(AF_INET, options->address ? options->address : "127.0.0.1",
		      &at.sin_addr) != 1) {
		free(s);
		return diag_fail(why, ST_SYNTAX, "%s is no IPv4 address",
				 options->address);
	}
	s->daemon = MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION |
			MHD_USE_POLL,
		options->port, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR, &at,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_END);
	if (!s->daemon) {
		free(s);
		return diag_fail(why, ST_IO, "cannot listen on port %u", options->port);
	}
	*ret = s;
	return ST_OK;
}

uint16_t kb_serve_port(const struct kb_server *s)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);

	return info ? info->port : 0;
}

void kb_serve_stop(struct kb_server *s)
{
	__atomic_store_n(&s->cancel, true, __ATOMIC_RELAXED);
	MHD_stop_daemon(s->daemon);
	free(s);
}
