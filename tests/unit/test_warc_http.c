#include "warc/warc_http.h"

#include "test.h"

static struct buf out;

static bool joins(struct str body, struct str want, bool proper)
{
	buf_reset(&out);
	return http_dechunk(body, &out) == proper && str_eq(buf_str(&out), want);
}

static void chunks_are_joined(void)
{
	CHECK(joins(STR("3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n"),
		    STR("abc0123456789"), true));
	CHECK(joins(STR("3\nabc\n0\n\n"), STR("abc"), true));
	CHECK(joins(STR("5\r\nab"), STR("ab"), false));
	CHECK(joins(STR("3\r\nabcX"), STR("abc"), false));
	CHECK(joins(STR("<html>"), STR(""), false));
	CHECK(joins(STR("ffffffffffffffffff\r\nabc"), STR("abc"), false));
	CHECK(joins(STR(""), STR(""), false));
	buf_release(&out);
}

static const struct str plain_warc = STR(
	"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
	"Content-Length: 66\r\n\r\n"
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n    "
	"\r\n\r\n");

static void a_stored_answer_is_taken_apart(void)
{
	struct warc_reader r;
	struct warc_record *rec;
	struct warc_http h;
	struct buf spare = { 0 };

	warc_reader_init(&r, plain_warc);
	CHECK(warc_next(&r, &rec, NULL) == ST_OK && warc_is_http(rec));
	CHECK(warc_http_read(&r, 1 << 20, &spare, &h, NULL) == ST_OK);
	CHECK(h.head.status == 200 && str_starts(h.body, STR("3\r\nabc\r\n")));
	CHECK(warc_http_decode(&h, &out) == ST_OK && str_eq(buf_str(&out), STR("abc")));
	CHECK(warc_next(&r, &rec, NULL) == ST_AGAIN);
	warc_seek(&r, 0);
	CHECK(warc_next(&r, &rec, NULL) == ST_OK);
	CHECK(warc_http_read(&r, 10, &spare, &h, NULL) == ST_TOO_LARGE);
	warc_reader_release(&r);
	buf_release(&spare);
	buf_release(&out);
}

/* Bodies that are joined already, under a head that was stored as received. */
static void a_body_that_is_not_chunked_after_all_stays(void)
{
	struct warc_http h = { .body = STR("<html>") };

	h.head.fields = STR("Transfer-Encoding: chunked\r\n\r\n");
	CHECK(warc_http_decode(&h, &out) == ST_OK &&
	      str_eq(buf_str(&out), STR("<html>")));
	buf_release(&out);
}

int main(void)
{
	RUN(chunks_are_joined);
	RUN(a_stored_answer_is_taken_apart);
	RUN(a_body_that_is_not_chunked_after_all_stays);
	DONE();
}
