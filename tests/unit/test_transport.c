#include <netinet/in.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/encode.h"
#include "browser/transport.h"
#include "test.h"

/* A transport over a pair of sockets; the other end is the test's. */
static int pair(struct transport *t)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
		return -1;
	transport_init_pipe(t, fds[0], fds[0]);
	return fds[1];
}

static bool put(int fd, struct str bytes)
{
	return write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n;
}

static void messages_are_cut_at_the_nul_byte(void)
{
	cleanup(transport_release) struct transport t = { 0 };
	int peer = pair(&t);
	struct str m;

	CHECK(put(peer, STR("one\0two\0thr")));
	CHECK(transport_receive(&t, 100, &m, NULL) == ST_OK && str_eq(m, STR("one")));
	CHECK(transport_receive(&t, 100, &m, NULL) == ST_OK && str_eq(m, STR("two")));
	CHECK(transport_receive(&t, 10, &m, NULL) == ST_AGAIN);
	CHECK(put(peer, STR("ee\0")));
	CHECK(transport_receive(&t, 100, &m, NULL) == ST_OK && str_eq(m, STR("three")));
	close(peer);
}

static void a_peer_that_goes_away_is_an_error_not_a_wait(void)
{
	cleanup(transport_release) struct transport t = { 0 };
	int peer = pair(&t);
	struct str m;
	struct diag why;

	CHECK(put(peer, STR("half")));
	close(peer);
	CHECK(transport_receive(&t, 5000, &m, &why) == ST_IO);
}

static void what_is_sent_ends_in_one_nul_byte(void)
{
	cleanup(transport_release) struct transport t = { 0 };
	int peer = pair(&t);
	char got[16];

	CHECK(transport_send(&t, STR("{}"), NULL) == ST_OK);
	CHECK(recv(peer, got, 3, MSG_WAITALL) == 3 && memcmp(got, "{}", 3) == 0);
	CHECK(recv(peer, got, 1, MSG_DONTWAIT) == -1);
	close(peer);
}

/* A WebSocket server for one client: shakes hands, then sends what it was given. */
struct ws_server {
	int listener;
	struct str frames;
	bool impostor; /* does not know what becomes of the client's key */
	char got[64];
	ssize_t got_n;
};

static void add_accept(struct str request, struct buf *to)
{
	struct str name = STR("Sec-WebSocket-Key: ");
	struct str key = str_skip(request, str_find(request, name) + name.n);
	cleanup(buf_release) struct buf b = { 0 };
	unsigned char digest[SHA_DIGEST_LENGTH];

	buf_add(&b, str_slice(key, 0, str_find_char(key, '\r')));
	buf_add(&b, STR("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
	SHA1((const unsigned char *)b.p, b.n, digest);
	buf_add_base64(to, (struct str){ (const char *)digest, sizeof(digest) });
}

static void *serve_once(void *arg)
{
	struct ws_server *s = arg;
	int fd = accept(s->listener, NULL, NULL);
	char request[2048];
	size_t n = 0;

	while (n < 4 || memcmp(request + n - 4, "\r\n\r\n", 4) != 0) {
		ssize_t got = read(fd, request + n, 1);

		if (got != 1 || ++n == sizeof(request))
			break;
	}
	cleanup(buf_release) struct buf head = { 0 };
	buf_add(&head, STR("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
			   "sec-websocket-accept: "));
	if (s->impostor)
		buf_add(&head, STR("c29tZWJvZHkgZWxzZSBhbnN3ZXJz"));
	else
		add_accept((struct str){ request, n }, &head);
	buf_add(&head, STR("\r\n\r\n"));
	if (put(fd, buf_str(&head)) && put(fd, s->frames))
		s->got_n = read(fd, s->got, sizeof(s->got));
	close(fd);
	return NULL;
}

static int listen_somewhere(char *ret_url, size_t size)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    listen(fd, 1) != 0 || getsockname(fd, (struct sockaddr *)&a, &n) != 0)
		return -1;
	snprintf(ret_url, size, "ws://127.0.0.1:%d/devtools", ntohs(a.sin_port));
	return fd;
}

static void a_websocket_message_is_put_together_from_its_frames(void)
{
	/* "Hel" + ping + "lo", then a whole "x". */
	struct ws_server s = { .frames = STR("\x01\x03Hel\x89\x01p\x80\x02lo\x81\x01x") };
	cleanup(transport_release) struct transport t = { 0 };
	char url[64];
	struct str m;
	struct diag why;
	pthread_t thread;

	s.listener = listen_somewhere(url, sizeof(url));
	CHECK(s.listener >= 0 && pthread_create(&thread, NULL, serve_once, &s) == 0);
	CHECK(transport_connect_ws(&t, str_from(url), &why) == ST_OK);
	CHECK(transport_receive(&t, 1000, &m, &why) == ST_OK && str_eq(m, STR("Hello")));
	CHECK(transport_receive(&t, 1000, &m, &why) == ST_OK && str_eq(m, STR("x")));
	pthread_join(thread, NULL);
	/* The ping was answered by a masked pong of the same payload. */
	CHECK(s.got_n >= 7 && (uint8_t)s.got[0] == 0x8a && (uint8_t)s.got[1] == 0x81);
	CHECK((s.got[6] ^ s.got[2]) == 'p');
	close(s.listener);
}

static void who_does_not_know_the_key_is_no_websocket(void)
{
	struct ws_server s = { .frames = STR("\x81\x01x"), .impostor = true };
	cleanup(transport_release) struct transport t = { 0 };
	char url[64];
	struct diag why;
	pthread_t thread;

	s.listener = listen_somewhere(url, sizeof(url));
	CHECK(s.listener >= 0 && pthread_create(&thread, NULL, serve_once, &s) == 0);
	CHECK(transport_connect_ws(&t, str_from(url), &why) == ST_DENIED);
	pthread_join(thread, NULL);
	close(s.listener);
}

static void an_oversized_or_masked_frame_is_refused(void)
{
	static const struct str bad[] = {
		STR("\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff"), /* nine exabytes */
		STR("\x81\x81wxyz!"),                            /* servers do not mask */
		STR("\xc1\x01x"), /* an extension we never agreed to */
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct ws_server s = { .frames = bad[i] };
		cleanup(transport_release) struct transport t = { 0 };
		char url[64];
		struct str m;
		struct diag why;
		pthread_t thread;

		s.listener = listen_somewhere(url, sizeof(url));
		CHECK(s.listener >= 0 &&
		      pthread_create(&thread, NULL, serve_once, &s) == 0);
		CHECK(transport_connect_ws(&t, str_from(url), &why) == ST_OK);
		enum status st = transport_receive(&t, 1000, &m, &why);
		CHECK(st == ST_TOO_LARGE || st == ST_SYNTAX);
		transport_release(&t);
		pthread_join(thread, NULL);
		close(s.listener);
	}
}

int main(void)
{
	RUN(messages_are_cut_at_the_nul_byte);
	RUN(a_peer_that_goes_away_is_an_error_not_a_wait);
	RUN(what_is_sent_ends_in_one_nul_byte);
	RUN(a_websocket_message_is_put_together_from_its_frames);
	RUN(who_does_not_know_the_key_is_no_websocket);
	RUN(an_oversized_or_masked_frame_is_refused);
	DONE();
}
