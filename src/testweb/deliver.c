#include "testweb/deliver.h"

#include "base/date.h"

static const char *reason(unsigned status)
{
	switch (status) {
	case 200:
		return "OK";
	case 301:
		return "Moved Permanently";
	case 302:
		return "Found";
	case 304:
		return "Not Modified";
	case 401:
		return "Unauthorized";
	case 403:
		return "Forbidden";
	case 404:
		return "Not Found";
	case 410:
		return "Gone";
	case 429:
		return "Too Many Requests";
	case 500:
		return "Internal Server Error";
	case 502:
		return "Bad Gateway";
	case 503:
		return "Service Unavailable";
	default:
		return "Other";
	}
}

/* The date changes once a second; formatting it each time would cost a twentieth of a
 * page. */
static void add_date(int64_t now_ms, struct buf *to)
{
	static _Thread_local char text[40];
	static _Thread_local size_t n;
	static _Thread_local int64_t at = -1;

	if (now_ms / 1000 != at) {
		struct buf b = { 0 };

		buf_add_date_http(&b, now_ms);
		at = now_ms / 1000;
		n = MIN(b.n, sizeof(text));
		for (size_t i = 0; i < n; i++)
			text[i] = b.p[i];
		buf_release(&b);
	}
	buf_add(to, (struct str){ text, n });
}

enum { LENGTH_ABSURD = 3 };
static const char *const bad_lengths[] = {
	"Content-Length: abc\r\n", "Content-Length: -17\r\n",
	"Content-Length: 10\r\nContent-Length: 20\r\n",
	[LENGTH_ABSURD] = "Content-Length: 99999999999999999999999\r\n"
};

bool deliver_is_whole(const struct answer *a)
{
	switch ((enum delivery)a->delivery) {
	case DELIVER_LENGTH:
	case DELIVER_CHUNKED:
	case DELIVER_UNTIL_CLOSE:
	case DELIVER_OVERLONG:
	case DELIVER_DRIP:
		return true;
	case DELIVER_BAD_LENGTH: /* beyond all numbers: then the end is the connection's
				  */
		return a->form % COUNT(bad_lengths) == LENGTH_ABSURD;
	default:
		return false;
	}
}

static void add_length(const struct answer *a, size_t n, struct buf *to)
{
	switch (a->delivery) {
	case DELIVER_BAD_LENGTH:
		buf_add(to, str_from(bad_lengths[a->form % COUNT(bad_lengths)]));
		break;
	case DELIVER_CHUNKED:
	case DELIVER_BAD_CHUNKS:
	case DELIVER_ENDLESS_BODY:
		buf_add(to, STR("Transfer-Encoding: chunked\r\n"));
		break;
	case DELIVER_UNTIL_CLOSE:
	case DELIVER_TRICKLE:
		break;
	default:
		buf_add(to, STR("Content-Length: "));
		buf_add_uint(to, n);
		buf_add(to, STR("\r\n"));
	}
}

static void add_head(const struct answer *a, const struct asked *asked, size_t n,
		     bool keep, struct buf *to)
{
	buf_add(to, STR("HTTP/1.1 "));
	buf_add_uint(to, a->status);
	buf_add_char(to, ' ');
	buf_add(to, str_from(reason(a->status)));
	buf_add(to, STR("\r\nServer: testweb\r\nDate: "));
	add_date(asked->now_ms, to);
	buf_add(to, STR("\r\nContent-Type: "));
	buf_add(to, a->type);
	buf_add(to, STR("\r\n"));
	buf_add(to, buf_str(&a->fields));
	if (a->coding) {
		buf_add(to, STR("Content-Encoding: "));
		buf_add(to, str_from(coding_names[a->coding]));
		buf_add(to, STR("\r\nVary: Accept-Encoding\r\n"));
	}
	if (a->status != 304)
		add_length(a, n, to);
	if (!keep)
		buf_add(to, STR("Connection: close\r\n"));
	if (a->delivery != DELIVER_ENDLESS_HEADERS)
		buf_add(to, STR("\r\n"));
}

#define CHUNK 4096u

static void add_chunk(struct str piece, struct buf *to)
{
	char digits[16];
	size_t i = sizeof(digits), n = piece.n;

	do {
		digits[--i] = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n);
	buf_add(to, (struct str){ digits + i, sizeof(digits) - i });
	buf_add(to, STR("\r\n"));
	buf_add(to, piece);
	buf_add(to, STR("\r\n"));
}

static void add_chunks(struct str body, bool last, struct buf *to)
{
	for (size_t at = 0; at < body.n; at += CHUNK)
		add_chunk(str_slice(body, at, at + CHUNK), to);
	if (last)
		buf_add(to, STR("0\r\n\r\n"));
}

static void add_bad_chunks(struct str body, unsigned form, struct buf *to)
{
	add_chunks(str_slice(body, 0, body.n / 2), false, to);
	switch (form % 4) {
	case 0:
		buf_add(to, STR("zz\r\nnot a length\r\n0\r\n\r\n"));
		break;
	case 1: /* nothing: the last chunk never comes */
		break;
	case 2:
		buf_add(to, STR("ffffffffffffffffff\r\ntoo long a length\r\n"));
		break;
	default:
		buf_add(to, STR("5\r\nlonger than five\r\n0\r\n\r\n"));
	}
}

static struct delivery_plan plan(enum after after, const struct answer *a)
{
	return (struct delivery_plan){ .after = (uint8_t)after, .delivery = a->delivery };
}

static bool keeps_connection(const struct answer *a, const struct asked *asked)
{
	return asked->request.keep_alive && !a->close &&
	       (a->delivery == DELIVER_LENGTH || a->delivery == DELIVER_CHUNKED ||
		a->delivery == DELIVER_DRIP);
}

static struct delivery_plan deliver_body(const struct answer *a, struct str body,
					 bool keep, struct buf *to)
{
	struct delivery_plan p = plan(keep ? AFTER_KEEP : AFTER_CLOSE, a);

	switch ((enum delivery)a->delivery) {
	case DELIVER_CHUNKED:
		add_chunks(body, true, to);
		break;
	case DELIVER_BAD_CHUNKS:
		add_bad_chunks(body, a->form, to);
		break;
	case DELIVER_TRUNCATED:
		buf_add(to, str_slice(body, 0, body.n / 2));
		break;
	case DELIVER_RESET_WITHIN:
		buf_add(to, str_slice(body, 0, body.n / 2));
		p.after = AFTER_RESET;
		break;
	case DELIVER_OVERLONG:
		buf_add(to, body);
		buf_add(to, STR("<p>this is past the length that was announced</p>"));
		break;
	case DELIVER_DRIP: /* a second and a half for the whole */
		buf_add(to, body);
		p.after = AFTER_SLOWLY;
		p.pace_ms = 100;
		p.pace_bytes = (uint32_t)(to->n / 15 + 1);
		break;
	case DELIVER_TRICKLE:
	case DELIVER_ENDLESS_BODY:
	case DELIVER_ENDLESS_HEADERS:
		p.after = AFTER_MORE;
		p.pace_ms = a->delivery == DELIVER_TRICKLE ? 500 : 0;
		break;
	default:
		buf_add(to, body);
	}
	return p;
}

struct delivery_plan deliver(const struct answer *a, const struct asked *asked,
			     struct buf *to)
{
	struct str body = a->coding ? buf_str(&a->packed) : buf_str(&a->body);
	bool keep = keeps_connection(a, asked);

	if (a->delivery == DELIVER_RESET)
		return plan(AFTER_RESET, a);
	if (a->delivery == DELIVER_STALL)
		return plan(AFTER_NOTHING, a);
	add_head(a, asked, body.n, keep, to);
	if (asked->request.head_only || a->status == 304)
		return plan(keep ? AFTER_KEEP : AFTER_CLOSE, a);
	return deliver_body(a, body, keep, to);
}

void deliver_more(enum delivery delivery, struct buf *to)
{
	static const char line[] =
		"<p>and so on and on and on, there is always more</p>\n";

	if (delivery == DELIVER_TRICKLE) {
		buf_add_char(to, 'x');
		return;
	}
	for (unsigned i = 0; i < 64; i++) {
		if (delivery == DELIVER_ENDLESS_HEADERS)
			buf_addf(to,
				 "X-More-%u: and there is more where this came from\r\n",
				 i);
		else
			add_chunk((struct str){ line, sizeof(line) - 1 }, to);
	}
}
