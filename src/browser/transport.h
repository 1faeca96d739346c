/*
 * transport.h - whole messages to and from a browser, whatever carries them.
 *
 * Two carriers behind one interface: the pipe of a browser that we started
 * (JSON and a NUL byte, on two descriptors), and a WebSocket to one that runs
 * already.  A message is one JSON text.  Everything the browser sends is
 * hostile: a message longer than TRANSPORT_MESSAGE_MAX ends the connection.
 * Owned by one thread.
 */
#ifndef BROWSER_TRANSPORT_H
#define BROWSER_TRANSPORT_H

#include "base/buf.h"

#define TRANSPORT_MESSAGE_MAX                                    \
	((size_t)256 << 20) /* a full-page screenshot, as base64 \
			     */

struct transport;

struct transport_ops {
	enum status (*send)(struct transport *t, struct str message, struct diag *why);
	/* Cut one message from the front of `t->in`; ST_AGAIN when it is not whole yet.
	 */
	enum status (*cut)(struct transport *t, struct str *ret, struct diag *why);
};

struct transport {
	const struct transport_ops *ops;
	int read_fd, write_fd;
	struct buf in;      /* received and not yet handed out, from `taken` on */
	size_t taken;       /* bytes of `in` that were handed out */
	struct buf message; /* a WebSocket message put together from its frames */
	uint64_t mask;      /* state of the WebSocket mask's generator */
	int wake_fd; /* an eventfd that ends a wait, rung by other threads; 0: none */
	bool woken;  /* it was */
	bool open;
};

/* Takes both descriptors over. */
void transport_init_pipe(struct transport *ret, int read_fd, int write_fd);
/* ws://host:port/path; loopback or an address that the user gave. */
must_use enum status transport_connect_ws(struct transport *ret, struct str url,
					  struct diag *why);
void transport_release(struct transport *t);

must_use enum status transport_send(struct transport *t, struct str message,
				    struct diag *why);
/*
 * The next message; lives until the next call.  ST_AGAIN after `timeout_ms`
 * without one, or when `wake_fd` was rung, ST_IO when the browser has gone away.
 */
must_use enum status transport_receive(struct transport *t, int timeout_ms,
				       struct str *ret, struct diag *why);

/* For the carriers: write all of it, waiting while the peer is slow. */
must_use enum status transport_write(struct transport *t, struct str bytes,
				     struct diag *why);
#endif
