#include "test.h"

#include "testweb/deliver.h"
#include "web/coding.h"

static enum status parse(const char *text, struct http_request *r, size_t *n)
{
	return http_request_parse(str_from(text), r, n);
}

static void a_request_is_read(void)
{
	struct http_request r;
	size_t n;

	static const char two[] = "GET /a?b HTTP/1.1\r\nHost: x.test\r\n"
				  "Accept-Encoding: gzip;q=0.5, br, zstd;q=0\r\n"
				  "Cookie: a=b\r\n\r\nGET /";

	CHECK(parse(two, &r, &n) == ST_OK);
	CHECK(str_eq(r.target, STR("/a?b")) && str_eq(r.host, STR("x.test")));
	CHECK(r.codings == (1u << CODING_GZIP | 1u << CODING_BR));
	CHECK(r.keep_alive && !r.head_only && str_eq(r.cookie, STR("a=b")));
	CHECK(str_eq(str_skip(str_from(two), n), STR("GET /")));
}

static void versions_decide_about_the_connection(void)
{
	struct http_request r;
	size_t n;

	CHECK(parse("GET / HTTP/1.0\r\n\r\n", &r, &n) == ST_OK && !r.keep_alive && r.old);
	CHECK(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", &r, &n) == ST_OK);
	CHECK(r.keep_alive);
	CHECK(parse("HEAD / HTTP/1.1\nConnection: close\n\n", &r, &n) == ST_OK);
	CHECK(!r.keep_alive && r.head_only);
}

static void an_absolute_target_names_the_host(void)
{
	struct http_request r;
	size_t n;

	CHECK(parse("GET https://a.test/b HTTP/1.1\r\nHost: c\r\n\r\n", &r, &n) == ST_OK);
	CHECK(str_eq(r.host, STR("a.test")) && str_eq(r.target, STR("/b")) && r.https);
	CHECK(parse("GET http://a.test HTTP/1.1\r\n\r\n", &r, &n) == ST_OK);
	CHECK(str_eq(r.target, STR("/")) && !r.https);
}

static void half_a_request_waits_and_nonsense_does_not(void)
{
	struct http_request r;
	size_t n;

	CHECK(parse("GET / HTTP/1.1\r\nHost: x\r\n", &r, &n) == ST_AGAIN);
	CHECK(parse("", &r, &n) == ST_AGAIN);
	CHECK(parse("nonsense\r\n\r\n", &r, &n) == ST_SYNTAX);
	CHECK(parse("GET / SPDY/3\r\n\r\n", &r, &n) == ST_SYNTAX);
	CHECK(parse("\r\n\r\n", &r, &n) == ST_SYNTAX);
}

static struct answer answer;
static struct asked asked;
static struct buf out;

static struct delivery_plan send_as(enum delivery d, unsigned form)
{
	buf_reset(&out);
	answer.delivery = (uint8_t)d;
	answer.form = form;
	return deliver(&answer, &asked, &out);
}

static bool sent(const char *text)
{
	return str_find(buf_str(&out), str_from(text)) != STR_NONE;
}

static void each_delivery_is_as_good_or_bad_as_its_name(void)
{
	answer.status = 200;
	answer.type = STR("text/html");
	buf_add(&answer.body, STR("0123456789"));
	asked.request.keep_alive = true;
	CHECK(send_as(DELIVER_LENGTH, 0).after == AFTER_KEEP &&
	      sent("Content-Length: 10\r\n"));
	CHECK(sent("\r\n\r\n0123456789"));
	CHECK(send_as(DELIVER_CHUNKED, 0).after == AFTER_KEEP);
	CHECK(sent("\r\n\r\na\r\n0123456789\r\n0\r\n\r\n") && !sent("Content-Length"));
	CHECK(send_as(DELIVER_TRUNCATED, 0).after == AFTER_CLOSE);
	CHECK(sent("Content-Length: 10\r\n") && sent("01234") && !sent("56789"));
	CHECK(send_as(DELIVER_OVERLONG, 0).after == AFTER_CLOSE && sent("0123456789<p>"));
	CHECK(send_as(DELIVER_BAD_LENGTH, 0).after == AFTER_CLOSE &&
	      sent("Content-Length: abc"));
	CHECK(send_as(DELIVER_BAD_LENGTH, 2).after == AFTER_CLOSE &&
	      sent("Content-Length: 20"));
	CHECK(!deliver_is_whole(&answer));
	/* No number is that large: the body ends with the connection, and is whole. */
	CHECK(send_as(DELIVER_BAD_LENGTH, 3).after == AFTER_CLOSE &&
	      sent("Content-Length: 999") && sent("\r\n\r\n0123456789"));
	CHECK(deliver_is_whole(&answer));
	CHECK(send_as(DELIVER_BAD_CHUNKS, 0).after == AFTER_CLOSE && sent("zz\r\n"));
	CHECK(!deliver_is_whole(&answer));
	CHECK(send_as(DELIVER_RESET, 0).after == AFTER_RESET && out.n == 0);
	CHECK(send_as(DELIVER_RESET_WITHIN, 0).after == AFTER_RESET && sent("01234"));
	CHECK(send_as(DELIVER_DRIP, 0).after == AFTER_SLOWLY && sent("0123456789"));
	CHECK(send_as(DELIVER_ENDLESS_HEADERS, 0).after == AFTER_MORE &&
	      !sent("\r\n\r\n"));
	CHECK(send_as(DELIVER_ENDLESS_BODY, 0).after == AFTER_MORE && sent("chunked"));
	CHECK(send_as(DELIVER_STALL, 0).after == AFTER_NOTHING && out.n == 0);
	buf_release(&answer.body);
}

static void bombs_expand_to_what_they_say(void)
{
	struct compressors c = { 0 };
	static const char *const names[] = { "", "gzip", "br", "zstd" };

	for (unsigned i = CODING_GZIP; i < CODINGS; i++) {
		struct buf big = BUF((size_t)1 << 22);
		struct str bomb = compress_bomb(&c, (enum coding)i);

		CHECK(bomb.n > 0 && bomb.n < (size_t)2 << 20);
		CHECK(coding_decode(str_from(names[i]), bomb, &big) == ST_TOO_LARGE);
		CHECK(big.n == (size_t)1 << 22);
		buf_release(&big);
	}
	compressors_release(&c);
}

static void codings_can_be_undone(void)
{
	struct compressors c = { 0 };
	static const char *const names[] = { "", "gzip", "br", "zstd" };
	cleanup(buf_release) struct buf text = { 0 };

	for (unsigned i = 0; i < 300; i++)
		buf_addf(&text, "line %u of a text that repeats itself\n", i % 7);
	for (unsigned i = CODING_GZIP; i < CODINGS; i++) {
		cleanup(buf_release) struct buf packed = { 0 }, back = { 0 };

		CHECK(compress_add(&c, (enum coding)i, buf_str(&text), &packed));
		CHECK(packed.n < text.n / 4);
		CHECK(coding_decode(str_from(names[i]), buf_str(&packed), &back) ==
		      ST_OK);
		CHECK(str_eq(buf_str(&back), buf_str(&text)));
	}
	compressors_release(&c);
}

int main(void)
{
	RUN(a_request_is_read);
	RUN(versions_decide_about_the_connection);
	RUN(an_absolute_target_names_the_host);
	RUN(half_a_request_waits_and_nonsense_does_not);
	RUN(each_delivery_is_as_good_or_bad_as_its_name);
	RUN(bombs_expand_to_what_they_say);
	RUN(codings_can_be_undone);
	buf_release(&out);
	DONE();
}
