#include "kb/serve.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"

#define BODY_BYTES       ((size_t)256 << 20)
#define BODIES_BYTES     ((uint64_t)512 << 20) /* of all requests together */
#define ANSWERS_BYTES    ((uint64_t)2 << 30)   /* of all answers together */
#define CONNECTIONS_MAX  256
#define CONNECTIONS_HIGH 192 /* from here on a new one takes the place of an idle one */
#define IDLE_SECONDS     60
#define STACK_BYTES      ((size_t)8 << 20) /* what SPARQL_LEVELS_MAX levels need, and more */
#define LOOK_MS          50 /* how often to see whether a client is still there */

struct kb_server {
	struct kb *kb;
	struct serve_options options;
	struct MHD_Daemon *daemon;
	bool cancel;
	struct guard_budget bodies, answers;
	struct running running;
	/* Connections come and go in one thread and work in others, hence the lock. */
	pthread_mutex_t lock;
	struct guard_connection connections[CONNECTIONS_MAX];
	int sockets[CONNECTIONS_MAX];
};

/* --- connections --- */

static void set_phase(struct kb_server *s, const size_t *slot, enum guard_phase phase)
{
	if (!slot)
		return;
	pthread_mutex_lock(&s->lock);
	s->connections[*slot - 1].phase = phase;
	s->connections[*slot - 1].active_ms = clock_mono_ms(&real_clock);
	pthread_mutex_unlock(&s->lock);
}

static int socket_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);

	return info ? info->connect_fd : -1;
}

/* Its place + 1 among the connections; kept by libmicrohttpd beside the socket. */
static size_t *slot_of(struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* A place for a new connection; an idle one is shown the door when there are many. */
static size_t take_slot(struct kb_server *s, int socket)
{
	int64_t now = clock_mono_ms(&real_clock);
	size_t used = 0, at = 0;

	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		if (s->connections[i].phase != GUARD_FREE)
			used++;
		else if (!at)
			at = i + 1;
	}
	if (used >= CONNECTIONS_HIGH) {
		size_t victim = guard_victim(s->connections, CONNECTIONS_MAX, now);

		if (victim != SIZE_MAX) {
			shutdown(s->sockets[victim], SHUT_RDWR);
			/* It closes soon; until then it is no victim again. */
			s->connections[victim].phase = GUARD_ANSWERING;
		}
	}
	if (at) {
		s->connections[at - 1] = (struct guard_connection){ GUARD_IDLE, now };
		s->sockets[at - 1] = socket;
	}
	return at;
}

static void on_connection(void *context, struct MHD_Connection *c, void **socket_context,
			  enum MHD_ConnectionNotificationCode code)
{
	struct kb_server *s = context;
	size_t *slot = *socket_context;

	pthread_mutex_lock(&s->lock);
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		size_t at = take_slot(s, socket_of(c));

		slot = at ? NEW(size_t) : NULL;
		if (slot)
			*slot = at;
		*socket_context = slot;
	} else if (slot) {
		s->connections[*slot - 1].phase = GUARD_FREE;
		free(slot);
		*socket_context = NULL;
	}
	pthread_mutex_unlock(&s->lock);
}

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

static struct str header(struct MHD_Connection *c, const char *name)
{
	const char *v = MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);

	return v ? str_from(v) : (struct str){ 0 };
}

static void free_body(void *body)
{
	protocol_response_release(body);
	free(body);
}

/* Takes the response over. */
static enum MHD_Result send_response(struct MHD_Connection *c,
				     struct protocol_response *r)
{
	static const char *const fields[][2] = {
		{ "Cache-Control", "no-store" },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Content-Security-Policy",
		  "default-src 'none'; style-src 'unsafe-inline'; script-src "
		  "'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; "
		  "form-action 'none'; frame-ancestors 'none'" },
	};
	struct protocol_response *kept = NEW(struct protocol_response);
	enum MHD_Result sent;

	*kept = TAKE(*r);
	struct str body = buf_str(&kept->body);
	struct MHD_Response *m = MHD_create_response_from_buffer_with_free_callback_cls(
		body.n, (void *)(uintptr_t)body.p, free_body, kept);
	MHD_add_response_header(m, "Content-Type", kept->content_type);
	for (size_t i = 0; i < COUNT(fields); i++)
		MHD_add_response_header(m, fields[i][0], fields[i][1]);
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
		.content_type = header(c, "Content-Type"),
		.accept = header(c, "Accept"),
		.host = header(c, "Host"),
		.origin = header(c, "Origin"),
		.referer = header(c, "Referer"),
		.fetch_site = header(c, "Sec-Fetch-Site"),
		.fetch_mode = header(c, "Sec-Fetch-Mode"),
		.authorization = header(c, "Authorization"),
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
	a->socket = socket_of(c);
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
	struct str length = header(c, "Content-Length");
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
	set_phase(s, slot_of(c), GUARD_SENDING);
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
		set_phase(s, slot_of(c), GUARD_SENDING);
		*size = 0;
		return MHD_YES;
	}
	set_phase(s, slot_of(c), GUARD_ANSWERING);
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
	set_phase(s, slot_of(c), GUARD_IDLE);
}

/* --- the server --- */

static struct MHD_Daemon *start_daemon(struct kb_server *s, struct sockaddr_in *at)
{
	return MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD |
					MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL,
				s->options.port, NULL, NULL, on_request, s,
				MHD_OPTION_SOCK_ADDR, at, MHD_OPTION_CONNECTION_LIMIT,
				(unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
				(unsigned)IDLE_SECONDS, MHD_OPTION_THREAD_STACK_SIZE,
				STACK_BYTES, MHD_OPTION_NOTIFY_CONNECTION, on_connection,
				s, MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
				MHD_OPTION_END);
}

static void release(struct kb_server *s)
{
	running_release(&s->running);
	pthread_mutex_destroy(&s->lock);
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
	pthread_mutex_init(&s->lock, NULL);
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		s->connections[i].phase = GUARD_FREE;
	running_init(&s->running, options->queries);
	s->daemon = start_daemon(s, &at);
	if (!s->daemon) {
		release(s);
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
	release(s);
}
