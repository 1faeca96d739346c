/* RFC 6455 from the client's side, without extensions. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/sha.h>

#include "base/encode.h"
#include "base/hash.h"
#include "browser/transport.h"

#define HANDSHAKE_MAX     8192
#define HANDSHAKE_WAIT_MS 5000

enum opcode {
	OP_CONTINUATION = 0,
	OP_TEXT = 1,
	OP_BINARY = 2,
	OP_CLOSE = 8,
	OP_PING = 9,
	OP_PONG = 10,
};

struct frame {
	uint8_t opcode;
	bool last;
	struct str payload;
	size_t bytes; /* header and payload */
};

/* RFC 6455 5.3 wants an unpredictable mask, so that no proxy can be fooled. */
static uint32_t next_mask(struct transport *t)
{
	return (uint32_t)hash_mix(t->mask += 0x9e3779b97f4a7c15u);
}

static enum status send_frame(struct transport *t, enum opcode op, struct str payload,
			      struct diag *why)
{
	cleanup(buf_release) struct buf out = BUF(payload.n + 16);
	uint32_t mask = next_mask(t);
	char key[4];

	memcpy(key, &mask, sizeof(key));
	buf_add_u8(&out, (uint8_t)(0x80 | op));
	if (payload.n < 126) {
		buf_add_u8(&out, (uint8_t)(0x80 | payload.n));
	} else if (payload.n < 65536) {
		buf_add_u8(&out, 0x80 | 126);
		buf_add_u8(&out, (uint8_t)(payload.n >> 8));
		buf_add_u8(&out, (uint8_t)payload.n);
	} else {
		buf_add_u8(&out, 0x80 | 127);
		for (int shift = 56; shift >= 0; shift -= 8)
			buf_add_u8(&out, (uint8_t)(payload.n >> shift));
	}
	buf_add(&out, (struct str){ key, 4 });
	char *to = buf_reserve(&out, payload.n);
	for (size_t i = 0; to && i < payload.n; i++)
		to[i] = (char)(payload.p[i] ^ key[i & 3]);
	out.n += payload.n;
	TRY(buf_status(&out));
	return transport_write(t, buf_str(&out), why);
}

static enum status ws_send(struct transport *t, struct str message, struct diag *why)
{
	return send_frame(t, OP_TEXT, message, why);
}

static bool take_length(struct str *in, uint8_t first, uint64_t *ret)
{
	size_t bytes = first == 126 ? 2 : first == 127 ? 8 : 0;
	struct str digits;

	*ret = first;
	if (!bytes)
		return true;
	if (!str_take_bytes(in, bytes, &digits))
		return false;
	*ret = 0;
	for (size_t i = 0; i < bytes; i++)
		*ret = *ret << 8 | (uint8_t)digits.p[i];
	return true;
}

static enum status cut_frame(struct str in, struct frame *ret, struct diag *why)
{
	size_t whole = in.n;
	uint8_t head, size;
	uint64_t n;

	if (!str_take_u8(&in, &head) || !str_take_u8(&in, &size))
		return ST_AGAIN;
	if ((head & 0x70) || (size & 0x80))
		return diag_fail(why, ST_SYNTAX,
				 "the browser sent a bad WebSocket frame");
	if (!take_length(&in, size, &n))
		return ST_AGAIN;
	if (n > TRANSPORT_MESSAGE_MAX)
		return diag_fail(why, ST_TOO_LARGE,
				 "the browser sent a message over %zu MB",
				 TRANSPORT_MESSAGE_MAX >> 20);
	if (!str_take_bytes(&in, n, &ret->payload))
		return ST_AGAIN;
	ret->opcode = head & 15;
	ret->last = head & 0x80;
	ret->bytes = whole - in.n;
	return ST_OK;
}

/* A message is a first frame and its continuations; control frames may stand between. */
static enum status ws_cut(struct transport *t, struct str *ret, struct diag *why)
{
	struct frame f;

	for (;;) {
		TRY(cut_frame(str_skip(buf_str(&t->in), t->taken), &f, why));
		t->taken += f.bytes;
		switch (f.opcode) {
		case OP_CLOSE:
			return diag_fail(why, ST_IO, "the browser closed the connection");
		case OP_PING:
			TRY(send_frame(t, OP_PONG, f.payload, why));
			continue;
		case OP_PONG:
			continue;
		case OP_TEXT:
		case OP_BINARY:
			buf_reset(&t->message);
			break;
		default:
			break;
		}
		if (f.last && f.opcode != OP_CONTINUATION) {
			*ret = f.payload; /* the usual case: no copy */
			return ST_OK;
		}
		buf_add(&t->message, f.payload);
		TRY(buf_status(&t->message));
		if (f.last) {
			*ret = buf_str(&t->message);
			return ST_OK;
		}
	}
}

static const struct transport_ops ws_ops = { ws_send, ws_cut };

static enum status connect_to(struct str host, struct str port, int *ret_fd,
			      struct diag *why)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list, *a;
	char name[256], service[8];
	int fd = -1;

	if (host.n >= sizeof(name) || port.n >= sizeof(service))
		return diag_fail(why, ST_SYNTAX, "not an address: " STR_FMT,
				 STR_ARG(host));
	snprintf(name, sizeof(name), STR_FMT, STR_ARG(host));
	snprintf(service, sizeof(service), STR_FMT, STR_ARG(port));
	if (getaddrinfo(name, service, &hints, &list) != 0)
		return diag_fail(why, ST_NOT_FOUND, "no such host: %s", name);
	for (a = list; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) != 0) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(list);
	if (fd < 0)
		return diag_fail(why, ST_IO, "cannot connect to %s port %s", name,
				 service);
	*ret_fd = fd;
	return ST_OK;
}

/* RFC 6455 4.1: what the other side must make of our key, or it is no WebSocket. */
static void add_accept(struct str key, struct buf *to)
{
	cleanup(buf_release) struct buf b = { 0 };
	unsigned char digest[SHA_DIGEST_LENGTH];

	buf_add(&b, key);
	buf_add(&b, STR("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
	SHA1((const unsigned char *)b.p, b.n, digest);
	buf_add_base64(to, (struct str){ (const char *)digest, sizeof(digest) });
}

static bool accepts(struct str head, struct str key)
{
	cleanup(buf_release) struct buf want = { 0 };
	struct str line;

	add_accept(key, &want);
	while (str_take_line(&head, &line)) {
		size_t colon = str_find_char(line, ':');

		if (colon != STR_NONE &&
		    str_eq_nocase(str_slice(line, 0, colon), STR("Sec-WebSocket-Accept")))
			return str_eq(str_trim(str_skip(line, colon + 1)),
				      buf_str(&want));
	}
	return false;
}

static enum status shake_hands(struct transport *t, struct str authority, struct str path,
			       struct diag *why)
{
	cleanup(buf_release) struct buf out = { 0 }, key = { 0 };
	uint64_t nonce[2] = { next_mask(t), next_mask(t) };
	struct str head;

	buf_add_base64(&key, (struct str){ (const char *)nonce, sizeof(nonce) });

	buf_add(&out, STR("GET "));
	buf_add(&out, path);
	buf_add(&out, STR(" HTTP/1.1\r\nHost: "));
	buf_add(&out, authority);
	buf_add(&out, STR("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
			  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "));
	buf_add(&out, buf_str(&key));
	buf_add(&out, STR("\r\n\r\n"));
	TRY(transport_write(t, buf_str(&out), why));
	for (;;) {
		char byte;

		/* One at a time: what follows the empty line is a frame already. */
		if (t->in.n > HANDSHAKE_MAX || read(t->read_fd, &byte, 1) != 1)
			return diag_fail(why, ST_IO, "the browser refused the handshake");
		buf_add_char(&t->in, byte);
		head = buf_str(&t->in);
		if (str_ends(head, STR("\r\n\r\n")))
			break;
	}
	if (!str_starts(head, STR("HTTP/1.1 101")))
		return diag_fail(why, ST_DENIED, "the browser answered " STR_FMT,
				 (int)MIN(head.n, 40), head.p);
	if (!accepts(head, buf_str(&key)))
		return diag_fail(why, ST_DENIED, "what answers there is no WebSocket");
	buf_reset(&t->in);
	return ST_OK;
}

enum status transport_connect_ws(struct transport *ret, struct str url, struct diag *why)
{
	struct str rest = url, port;
	struct transport t = {
		.ops = &ws_ops,
		.in = BUF(TRANSPORT_MESSAGE_MAX),
		.message = BUF(TRANSPORT_MESSAGE_MAX),
	};

	if (!str_take_prefix(&rest, STR("ws://")))
		return diag_fail(why, ST_SYNTAX, "want ws://HOST:PORT/PATH, not " STR_FMT,
				 STR_ARG(url));
	size_t slash = str_find_char(rest, '/');
	struct str authority = str_slice(rest, 0, slash);
	struct str path = slash == STR_NONE ? STR("/") : str_skip(rest, slash);
	size_t colon = str_rfind_char(authority, ':');
	port = colon == STR_NONE ? STR("80") : str_skip(authority, colon + 1);
	if (getrandom(&t.mask, sizeof(t.mask), 0) != sizeof(t.mask))
		t.mask = (uint64_t)(uintptr_t)&t;
	TRY(connect_to(str_slice(authority, 0, colon), port, &t.read_fd, why));
	t.write_fd = t.read_fd;
	t.open = true;
	struct timeval wait = { .tv_sec = HANDSHAKE_WAIT_MS / 1000 };
	setsockopt(t.read_fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	enum status st = shake_hands(&t, authority, path, why);
	if (st != ST_OK) {
		transport_release(&t);
		return st;
	}
	*ret = t;
	return ST_OK;
}
