/*
 * The worst answers a server can give, from a server of our own.  Whatever comes: there
 * is one result, in time, within the limits, with words where it failed; and the
 * next request is served as if nothing had happened.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fetch/fetch.h"
#include "test.h"

#define BODY_MAX   100000
#define HEADER_MAX 10000
#define WAIT_MS    3000 /* for the first byte; twice as much for all */

enum ending {
	CLOSES,
	STAYS,   /* open, and silent */
	RESETS,  /* with a RST */
	REPEATS, /* its last line, until we go away */
	DRIPS,   /* a byte at a time */
};

enum outcome {
	ANSWERED, /* its status, the body whole */
	CUT,      /* its status, the body marked as not whole */
	FAILED,   /* a negative code, with words */
};

#define OK       "HTTP/1.1 200 OK\r\n"
#define HTML     OK "Content-Type: text/html\r\n"
#define BYTES(s) s, sizeof(s) - 1

static const struct badness {
	const char *name, *bytes;
	size_t n;
	enum ending ending;
	enum outcome outcome;
} worst[] = {
	{ "nothing", BYTES(""), CLOSES, FAILED },
	{ "silence", BYTES(""), STAYS, FAILED },
	{ "a reset", BYTES(""), RESETS, FAILED },
	{ "one byte", BYTES("H"), CLOSES, FAILED },
	{ "half a status line", BYTES("HTTP/1.1 20"), CLOSES, FAILED },
	{ "half a status line and silence", BYTES("HTTP/1.1 20"), STAYS, FAILED },
	{ "a status line alone", BYTES("HTTP/1.1 200 OK\r\n"), CLOSES, FAILED },
	{ "an unfinished header", BYTES(OK "Content-Ty"), CLOSES, FAILED },
	{ "an unfinished header and silence", BYTES(OK "Content-Ty"), STAYS, FAILED },
	{ "another protocol", BYTES("SSH-2.0-OpenSSH_9.2\r\n"), CLOSES, FAILED },
	{ "HTTP/0.9", BYTES("<html>hello</html>"), CLOSES, FAILED },
	{ "zeros", BYTES("\0\0\0\0\0\0\0\0"), CLOSES, FAILED },
	{ "version 9", BYTES("HTTP/9.9 200 OK\r\n\r\nx"), CLOSES, FAILED },
	{ "no version", BYTES("HTTP/ 200 OK\r\n\r\nx"), CLOSES, FAILED },
	{ "status 0", BYTES("HTTP/1.1 000 Zero\r\n\r\nx"), CLOSES, FAILED },
	{ "status 99999", BYTES("HTTP/1.1 99999 Many\r\n\r\nx"), CLOSES, FAILED },
	{ "status -1", BYTES("HTTP/1.1 -1 Less\r\n\r\nx"), CLOSES, FAILED },
	{ "status two", BYTES("HTTP/1.1 two OK\r\n\r\nx"), CLOSES, FAILED },
	{ "a field without an end", BYTES(OK "X: 0123456789"), REPEATS, FAILED },
	{ "fields without an end", BYTES(OK "X: y\r\n"), REPEATS, FAILED },
	{ "interim answers without an end", BYTES("HTTP/1.1 100 Continue\r\n\r\n"),
	  REPEATS, FAILED },
	{ "switched protocols", BYTES("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nx"),
	  STAYS, FAILED },
	{ "a NUL in a field", BYTES(OK "X: a\0b\r\nContent-Length: 1\r\n\r\nx"), STAYS,
	  FAILED },
	{ "a folded field", BYTES(OK "X: a\r\n b\r\nContent-Length: 1\r\n\r\nx"), STAYS,
	  ANSWERED },
	{ "bare line feeds", BYTES("HTTP/1.1 200 OK\nContent-Length: 1\n\nx"), STAYS,
	  ANSWERED },
	{ "a negative length", BYTES(OK "Content-Length: -5\r\n\r\nhello"), CLOSES,
	  FAILED },
	{ "a length that is no number", BYTES(OK "Content-Length: many\r\n\r\nhello"),
	  CLOSES, FAILED },
	{ "a length past 64 bits",
	  BYTES(OK "Content-Length: 99999999999999999999999\r\n\r\nhello"), CLOSES,
	  ANSWERED },
	{ "two lengths", BYTES(OK "Content-Length: 1\r\nContent-Length: 5\r\n\r\nhello"),
	  CLOSES, FAILED },
	{ "a length of 4 GB and nothing", BYTES(OK "Content-Length: 4294967296\r\n\r\n"),
	  CLOSES, CUT },
	{ "a body that stops", BYTES(OK "Content-Length: 50\r\n\r\nhello"), STAYS, CUT },
	{ "a body that is reset", BYTES(OK "Content-Length: 50\r\n\r\nhello"), RESETS,
	  CUT },
	{ "more than its length",
	  BYTES(OK "Content-Length: 5\r\n\r\nhelloHTTP/1.1 404 X\r\n\r\n"), STAYS,
	  ANSWERED },
	{ "a body without an end", BYTES(HTML "\r\nfor ever and ever "), REPEATS, CUT },
	{ "a chunk that is no number",
	  BYTES(OK "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"), CLOSES,
	  CUT },
	{ "a chunk past 64 bits",
	  BYTES(OK "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello"),
	  CLOSES, CUT },
	{ "a negative chunk",
	  BYTES(OK "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n"), CLOSES, CUT },
	{ "a last chunk that is missing",
	  BYTES(OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), CLOSES, CUT },
	{ "chunks without an end",
	  BYTES(OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), REPEATS, CUT },
	{ "chunks and a length",
	  BYTES(OK "Content-Length: 3\r\nTransfer-Encoding: "
		   "chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
	  STAYS, ANSWERED },
	{ "trailers without an end",
	  BYTES(OK "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n"),
	  REPEATS, CUT },
	{ "an encoding nobody knows", BYTES(OK "Transfer-Encoding: rot13\r\n\r\nhello"),
	  CLOSES, ANSWERED },
	{ "a content coding nobody knows",
	  BYTES(OK "Content-Encoding: rot13\r\nContent-Length: 5\r\n\r\nhello"), STAYS,
	  ANSWERED },
	{ "a redirect to a file",
	  BYTES("HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\n"
		"Content-Length: 0\r\n\r\n"),
	  STAYS, ANSWERED },
	{ "a redirect to itself",
	  BYTES("HTTP/1.1 301 M\r\nLocation: /44\r\nContent-Length: 0\r\n\r\n"), STAYS,
	  ANSWERED },
	{ "204 with a body", BYTES("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nhello"),
	  STAYS, ANSWERED },
	{ "a challenge",
	  BYTES("HTTP/1.1 401 U\r\nWWW-Authenticate: Negotiate\r\n"
		"Content-Length: 0\r\n\r\n"),
	  STAYS, ANSWERED },
	{ "dripping", BYTES(HTML "Content-Length: 100000\r\n\r\n"), DRIPS, CUT },
	{ "a clearing of all cookies",
	  BYTES(OK "Set-Cookie: \r\nSet-Cookie: =;\r\nContent-Length: 0\r\n\r\n"), STAYS,
	  ANSWERED },
};

static struct loop loop;
static struct fetch *fetch;
static int listener, port;

/* ---- the server ---- */

static bool put(int fd, const char *bytes, size_t n)
{
	return n == 0 || send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
}

/* What comes after the last line feed but one: the line that is repeated. */
static void repeat(int fd, const struct badness *b)
{
	size_t at = b->n - 1;

	while (at > 0 && b->bytes[at - 1] != '\n')
		at--;
	if (strstr(b->bytes, "5\r\nhello\r\n") && b->bytes[at] == 'h')
		at -= 3;
	if (strncmp(b->bytes, "HTTP/1.1 100", 12) == 0)
		at = 0;
	while (put(fd, b->bytes + at, b->n - at))
		;
}

static void misbehave(int fd, const struct badness *b)
{
	static const struct linger now = { 1, 0 };
	char byte;

	put(fd, b->bytes, b->n);
	if (b->ending == REPEATS)
		repeat(fd, b);
	else if (b->ending == RESETS)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	else if (b->ending == STAYS)
		while (recv(fd, &byte, 1, 0) > 0)
			;
	else if (b->ending == DRIPS)
		while (put(fd, "x", 1))
			usleep(20000);
}

static void *serve(void *arg)
{
	int fd = (int)(intptr_t)arg;
	char request[4096];
	size_t n = 0;
	ssize_t got;
	unsigned nr = COUNT(worst);

	while ((got = recv(fd, request + n, sizeof(request) - 1 - n, 0)) > 0) {
		n += (size_t)got;
		request[n] = '\0';
		if (strstr(request, "\r\n\r\n"))
			break;
	}
	if (got > 0 && sscanf(request, "GET /%u", &nr) == 1 && nr < COUNT(worst))
		misbehave(fd, &worst[nr]);
	else
		put(fd, BYTES(OK "Content-Length: 5\r\nConnection: close\r\n\r\nhello"));
	close(fd);
	return NULL;
}

static void *accept_all(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_t thread;
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			return NULL;
		if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0)
			pthread_detach(thread);
	}
}

static bool start_server(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	pthread_t thread;

	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&a, n) != 0 || listen(listener, 128) != 0 ||
	    getsockname(listener, (struct sockaddr *)&a, &n) != 0 ||
	    pthread_create(&thread, NULL, accept_all, NULL) != 0)
		return false;
	port = ntohs(a.sin_port);
	return true;
}

/* ---- the client ---- */

struct asked {
	struct fetch_task task;
	struct arena arena;
	struct buf body;
	struct fetch_result result;
	unsigned results;
};

static void on_done(void *ctx, void *cookie, struct fetch_result *r)
{
	struct asked *a = cookie;

	(void)ctx;
	a->result = *r;
	a->results++;
}

static void asked_release(struct asked *a)
{
	arena_release(&a->arena);
	buf_release(&a->body);
}

static void begin(struct asked *a, unsigned nr)
{
	cleanup(buf_release) struct buf url = { 0 };

	buf_addf(&url, "http://bad%u.test/%u", nr, nr); /* a connection of its own */
	a->task.url = arena_copy(&a->arena, buf_str(&url));
	fetch_start(fetch, &a->task, &a->arena, &a->body, a);
}

static bool finish_all(struct asked *v, size_t n)
{
	int64_t until = clock_mono_ms(&real_clock) + 20 * WAIT_MS;

	for (size_t i = 0; i < n; i++)
		while (v[i].results == 0)
			if (loop_step(&loop, 10, NULL) != ST_OK ||
			    clock_mono_ms(&real_clock) > until)
				return false;
	return true;
}

static bool is_as_expected(const struct badness *b, const struct fetch_result *r)
{
	if (r->header.n > HEADER_MAX || r->body.n > BODY_MAX)
		return false;
	if (b->outcome == FAILED)
		return r->code < 0 && r->error.n > 0 && r->cause != CAUSE_NONE;
	return r->code >= 200 && r->cause == CAUSE_NONE &&
	       (b->outcome == CUT) == (r->truncated != TRUNCATED_NOT);
}

static void whatever_comes_there_is_one_result_within_limits(void)
{
	static struct asked v[COUNT(worst)];
	int wrong = 0;

	_Static_assert(COUNT(worst) >= 40, "forty at least");
	for (unsigned i = 0; i < COUNT(worst); i++)
		begin(&v[i], i);
	bool all = finish_all(v, COUNT(worst));
	for (unsigned i = 0; i < COUNT(worst); i++) {
		const struct fetch_result *r = &v[i].result;
		bool fine = v[i].results == 1 && is_as_expected(&worst[i], r);

		if (!fine)
			printf("# %u %s: code %d cause " STR_FMT
			       " cut %d body %zu: " STR_FMT "\n",
			       i, worst[i].name, r->code,
			       STR_ARG(fetch_cause_of(r->cause)->name), r->truncated,
			       r->body.n, STR_ARG(r->error));
		wrong += !fine;
	}
	fetch_abort_all(fetch); /* before their memory goes away */
	for (unsigned i = 0; i < COUNT(worst); i++)
		asked_release(&v[i]);
	CHECK(all && wrong == 0);
}

static void afterwards_it_works_as_before(void)
{
	cleanup(asked_release) struct asked a = { 0 };

	begin(&a, COUNT(worst));
	CHECK(finish_all(&a, 1) && a.result.code == 200);
	CHECK(str_eq(a.result.body, STR("hello")) && fetch_in_flight(fetch) == 0);
}

int main(void)
{
	char place[32];
	struct fetch_options o = { .user_agent = STR("x"),
				   .body_max = BODY_MAX,
				   .header_max = HEADER_MAX,
				   .first_byte_ms = WAIT_MS,
				   .total_ms = (uint64_t)WAIT_MS * 2 };

	signal(SIGPIPE, SIG_IGN);
	if (!start_server() || loop_init(&loop, &real_clock, NULL) != ST_OK)
		return 1;
	snprintf(place, sizeof(place), "127.0.0.1:%d", port);
	o.connect_to = str_from(place);
	if (fetch_open(&fetch, &loop, &o, on_done, NULL, NULL) != ST_OK)
		return 1;
	RUN(whatever_comes_there_is_one_result_within_limits);
	RUN(afterwards_it_works_as_before);
	fetch_close(fetch);
	loop_release(&loop);
	DONE();
}
