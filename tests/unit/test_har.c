#include "overview/har.h"
#include "test.h"

#include "base/json.h"

#define RECORD(type, more, length, block)                                              \
	"WARC/1.1\r\nWARC-Type: " type "\r\nWARC-Target-URI: http://a.org/p?x=1&y\r\n" \
	"WARC-Date: 2026-11-17T05:00:00.000Z\r\nWARC-IP-Address: 127.0.0.1\r\n" more   \
	"Content-Length: " length "\r\n\r\n" block "\r\n\r\n"

static const char one[] = RECORD(
	"response", "", "51",
	"HTTP/1.1 404 Not Found\r\nContent-Type: text/x\r\n\r\n\xc3\xa4!")
	RECORD("request", "", "42", "POST /p?x=1&y HTTP/1.1\r\nHost: a.org\r\n\r\na=b")
		RECORD("metadata", "", "16", "fetchTimeMs: 229");

static struct json *parsed(struct str warc)
{
	cleanup(buf_release) struct buf b = { 0 }, all = { 0 };
	struct json *v = NULL;
	struct diag why;

	if (har_add_warc(warc, &b, &why) != ST_OK)
		return NULL;
	buf_add_char(&all, '[');
	buf_add(&all, buf_str(&b));
	buf_add_char(&all, ']');
	return json_parse(buf_str(&all), &v, &why) == ST_OK ? v : NULL;
}

static void a_capture_is_an_entry_with_both_sides(void)
{
	struct json *all = parsed(str_from(one));
	const struct json *e = json_first(all), *q = json_get(e, "request"),
			  *r = json_get(e, "response");

	CHECK(json_count(all) == 1);
	CHECK(str_eq(json_str(json_get(q, "method")), STR("POST")));
	CHECK(str_eq(json_str(json_get(q, "url")), STR("http://a.org/p?x=1&y")));
	CHECK(str_eq(json_str(json_get(json_get(q, "postData"), "text")), STR("a=b")));
	CHECK(json_count(json_get(q, "queryString")) == 2);
	CHECK(json_number(json_get(r, "status"), 0) == 404);
	CHECK(str_eq(json_str(json_get(r, "statusText")), STR("Not Found")));
	CHECK(str_eq(json_str(json_get(json_get(r, "content"), "text")),
		     STR("\xc3\xa4!")));
	CHECK(json_number(json_get(e, "time"), 0) == 229);
	json_release(&all);
}

static void what_is_no_text_is_base64_and_a_revisit_has_no_body(void)
{
	static const char two[] =
		RECORD("response", "", "21", "HTTP/1.1 200 OK\r\n\r\n\xff\xfe")
			RECORD("revisit", "", "19", "HTTP/1.1 200 OK\r\n\r\n");
	struct json *all = parsed(str_from(two));
	const struct json *first = json_first(all), *second = json_next(first);
	const struct json *body = json_get(json_get(first, "response"), "content");

	CHECK(json_count(all) == 2);
	CHECK(str_eq(json_str(json_get(body, "encoding")), STR("base64")));
	CHECK(str_eq(json_str(json_get(body, "text")), STR("//4=")));
	CHECK(json_get(json_get(json_get(second, "response"), "content"), "comment"));
	json_release(&all);
}

int main(void)
{
	RUN(a_capture_is_an_entry_with_both_sides);
	RUN(what_is_no_text_is_base64_and_a_revisit_has_no_body);
	DONE();
}
