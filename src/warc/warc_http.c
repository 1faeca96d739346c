#include "warc/warc_http.h"

#include "web/coding.h"

bool warc_is_http(const struct warc_record *rec)
{
	return str_starts_nocase(warc_field(rec, STR("Content-Type")),
				 STR("application/http"));
}

enum status warc_http_read(struct warc_reader *r, size_t limit, struct buf *spare,
			   struct warc_http *ret, struct diag *why)
{
	struct warc_http h = { 0 };
	struct str block;

	TRY(warc_block_whole(r, limit, spare, &block, why));
	h.body = block;
	if (warc_is_http(&r->record)) {
		(void)stored_head_parse(block, &h.head);
		h.body = str_skip(block, h.head.all.n);
	}
	*ret = h;
	return ST_OK;
}

/* Hex digits at the front, consumed; false when there are none, or far too many. */
static bool take_hex(struct str *in, uint64_t *ret)
{
	uint64_t v = 0;
	size_t n = 0;
	int digit;

	while (n < in->n && n < 16 && (digit = ascii_hex_value(in->p[n])) >= 0) {
		v = v << 4 | (unsigned)digit;
		n++;
	}
	*in = str_skip(*in, n);
	*ret = v;
	return n > 0;
}

bool http_dechunk(struct str body, struct buf *to)
{
	uint64_t n;
	struct str extension;

	while (take_hex(&body, &n)) {
		if (!str_take_line(&body, &extension))
			return false;
		if (n == 0)
			return true;
		buf_add(to, str_slice(body, 0, (size_t)MIN(n, (uint64_t)body.n)));
		if (n > body.n)
			return false;
		body = str_skip(body, (size_t)n);
		(void)str_take_char(&body, '\r');
		if (!str_take_char(&body, '\n'))
			return false;
	}
	return false;
}

enum status warc_http_decode(const struct warc_http *h, struct buf *to)
{
	cleanup(buf_release) struct buf joined = { .limit = to->limit };
	struct str body = h->body;
	struct str transfer = stored_head_field(&h->head, STR("Transfer-Encoding"));

	if (str_find(transfer, STR("chunked")) != STR_NONE) {
		/* Many archives hold joined bodies under a head that says chunked. */
		if (http_dechunk(body, &joined) || joined.n > 0)
			body = buf_str(&joined);
	}
	return coding_decode(stored_head_field(&h->head, STR("Content-Encoding")), body,
			     to);
}
