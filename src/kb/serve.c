#include "kb/serve.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "httpd/daemon.h"

#define BODY_BYTES    ((size_t)256 << 20)
#define BODIES_BYTES  ((uint64_t)512 << 20) /* of all requests together */
#define ANSWERS_BYTES ((uint64_t)2 << 30)   /* of all answers together */
#define IDLE_SECONDS  60
#define STACK_BYTES   ((size_t)8 << 20) /* what SPARQL_LEVELS_MAX levels need, and more */
#define LOOK_MS       50 /* how often to see whether a client is still there */

struct kb_server {
	struct kb *kb;
	struct serve_options options;
	struct MHD_Daemon *daemon;
	bool cancel;
	struct guard_budget bodies, answers;
	struct running running;
	struct connections connections;
};

/* --- a request --- */

/* A request as it arrives. */
struct arriving {
	struct kb_server *server;
	struct buf body;
	uint64_t charged; /* of the body, to what all share */
	unsigned refused; /* status to answer with, 0: none */
	/* While it is answered: */
	int socket;
	int64_t looked_ms;
	bool gone;
};

static void free_body(void *body)
{
	protocol_response_release(body);
	free(body);
}

/* Takes the response over. */
static enum MHD_Result send_response(struct MHD_Connection *c,
				     struct protocol_response *r)
{
	struct protocol_response *kept = NEW(struct protocol_response);
	enum MHD_Result sent;

	*kept = TAKE(*r);
	struct str body = buf_str(&kept->body);
	struct MHD_Response *m = MHD_create_response_from_buffer_with_free_callback_cls(
		body.n, (void *)(uintptr_t)body.p, free_body, kept);
	MHD_add_response_header(m, "Content-Type", kept->content_type);
	response_add_safety(m);
	if (kept->status == 401)
		MHD_add_response_header(m, "WWW-Authenticate", "Bearer");
	if (kept->status == 503)
		MHD_add_response_header(m, "Retry-After", "1");
	sent = MHD_queue_response(c, kept->status, m);
	MHD_destroy_response(m);
	return sent;
}

static enum MHD_Result send_words(struct MHD_Connection *c, unsigned status,
				  const char *words)
{
	struct protocol_response r = { .status = status,
				       .content_type = "text/plain; charset=utf-8" };

	buf_addf(&r.body, "%s\n", words);
	return send_response(c, &r);
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

static struct protocol_request request_of(struct MHD_Connection *c, const char *url,
					  const char *method)
{
	return (struct protocol_request){
		.method = str_from(method),
		.path = str_from(url),
		.content_type = connection_header(c, "Content-Type"),
		.accept = connection_header(c, "Accept"),
		.host = connection_header(c, "Host"),
		.origin = connection_header(c, "Origin"),
		.referer = connection_header(c, "Referer"),
		.fetch_site = connection_header(c, "Sec-Fetch-Site"),
		.fetch_mode = connection_header(c, "Sec-Fetch-Mode"),
		.authorization = connection_header(c, "Authorization"),
	};
}

/* The server stops, or nobody is there any more to read the answer. */
static bool nobody_waits(void *context)
{
	struct arriving *a = context;
	int64_t now;
	char byte;

	if (__atomic_load_n(&a->server->cancel, __ATOMIC_RELAXED))
		return true;
	now = clock_mono_ms(&real_clock);
	if (a->gone || now - a->looked_ms < LOOK_MS)
		return a->gone;
	a->looked_ms = now;
	a->gone = recv(a->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
	return a->gone;
}

static enum MHD_Result answer(struct kb_server *s, struct MHD_Connection *c,
			      const char *url, const char *method, struct arriving *a)
{
	cleanup(buf_release) struct buf query = { 0 };
	struct protocol_options o = s->options.protocol;
	struct protocol_request q = request_of(c, url, method);
	struct protocol_response r;

	MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, add_argument, &query);
	q.query = buf_str(&query);
	q.body = buf_str(&a->body);
	a->socket = connection_socket(c);
	a->looked_ms = clock_mono_ms(&real_clock);
	o.cancel = (struct query_cancel){ nobody_waits, a };
	o.running = &s->running;
	o.answers = &s->answers;
	protocol_answer(s->kb, &o, &q, &r);
	return send_response(c, &r);
}

/* What the head of a request is enough to tell, before any of its body is kept. */
static enum MHD_Result begin(struct kb_server *s, struct MHD_Connection *c,
			     const char *url, const char *method, void **state)
{
	struct protocol_request q = request_of(c, url, method);
	struct str length = connection_header(c, "Content-Length");
	size_t most = s->options.body_bytes ? s->options.body_bytes : BODY_BYTES;
	struct protocol_response r;
	struct arriving *a;
	uint64_t n;

	if (protocol_refuses(&s->options.protocol, &q, &r))
		return send_response(c, &r);
	if (length.n && (!str_to_uint(length, UINT64_MAX, &n) || n > most))
		return send_words(c, 413, "the request is too large");
	a = *state = NEW(struct arriving);
	a->server = s;
	a->body.limit = most;
	connections_phase(&s->connections, c, GUARD_SENDING);
	return MHD_YES;
}

/* The rest of a body that is refused is thrown away as it comes. */
static void take_piece(struct kb_server *s, struct arriving *a, struct str piece)
{
	if (a->refused)
		return;
	if (!guard_take(&s->bodies, piece.n)) {
		a->refused = 503;
	} else {
		a->charged += piece.n;
		buf_add(&a->body, piece);
		if (a->body.overflow)
			a->refused = 413;
	}
	if (a->refused)
		buf_release(&a->body);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c,
				  const char *url, const char *method,
				  const char *version, const char *data, size_t *size,
				  void **state)
{
	struct kb_server *s = context;
	struct arriving *a = *state;

	(void)version;
	if (!a)
		return begin(s, c, url, method, state);
	if (*size) {
		take_piece(s, a, (struct str){ data, *size });
		connections_phase(&s->connections, c, GUARD_SENDING);
		*size = 0;
		return MHD_YES;
	}
	connections_phase(&s->connections, c, GUARD_ANSWERING);
	if (a->refused)
		return send_words(c, a->refused,
				  a->refused == 413
					  ? "the request is too large"
					  : "too many large requests; try again later");
	return answer(s, c, url, method, a);
}

static void on_completed(void *context, struct MHD_Connection *c, void **state,
			 enum MHD_RequestTerminationCode code)
{
	struct kb_server *s = context;
	struct arriving *a = *state;

	(void)code;
	if (a) {
		buf_release(&a->body);
		guard_give(&s->bodies, a->charged);
	}
	free(a);
	*state = NULL;
	connections_phase(&s->connections, c, GUARD_IDLE);
}

/* --- the server --- */

static void release(struct kb_server *s)
{
	running_release(&s->running);
	connections_release(&s->connections);
	free(s);
}

enum status kb_serve_start(struct kb_server **ret, struct kb *k,
			   const struct serve_options *options, struct diag *why)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(options->port) };
	struct kb_server *s;

	if (inet_pton(AF_INET, options->address ? options->address : "127.0.0.1",
		      &at.sin_addr) != 1)
		return diag_fail(why, ST_SYNTAX, "%s is no IPv4 address",
				 options->address);
	s = NEW(struct kb_server);
	s->kb = k;
	s->options = *options;
	s->bodies.limit = options->bodies_bytes ? options->bodies_bytes : BODIES_BYTES;
	s->answers.limit = ANSWERS_BYTES;
	connections_init(&s->connections);
	running_init(&s->running, options->queries);
	s->daemon = daemon_start(&(struct daemon_options){ .at = at,
							   .idle_seconds = IDLE_SECONDS,
							   .stack_bytes = STACK_BYTES,
							   .connections = &s->connections,
							   .on_request = on_request,
							   .on_completed = on_completed,
							   .context = s });
	if (!s->daemon) {
		release(s);
		return diag_fail(why, ST_IO, "cannot listen on port %u", options->port);
	}
	*ret = s;
	return ST_OK;
}

uint16_t kb_serve_port(const struct kb_server *s)
{
	return daemon_port(s->daemon);
}

void kb_serve_stop(struct kb_server *s)
{
	__atomic_store_n(&s->cancel, true, __ATOMIC_RELAXED);
	MHD_stop_daemon(s->daemon);
	release(s);
}
