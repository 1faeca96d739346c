#include "browser/transport.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "os/clock.h"

#define READ_BYTES    65536
#define WRITE_WAIT_MS 10000

void transport_release(struct transport *t)
{
	if (t->open) {
		close(t->read_fd);
		if (t->write_fd != t->read_fd)
			close(t->write_fd);
	}
	buf_release(&t->in);
	buf_release(&t->message);
	*t = (struct transport){ 0 };
}

enum status transport_write(struct transport *t, struct str bytes, struct diag *why)
{
	while (bytes.n) {
		struct pollfd p = { .fd = t->write_fd, .events = POLLOUT };

		if (poll(&p, 1, WRITE_WAIT_MS) <= 0)
			return diag_fail(why, ST_TIMEOUT,
					 "the browser takes no messages");
		ssize_t n = write(t->write_fd, bytes.p, bytes.n);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return diag_fail(why, ST_IO, "the browser went away: %s",
					 strerror(errno));
		bytes = str_skip(bytes, n < 0 ? 0 : (size_t)n);
	}
	return ST_OK;
}

enum status transport_send(struct transport *t, struct str message, struct diag *why)
{
	if (!t->open)
		return diag_fail(why, ST_IO, "the browser is not connected");
	return t->ops->send(t, message, why);
}

/* Drop what was handed out, so that the buffer does not grow for ever. */
static void drop_taken(struct transport *t)
{
	memmove(t->in.p, t->in.p + t->taken, t->in.n - t->taken);
	t->in.n -= t->taken;
	t->taken = 0;
}

static void clear_bell(struct transport *t)
{
	uint64_t rings;

	t->woken |= read(t->wake_fd, &rings, sizeof(rings)) == sizeof(rings);
}

static enum status read_some(struct transport *t, int timeout_ms, struct diag *why)
{
	struct pollfd p[2] = { { .fd = t->read_fd, .events = POLLIN },
			       { .fd = t->wake_fd, .events = POLLIN } };
	int ready = poll(p, t->wake_fd ? 2 : 1, timeout_ms);

	if (ready > 0 && p[1].revents)
		clear_bell(t);
	if (ready <= 0 || !p[0].revents)
		return ST_AGAIN;
	char *to = buf_reserve(&t->in, READ_BYTES);
	if (!to)
		return diag_fail(why, ST_TOO_LARGE,
				 "the browser sent a message over %zu MB",
				 TRANSPORT_MESSAGE_MAX >> 20);
	ssize_t n = read(t->read_fd, to, READ_BYTES);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return ST_AGAIN;
	if (n <= 0)
		return diag_fail(why, ST_IO, "the browser went away");
	t->in.n += (size_t)n;
	return ST_OK;
}

enum status transport_receive(struct transport *t, int timeout_ms, struct str *ret,
			      struct diag *why)
{
	int64_t until = clock_mono_ms(&real_clock) + timeout_ms;

	if (!t->open)
		return diag_fail(why, ST_IO, "the browser is not connected");
	for (;;) {
		enum status st = t->ops->cut(t, ret, why);

		if (st != ST_AGAIN)
			return st;
		if (t->taken)
			drop_taken(t);
		int64_t left = until - clock_mono_ms(&real_clock);
		st = read_some(t, left > 0 ? (int)left : 0, why);
		if (st == ST_AGAIN && (left <= 0 || t->woken))
			return ST_AGAIN;
		if (st != ST_OK && st != ST_AGAIN)
			return st;
	}
}
