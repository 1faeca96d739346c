#include "testweb/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "web/coding.h"

#define ANSWER_MAX ((size_t)8 << 20)
#define PATIENCE_S 5

static int connect_to(uint32_t address, uint16_t port)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(address),
	};
	struct timeval patience = { .tv_sec = PATIENCE_S };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool send_request(int fd, const struct client_request *r)
{
	cleanup(buf_release) struct buf text = { 0 };

	buf_addf(&text,
		 "GET " STR_FMT " HTTP/1.1\r\nHost: x\r\n" STR_FMT
		 "Connection: close\r\n\r\n",
		 STR_ARG(r->url), STR_ARG(r->fields));
	return send(fd, text.p, text.n, MSG_NOSIGNAL) == (ssize_t)text.n;
}

/* True when the other side closed in an orderly way. */
static bool read_all(int fd, struct buf *to)
{
	for (;;) {
		char *at = buf_reserve(to, 16384);
		ssize_t n = at ? read(fd, at, 16384) : -1;

		if (n <= 0)
			return n == 0;
		to->n += (size_t)n;
	}
}

struct str client_field(const struct client_answer *a, const char *name)
{
	struct str rest = a->head, line;

	while (str_take_line(&rest, &line)) {
		size_t colon = str_find_char(line, ':');

		if (colon != STR_NONE &&
		    str_eq_nocase(str_slice(line, 0, colon), str_from(name)))
			return str_trim(str_skip(line, colon + 1));
	}
	return (struct str){ "", 0 };
}

/* False when the chunks do not end as they should. */
static bool join_chunks(struct str in, struct buf *to)
{
	struct str line;

	while (str_take_line(&in, &line)) {
		size_t n = 0;

		line = str_trim(line);
		for (size_t i = 0; i < line.n; i++) {
			int v = ascii_hex_value(line.p[i]);

			if (v < 0 || n > ANSWER_MAX)
				return false;
			n = n * 16 + (size_t)v;
		}
		if (line.n == 0 || n > in.n)
			return false;
		if (n == 0)
			return true;
		buf_add(to, str_slice(in, 0, n));
		in = str_skip(in, n);
		if (!str_take_prefix(&in, STR("\r\n")))
			return false;
	}
	return false;
}

static bool cut_body(struct client_answer *a, struct str rest, struct buf *plain)
{
	struct str length = client_field(a, "content-length");
	uint64_t n;

	if (str_eq_nocase(client_field(a, "transfer-encoding"), STR("chunked")))
		return join_chunks(rest, plain);
	buf_add(plain, rest);
	if (length.n == 0)
		return true;
	return str_to_uint(length, ANSWER_MAX, &n) && n == rest.n;
}

static enum status parse(struct client_answer *a, bool orderly, struct diag *why)
{
	struct str raw = buf_str(&a->raw), line = raw;
	size_t end = str_find(raw, STR("\r\n\r\n"));
	uint64_t status;
	cleanup(buf_release) struct buf plain = { 0 };

	if (end == STR_NONE || !str_take_prefix(&line, STR("HTTP/1.1 ")) ||
	    !str_take_uint(&line, 999, &status))
		return diag_fail(why, ST_SYNTAX, "no answer came");
	a->status = (unsigned)status;
	a->head = str_slice(raw, 0, end + 2);
	a->whole = cut_body(a, str_skip(raw, end + 4), &plain) && orderly;
	if (coding_decode(client_field(a, "content-encoding"), buf_str(&plain),
			  &a->body) != ST_OK)
		a->whole = false;
	return ST_OK;
}

enum status client_get(const struct client_request *r, struct client_answer *ret,
		       struct diag *why)
{
	int fd = connect_to(r->address, r->port);

	buf_reset(&ret->raw);
	buf_reset(&ret->body);
	ret->raw.limit = ret->body.limit = ANSWER_MAX;
	ret->status = 0;
	ret->whole = false;
	ret->head = (struct str){ "", 0 };
	if (fd < 0)
		return diag_fail(why, ST_IO, "cannot connect");
	bool orderly = send_request(fd, r) && read_all(fd, &ret->raw);
	close(fd);
	return parse(ret, orderly, why);
}

void client_answer_release(struct client_answer *a)
{
	buf_release(&a->raw);
	buf_release(&a->body);
	*a = (struct client_answer){ 0 };
}
