#include "service/websocket.h"

#include "base/encode.h"
#include "base/hash.h"
#include "warc/digest.h"

/* Of the first two bytes of a frame (5.2). */
#define FIN       0x80u
#define RESERVED  0x70u
#define OPCODE    0x0fu
#define MASKED    0x80u
#define LENGTH    0x7fu
#define LENGTH_16 126u
#define LENGTH_64 127u

enum opcode { CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

/* --- the handshake --- */

static void add_key(struct str url, struct buf *to)
{
	cleanup(buf_release) struct buf bytes = { 0 };

	buf_add_u64(&bytes, hash64(url));
	buf_add_u64(&bytes, hash64_seeded(url, 'W'));
	buf_add_base64(to, buf_str(&bytes));
}

void websocket_add_fields(struct str url, struct buf *to)
{
	buf_add(to, STR("Connection: Upgrade\r\nUpgrade: websocket\r\n"
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "));
	add_key(url, to);
	buf_add(to, STR("\r\n"));
}

bool websocket_is_accepted(struct str url, struct str accept)
{
	cleanup(buf_release) struct buf text = { 0 }, want = { 0 };
	uint8_t sum[SHA1_BYTES];
	struct digest d;

	add_key(url, &text);
	buf_add(&text, STR("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
	digest_init(&d, DIGEST_SHA1);
	digest_of(&d, buf_str(&text), sum);
	digest_release(&d);
	buf_add_base64(&want, (struct str){ (const char *)sum, sizeof(sum) });
	return str_eq(buf_str(&want), str_trim(accept));
}

/* --- frames --- */

struct frame {
	uint8_t opcode;
	bool is_last;
	struct str payload;
};

static uint64_t big_endian(struct str s)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.n; i++)
		v = v << 8 | (uint8_t)s.p[i];
	return v;
}

/* ST_AGAIN when the bytes end within it. */
static enum status take_frame(struct str *in, struct frame *ret, struct diag *why)
{
	struct str rest = *in, head, extended;

	if (!str_take_bytes(&rest, 2, &head))
		return ST_AGAIN;
	uint8_t first = (uint8_t)head.p[0], second = (uint8_t)head.p[1];
	uint64_t n = second & LENGTH;
	if (first & RESERVED)
		return diag_fail(why, ST_SYNTAX, "a frame with reserved bits");
	if (second & MASKED)
		return diag_fail(why, ST_SYNTAX, "a masked frame from a server");
	if (n >= LENGTH_16) {
		if (!str_take_bytes(&rest, n == LENGTH_16 ? 2 : 8, &extended))
			return ST_AGAIN;
		n = big_endian(extended);
	}
	if (n > WEBSOCKET_MESSAGE_MAX)
		return diag_fail(why, ST_TOO_LARGE, "a frame of more than %zu bytes",
				 WEBSOCKET_MESSAGE_MAX);
	if (!str_take_bytes(&rest, (size_t)n, &ret->payload))
		return ST_AGAIN;
	ret->opcode = first & OPCODE;
	ret->is_last = first & FIN;
	*in = rest;
	return ST_OK;
}

/* A line break within a message is white space of its JSON. */
static void add_line(struct str message, struct buf *to)
{
	for (size_t i = 0; i < message.n; i++) {
		char c = message.p[i];

		buf_add_char(to, c == '\n' || c == '\r' ? ' ' : c);
	}
	buf_add_char(to, '\n');
}

enum status websocket_add_lines(struct str in, struct buf *to, struct diag *why)
{
	cleanup(buf_release) struct buf message = BUF(WEBSOCKET_MESSAGE_MAX);
	bool is_text = false;
	struct frame f;
	enum status st;

	while ((st = take_frame(&in, &f, why)) == ST_OK) {
		if (f.opcode == CLOSE)
			return ST_OK;
		if (f.opcode == PING || f.opcode == PONG)
			continue;
		if (f.opcode > BINARY)
			return diag_fail(why, ST_SYNTAX, "a frame of unknown kind %u",
					 f.opcode);
		if (f.opcode != CONTINUATION) {
			buf_reset(&message);
			is_text = f.opcode == TEXT;
		}
		buf_add(&message, f.payload);
		TRY(buf_status(&message));
		if (f.is_last && is_text)
			add_line(buf_str(&message), to);
	}
	return st == ST_AGAIN ? ST_OK : st;
}
