#include <errno.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "testweb/deliver.h"
#include "testweb/server.h"

#define READ_PIECE  ((size_t)16 * 1024)
#define OUT_FULL    ((size_t)256 * 1024)  /* no further request before this is sent */
#define ENDLESS_MAX ((uint64_t)256 << 20) /* even the endless has an end */
#define KEEP_MEMORY ((size_t)256 * 1024)  /* a buffer above is given back when empty */

enum phase {
	PHASE_FRESH,     /* not a byte yet: TLS or plain is not known */
	PHASE_HANDSHAKE, /* TLS, not yet agreed */
	PHASE_REQUEST,   /* reading, or between requests */
	PHASE_DELAY,     /* a request waits for its host's latency */
	PHASE_SENDING,   /* an answer that is not merely kept: see plan */
	PHASE_SILENT,    /* never to be answered */
};

struct connection {
	struct watch watch;
	struct timer timer;
	struct server *server;
	struct connection *next, *prev;
	SSL *ssl;
	enum phase phase;
	bool delayed; /* the delay of the present request is over */
	struct buf in, out;
	size_t in_at, out_at;
	uint64_t skip_bytes; /* body of a request that nobody reads */
	struct delivery_plan plan;
	uint64_t sent;
	uint32_t address, client_port;
	int64_t request_us;    /* when the present request was complete */
	struct access pending; /* not logged until the last byte is out */
	struct buf pending_text;
	bool has_pending;
};

static int64_t now_us(const struct server *s)
{
	return s->epoch_us + clock_mono_ns(s->loop->clock) / 1000;
}

static void log_pending(struct connection *c)
{
	if (!c->has_pending)
		return;
	c->has_pending = false;
	c->pending.end_us = now_us(c->server);
	access_log_add(&c->server->log, &c->pending);
}

void connection_close(struct connection *c)
{
	struct server *s = c->server;

	log_pending(c);
	loop_timer_clear(s->loop, &c->timer);
	loop_unwatch(s->loop, &c->watch);
	if (c->ssl) {
		if (c->phase != PHASE_HANDSHAKE)
			(void)SSL_shutdown(c->ssl);
		SSL_free(c->ssl);
	}
	close(c->watch.fd);
	if (c->prev)
		c->prev->next = c->next;
	else
		s->connections = c->next;
	if (c->next)
		c->next->prev = c->prev;
	s->n_connections--;
	buf_release(&c->in);
	buf_release(&c->out);
	buf_release(&c->pending_text);
	free(c);
}

static void connection_reset(struct connection *c)
{
	struct linger now = { .l_onoff = 1, .l_linger = 0 };

	(void)setsockopt(c->watch.fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	SSL_free(c->ssl); /* without a farewell */
	c->ssl = NULL;
	connection_close(c);
}

/* Bytes read, 0 when there are none now, -1 when the other side is gone. */
static ssize_t read_some(struct connection *c, char *to, size_t room)
{
	ssize_t n =
		c->ssl ? SSL_read(c->ssl, to, (int)room) : read(c->watch.fd, to, room);

	if (n > 0)
		return n;
	if (c->ssl) {
		int e = SSL_get_error(c->ssl, (int)n);

		return e == SSL_ERROR_WANT_READ || e == SSL_ERROR_WANT_WRITE ? 0 : -1;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static ssize_t write_some(struct connection *c, const char *from, size_t n)
{
	if (c->ssl) {
		int w = SSL_write(c->ssl, from, (int)MIN(n, (size_t)1 << 20));

		if (w > 0)
			return w;
		int e = SSL_get_error(c->ssl, w);

		return e == SSL_ERROR_WANT_READ || e == SSL_ERROR_WANT_WRITE ? 0 : -1;
	}
	ssize_t w = send(c->watch.fd, from, n, MSG_NOSIGNAL);

	return w >= 0 ? w : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

static void want(struct connection *c, unsigned events)
{
	struct diag why;

	if (c->watch.wants != events)
		(void)!loop_watch(c->server->loop, &c->watch, events, &why);
}

/* Send up to `most` bytes; false when the connection is gone. */
static bool flush(struct connection *c, size_t most)
{
	size_t end = MIN(c->out.n, c->out_at + most);

	while (c->out_at < end) {
		ssize_t n = write_some(c, c->out.p + c->out_at, end - c->out_at);

		if (n < 0)
			return connection_close(c), false;
		if (n == 0)
			break;
		c->out_at += (size_t)n;
		c->sent += (size_t)n;
	}
	if (c->out_at == c->out.n) {
		c->out_at = c->out.n = 0;
		if (c->out.cap > KEEP_MEMORY)
			buf_release(&c->out);
	}
	return true;
}

static void note_access(struct connection *c, const struct asked *asked,
			const struct answer *a, size_t bytes)
{
	struct buf *text = &c->pending_text;
	struct str host = asked->request.host, method = asked->request.method,
		   target = asked->request.target;

	log_pending(c);
	if (!c->server->log.file.path)
		return;
	buf_reset(text);
	buf_add(text, host);
	buf_add(text, method);
	buf_add(text, target);
	c->pending = (struct access){
		.start_us = c->request_us,
		.client_port = c->client_port,
		.address = c->address,
		.host = { text->p, host.n },
		.status = deliver_is_whole(a) ? a->status : 0,
		.bytes = bytes,
		.retry_ms = a->retry_after_ms,
		.https = asked->https,
		.method = { text->p + host.n, method.n },
		.target = { text->p + host.n + method.n, target.n },
	};
	c->has_pending = true;
}

static void answer_request(struct connection *c, struct asked *asked)
{
	struct server *s = c->server;
	size_t before = c->out.n;

	asked->now_ms = now_us(s) / 1000;
	asked->mono_ms = clock_mono_ms(s->loop->clock);
	answer_make(s->world, &s->memory, asked, &s->answer);
	c->plan = deliver(&s->answer, asked, &c->out);
	note_access(c, asked, &s->answer, c->out.n - before);
	if (c->plan.after != AFTER_KEEP)
		c->phase = c->plan.after == AFTER_NOTHING ? PHASE_SILENT : PHASE_SENDING;
}

/* True when the request has to wait first. */
static bool start_delay(struct connection *c, const struct asked *asked)
{
	struct server *s = c->server;

	if (c->delayed || !(s->world->options.troubles & 1u << TROUBLE_LATENCY))
		return false;
	uint32_t ms = answer_delay_ms(s->world, &s->memory, asked);
	if (ms == 0)
		return false;
	c->phase = PHASE_DELAY;
	loop_timer_set(s->loop, &c->timer, clock_mono_ms(s->loop->clock) + ms);
	return true;
}

static void skip_body(struct connection *c)
{
	size_t n = MIN(c->skip_bytes, c->in.n - c->in_at);

	c->in_at += n;
	c->skip_bytes -= n;
}

/* Answer what has arrived, as far as the answers may go out; false when closed. */
static bool serve(struct connection *c)
{
	while (c->phase == PHASE_REQUEST && c->in_at < c->in.n && c->out.n < OUT_FULL) {
		struct asked asked = { .https = c->ssl };
		size_t n;

		skip_body(c);
		enum status st = http_request_parse(str_skip(buf_str(&c->in), c->in_at),
						    &asked.request, &n);
		if (st == ST_AGAIN)
			break;
		if (st != ST_OK) {
			buf_add(&c->out,
				STR("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"
				    "Connection: close\r\n\r\n"));
			c->plan = (struct delivery_plan){ .after = AFTER_CLOSE };
			c->phase = PHASE_SENDING;
			break;
		}
		asked.https |= asked.request.https;
		if (!c->delayed)
			c->request_us = now_us(c->server);
		if (start_delay(c, &asked))
			break;
		answer_request(c, &asked);
		c->delayed = false;
		c->skip_bytes = asked.request.body_bytes;
		c->in_at += n;
	}
	if (c->in_at == c->in.n)
		c->in_at = c->in.n = 0;
	return true;
}

/* What remains to be done once the bytes written so far are out; false when closed. */
static bool go_on(struct connection *c)
{
	struct server *s = c->server;

	if (c->out.n || c->phase != PHASE_SENDING)
		return true;
	switch ((enum after)c->plan.after) {
	case AFTER_CLOSE:
		return connection_close(c), false;
	case AFTER_RESET:
		return connection_reset(c), false;
	case AFTER_SLOWLY:
		log_pending(c);
		c->phase = PHASE_REQUEST;
		return true;
	case AFTER_MORE:
		if (c->sent > ENDLESS_MAX)
			return connection_close(c), false;
		deliver_more((enum delivery)c->plan.delivery, &c->out);
		c->pending.bytes += c->out.n;
		if (c->plan.pace_ms)
			loop_timer_set(s->loop, &c->timer,
				       clock_mono_ms(s->loop->clock) + c->plan.pace_ms);
		return true;
	default:
		c->phase = PHASE_REQUEST;
		return true;
	}
}

static bool is_paced(const struct connection *c)
{
	return c->phase == PHASE_SENDING && c->plan.pace_ms;
}

/* Serve and send until one of them has to wait. */
static void turn(struct connection *c)
{
	for (unsigned rounds = 0; rounds < 64; rounds++) {
		if (!serve(c))
			return;
		if (is_paced(c)) {
			if (!c->timer.position)
				loop_timer_set(c->server->loop, &c->timer,
					       clock_mono_ms(c->server->loop->clock));
			return want(c, LOOP_READ);
		}
		size_t before = c->out_at, had = c->out.n;
		if (!flush(c, SIZE_MAX))
			return;
		if (c->out.n && c->out_at == before && had == c->out.n)
			break;
		if (c->out.n == 0 && c->phase == PHASE_REQUEST)
			log_pending(c);
		if (!go_on(c))
			return;
		if (c->out.n == 0 && (c->phase != PHASE_REQUEST || c->in.n == 0))
			break;
		if (c->out.n == 0 && had == 0)
			break;
	}
	want(c, c->out.n ? LOOP_READ | LOOP_WRITE : LOOP_READ);
}

static void fire(struct timer *t)
{
	struct connection *c = t->arg;
	struct server *s = c->server;

	if (c->phase == PHASE_DELAY) {
		c->phase = PHASE_REQUEST;
		c->delayed = true;
		return turn(c);
	}
	if (!is_paced(c))
		return;
	if (!flush(c, c->plan.pace_bytes ? c->plan.pace_bytes : SIZE_MAX))
		return;
	if (!go_on(c))
		return;
	if (is_paced(c))
		loop_timer_set(s->loop, &c->timer,
			       clock_mono_ms(s->loop->clock) + c->plan.pace_ms);
	else
		turn(c);
}

/* The first byte of a TLS connection is 22, a handshake record. */
static bool begin(struct connection *c)
{
	unsigned char first;
	ssize_t n = recv(c->watch.fd, &first, 1, MSG_PEEK);

	if (n < 0 && errno == EAGAIN)
		return false;
	if (n <= 0)
		return connection_close(c), false;
	c->phase = PHASE_REQUEST;
	if (first != 22)
		return true;
	c->ssl = c->server->tls.context ? SSL_new(c->server->tls.context) : NULL;
	if (!c->ssl)
		return connection_close(c), false;
	SSL_set_fd(c->ssl, c->watch.fd);
	SSL_set_accept_state(c->ssl);
	c->phase = PHASE_HANDSHAKE;
	return true;
}

static bool shake_hands(struct connection *c)
{
	int r = SSL_do_handshake(c->ssl);
	int e = r == 1 ? SSL_ERROR_NONE : SSL_get_error(c->ssl, r);

	if (r == 1) {
		c->phase = PHASE_REQUEST;
		want(c, LOOP_READ);
		return true;
	}
	if (e != SSL_ERROR_WANT_READ && e != SSL_ERROR_WANT_WRITE)
		connection_close(c);
	else
		want(c, e == SSL_ERROR_WANT_WRITE ? LOOP_READ | LOOP_WRITE : LOOP_READ);
	return false;
}

static void read_requests(struct connection *c)
{
	ssize_t n;

	do {
		char *to = buf_reserve(&c->in, READ_PIECE);

		n = read_some(c, to, READ_PIECE);
		if (n < 0)
			return connection_close(c);
		c->in.n += (size_t)n;
		/* A client that talks while it should listen does not get to fill our
		 * memory. */
		if (c->phase != PHASE_REQUEST && c->in.n > 4 * HTTP_REQUEST_MAX)
			return connection_close(c);
	} while (c->ssl && n > 0 && SSL_pending(c->ssl));
	if (c->phase == PHASE_REQUEST)
		turn(c);
}

static void ready(struct watch *watch, unsigned events)
{
	struct connection *c = watch->arg;

	if (c->phase == PHASE_FRESH && !begin(c))
		return;
	if (c->phase == PHASE_HANDSHAKE && !shake_hands(c))
		return;
	if (events & LOOP_WRITE)
		return turn(c);
	if (events & (LOOP_READ | LOOP_ERROR))
		read_requests(c);
}

void connection_open(struct server *s, int fd, uint32_t address, uint32_t client_port)
{
	struct connection *c = NEW(struct connection);
	struct diag why;

	c->server = s;
	c->watch = (struct watch){ .fd = fd, .ready = ready, .arg = c };
	c->timer = (struct timer){ .fire = fire, .arg = c };
	c->address = address;
	c->client_port = client_port;
	c->in.limit = 8 * HTTP_REQUEST_MAX;
	c->next = s->connections;
	if (c->next)
		c->next->prev = c;
	s->connections = c;
	s->n_connections++;
	if (loop_watch(s->loop, &c->watch, LOOP_READ, &why) != ST_OK)
		connection_close(c);
}
