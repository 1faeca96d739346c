#include "serve/server.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "httpd/daemon.h"
#include "httpd/listen.h"
#include "os/clock.h"
#include "serve/events.h"
#include "serve/inject.h"

#define BODY_BYTES   ((size_t)64 << 10) /* of anything but POST /urls */
#define IDLE_SECONDS 30u
/* Of the thread-local tables of sketch/ alone there are 800 KB. */
#define STACK_BYTES    ((size_t)2 << 20)
#define EVENTS_LOOK_MS 100
#define STREAMS_MAX    64 /* GET /events at a time */

struct serve_server {
	struct service service;
	struct MHD_Daemon *daemon;
	struct connections connections;
	char address[64];
	char *address_file;
	bool stops;
	unsigned streams;
};

/* --- a request --- */

struct arriving {
	struct serve_server *server;
	struct buf body;
	struct response refusal; /* status 0: none */
	/* of POST /urls */
	bool is_stream;
	struct inject inject;
	uint64_t end;
	struct diag why;
	enum status st;
};

static enum MHD_Result add_argument(void *to, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	struct request *q = to;

	(void)kind;
	if (q->n_arguments < REQUEST_ARGUMENTS) {
		q->arguments[q->n_arguments].name = str_from(name);
		q->arguments[q->n_arguments].value = value ? str_from(value) : STR("");
		q->n_arguments++;
	}
	return MHD_YES;
}

static void read_request(struct MHD_Connection *c, const char *url, const char *method,
			 struct request *q)
{
	*q = (struct request){
		.method = str_from(method),
		.path = str_from(url),
		.content_type = connection_header(c, "Content-Type"),
		.last_event_id = connection_header(c, "Last-Event-ID"),
		.guard = { .method = str_from(method),
			   .host = connection_header(c, "Host"),
			   .origin = connection_header(c, "Origin"),
			   .referer = connection_header(c, "Referer"),
			   .fetch_site = connection_header(c, "Sec-Fetch-Site"),
			   .fetch_mode = connection_header(c, "Sec-Fetch-Mode"),
			   .authorization = connection_header(c, "Authorization") },
	};
	MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, add_argument, q);
}

/* --- answers --- */

static void free_response(void *response)
{
	response_release(response);
	free(response);
}

/* Takes the response over. */
static enum MHD_Result send_body(struct MHD_Connection *c, struct response *r)
{
	struct response *kept = NEW(struct response);
	enum MHD_Result sent;

	*kept = TAKE(*r);
	struct str body = buf_str(&kept->body);
	struct MHD_Response *m = MHD_create_response_from_buffer_with_free_callback_cls(
		body.n, (void *)(uintptr_t)body.p, free_response, kept);
	MHD_add_response_header(m, "Content-Type", kept->content_type);
	response_add_safety(m);
	if (kept->status == 401)
		MHD_add_response_header(m, "WWW-Authenticate", "Bearer");
	if (kept->status == 503 || kept->status == 429)
		MHD_add_response_header(m, "Retry-After", "1");
	if (kept->allow)
		MHD_add_response_header(m, "Allow", kept->allow);
	sent = MHD_queue_response(c, kept->status, m);
	MHD_destroy_response(m);
	return sent;
}

struct open_stream {
	struct serve_server *server;
	struct event_stream *events;
};

/* Blocks until there is something: the connection has a thread of its own. */
static ssize_t read_events(void *context, uint64_t position, char *to, size_t max)
{
	struct open_stream *o = context;
	struct event_stream *e = o->events;

	(void)position;
	while (!event_stream_fill(e, clock_mono_ms(&real_clock))) {
		if (__atomic_load_n(&o->server->stops, __ATOMIC_RELAXED))
			return MHD_CONTENT_READER_END_OF_STREAM;
		sleep_ms(EVENTS_LOOK_MS);
	}
	size_t n = MIN(max, e->text.n);
	memcpy(to, e->text.p, n);
	memmove(e->text.p, e->text.p + n, e->text.n - n);
	e->text.n -= n;
	return (ssize_t)n;
}

static void free_stream(void *context)
{
	struct open_stream *o = context;

	__atomic_sub_fetch(&o->server->streams, 1, __ATOMIC_RELAXED);
	event_stream_free(o->events);
	free(o);
}

static enum MHD_Result send_events(struct serve_server *s, struct MHD_Connection *c,
				   struct response *r)
{
	if (__atomic_add_fetch(&s->streams, 1, __ATOMIC_RELAXED) > STREAMS_MAX) {
		__atomic_sub_fetch(&s->streams, 1, __ATOMIC_RELAXED);
		response_problem(r, 503, "too many streams of events");
		return send_body(c, r);
	}
	struct open_stream *o = NEW(struct open_stream);
	*o = (struct open_stream){ s, event_stream_new(s->service.dir, r->after,
						       r->event_kinds) };
	struct MHD_Response *m = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, 4096, read_events, o, free_stream);
	MHD_add_response_header(m, "Content-Type", "text/event-stream");
	response_add_safety(m);
	enum MHD_Result sent = MHD_queue_response(c, 200, m);
	MHD_destroy_response(m);
	response_release(r);
	return sent;
}

/* --- bodies --- */

static enum status take_block(void *arg, struct str block, struct diag *why)
{
	struct arriving *a = arg;

	return service_add(&a->server->service, block, &a->end, why);
}

/* The rest of a body that is refused is thrown away as it comes. */
static void take_piece(struct arriving *a, struct str piece)
{
	if (a->refusal.status || a->st != ST_OK)
		return;
	if (a->is_stream) {
		a->st = inject_feed(&a->inject, piece, &a->why);
		return;
	}
	buf_add(&a->body, piece);
	if (a->body.overflow)
		response_problem(&a->refusal, 413, "the body is larger than 64 kB");
}

/* What was taken before an error is durable, and said. */
static void answer_stream(struct arriving *a, struct response *r)
{
	if (a->st == ST_OK)
		a->st = inject_end(&a->inject, &a->why);
	else if (a->inject.block.n > 0 && a->st == ST_SYNTAX &&
		 take_block(a, buf_str(&a->inject.block), &a->why) != ST_OK)
		a->inject.n = 0;
	struct diag why = a->why;
	service_acknowledge(&a->server->service, a->inject.n, a->end, r);
	if (a->st == ST_OK || r->status != 202)
		return;
	if (a->st == ST_SYNTAX)
		snprintf(why.text, sizeof(why.text),
			 "%.180s (the %llu elements before it were accepted)",
			 a->why.text, (unsigned long long)a->inject.n);
	response_failure(r, a->st, &why);
}

static enum MHD_Result begin(struct serve_server *s, struct MHD_Connection *c,
			     const char *url, const char *method, void **state)
{
	struct str length = connection_header(c, "Content-Length");
	struct arriving *a = *state = NEW(struct arriving);
	struct request q;
	uint64_t n;

	*a = (struct arriving){ .server = s };
	a->body.limit = BODY_BYTES;
	read_request(c, url, method, &q);
	connections_phase(&s->connections, c, GUARD_SENDING);
	if (!service_allows(&s->service, &q, &a->refusal)) {
		/* Before its body, which nobody wants to read. */
		return send_body(c, &a->refusal);
	}
	a->is_stream = service_is_stream(&q);
	if (a->is_stream)
		inject_init(&a->inject, INBOX_BLOCK, take_block, a);
	else if (length.n && (!str_to_uint(length, UINT64_MAX, &n) || n > BODY_BYTES)) {
		response_problem(&a->refusal, 413, "the body is larger than 64 kB");
		return send_body(c, &a->refusal);
	}
	return MHD_YES;
}

static enum MHD_Result answer(struct serve_server *s, struct MHD_Connection *c,
			      const char *url, const char *method, struct arriving *a)
{
	struct response r = { 0 };
	struct request q;

	if (a->refusal.status)
		return send_body(c, &a->refusal);
	read_request(c, url, method, &q);
	q.body = buf_str(&a->body);
	if (a->is_stream)
		answer_stream(a, &r);
	else
		service_answer(&s->service, &q, &r);
	return r.kind == RESPONSE_EVENTS ? send_events(s, c, &r) : send_body(c, &r);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *c,
				  const char *url, const char *method,
				  const char *version, const char *data, size_t *size,
				  void **state)
{
	struct serve_server *s = context;
	struct arriving *a = *state;

	(void)version;
	if (!a)
		return begin(s, c, url, method, state);
	if (*size) {
		take_piece(a, (struct str){ data, *size });
		connections_phase(&s->connections, c, GUARD_SENDING);
		*size = 0;
		return MHD_YES;
	}
	connections_phase(&s->connections, c, GUARD_ANSWERING);
	return answer(s, c, url, method, a);
}

static void on_completed(void *context, struct MHD_Connection *c, void **state,
			 enum MHD_RequestTerminationCode code)
{
	struct serve_server *s = context;
	struct arriving *a = *state;

	(void)code;
	if (a) {
		buf_release(&a->body);
		response_release(&a->refusal);
		if (a->is_stream)
			inject_release(&a->inject);
	}
	free(a);
	*state = NULL;
	connections_phase(&s->connections, c, GUARD_IDLE);
}

/* --- the server --- */

static enum status write_address(struct serve_server *s, const struct sockaddr_in *at,
				 struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf line = { 0 };
	char ip[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, &at->sin_addr, ip, sizeof(ip));
	snprintf(s->address, sizeof(s->address), "%s:%u", ip, daemon_port(s->daemon));
	buf_addf(&line, "%s\n", s->address);
	s->address_file = strdup(path_join(&a, s->service.dir, STR("serve.addr")));
	return file_replace(s->address_file, buf_str(&line), why);
}

enum status serve_start(struct serve_server **ret, const struct serve_options *options,
			struct diag *why)
{
	struct serve_server *s = NEW(struct serve_server);
	struct sockaddr_in at;
	enum status st = listen_parse(options->listen, &at, why);

	if (st == ST_OK)
		st = service_open(
			&s->service,
			&(struct service_options){ .dir = options->dir,
						   .is_inside = options->is_inside,
						   .is_public = !listen_is_loopback(&at),
						   .hosts = options->hosts,
						   .n_hosts = options->n_hosts },
			why);
	if (st != ST_OK) {
		free(s);
		return st;
	}
	connections_init(&s->connections);
	s->daemon = daemon_start(&(struct daemon_options){ .at = at,
							   .idle_seconds = IDLE_SECONDS,
							   .stack_bytes = STACK_BYTES,
							   .connections = &s->connections,
							   .on_request = on_request,
							   .on_completed = on_completed,
							   .context = s });
	if (!s->daemon)
		st = diag_fail(why, ST_IO, "cannot listen on " STR_FMT,
			       STR_ARG(options->listen));
	else
		st = write_address(s, &at, why);
	if (st != ST_OK)
		serve_stop(s);
	else
		*ret = s;
	return st;
}

const char *serve_address(const struct serve_server *s)
{
	return s->address;
}

struct str serve_token(const struct serve_server *s)
{
	return buf_str(&s->service.token);
}

bool serve_takes_demands(const struct serve_server *s)
{
	return s->service.takes_demands;
}

/* A later server may have written its own address there. */
static void remove_address(struct serve_server *s)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why;

	if (s->address_file && file_load(s->address_file, 256, &text, &why) == ST_OK &&
	    str_eq(str_trim(buf_str(&text)), str_from(s->address)) &&
	    file_remove(s->address_file, &why) != ST_OK)
		why.text[0] = '\0'; /* the folder may be gone */
	free(s->address_file);
}

void serve_stop(struct serve_server *s)
{
	__atomic_store_n(&s->stops, true, __ATOMIC_RELAXED);
	if (s->daemon)
		MHD_stop_daemon(s->daemon);
	remove_address(s);
	connections_release(&s->connections);
	service_close(&s->service);
	free(s);
}
