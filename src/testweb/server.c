#include "testweb/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#define ACCEPTS_A_STEP 64
#define FLUSH_EVERY_MS 1000

static enum status listen_on(struct server *s, uint16_t port, struct diag *why)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_ANY),
	};
	socklen_t n = sizeof(at);

	if (fd < 0)
		return errno_fail(why, errno, "socket", "testweb");
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	/* Keeps strangers out where the kernel lets us; accept_one() does so anyhow. */
	if (!s->any_address)
		(void)setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
	if (bind(fd, (struct sockaddr *)&at, n) < 0 || listen(fd, 4096) < 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &n) < 0) {
		int error = errno;

		close(fd);
		return diag_fail(why, ST_IO, "cannot listen on port %u: %s", port,
				 error == EADDRINUSE ? "it is in use" : "not allowed");
	}
	s->port = ntohs(at.sin_port);
	s->listening.fd = fd;
	return ST_OK;
}

static void accept_one(struct server *s, int fd, const struct sockaddr_in *client)
{
	struct sockaddr_in own;
	socklen_t n = sizeof(own);
	int yes = 1;

	if (getsockname(fd, (struct sockaddr *)&own, &n) < 0 ||
	    (!s->any_address && ntohl(own.sin_addr.s_addr) >> 24 != 127)) {
		close(fd);
		return;
	}
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	connection_open(s, fd, ntohl(own.sin_addr.s_addr), ntohs(client->sin_port));
}

static void accept_ready(struct watch *w, unsigned events)
{
	struct server *s = w->arg;

	(void)events;
	for (unsigned i = 0; i < ACCEPTS_A_STEP; i++) {
		struct sockaddr_in client;
		socklen_t n = sizeof(client);
		int fd = accept4(w->fd, (struct sockaddr *)&client, &n,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0)
			return;
		accept_one(s, fd, &client);
	}
}

static void flush_log(struct timer *t)
{
	struct server *s = t->arg;
	struct diag why;

	(void)!access_log_flush(&s->log, &why);
	loop_timer_set(s->loop, t, clock_mono_ms(s->loop->clock) + FLUSH_EVERY_MS);
}

enum status server_start(struct server *s, struct world *w, struct loop *l,
			 const struct server_options *o, struct diag *why)
{
	*s = (struct server){
		.world = w,
		.loop = l,
		.any_address = o->any_address,
		.listening = { .fd = -1, .ready = accept_ready },
		.flush = { .fire = flush_log },
	};
	s->listening.arg = s;
	s->flush.arg = s;
	s->epoch_us = clock_wall_ms(l->clock) * 1000 - clock_mono_ns(l->clock) / 1000;
	memory_init(&s->memory, w);
	if (o->ca_path)
		TRY(tls_init(&s->tls, o->ca_path, why));
	if (o->log_path)
		TRY(access_log_open(&s->log, o->log_path, why));
	TRY(listen_on(s, o->port, why));
	loop_timer_set(l, &s->flush, clock_mono_ms(l->clock) + FLUSH_EVERY_MS);
	return loop_watch(l, &s->listening, LOOP_READ, why);
}

void server_stop(struct server *s)
{
	if (!s->loop)
		return;
	while (s->connections)
		connection_close(s->connections);
	loop_timer_clear(s->loop, &s->flush);
	loop_unwatch(s->loop, &s->listening);
	if (s->listening.fd >= 0)
		close(s->listening.fd);
	access_log_close(&s->log);
	tls_release(&s->tls);
	memory_release(&s->memory);
	answer_release(&s->answer);
	*s = (struct server){ 0 };
}
