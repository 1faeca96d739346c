#include "warc/stored_head.h"

#include "archive/crawl_log.h"
#include "test.h"
#include "warc/digest.h"

static void heads_are_read_leniently(void)
{
	struct stored_head h;

	CHECK(stored_head_parse(STR("HTTP/1.1 404 Not Found\r\nA: 1\r\nb:2 \r\n\r\nbody"),
				&h));
	CHECK(h.status == 404 && h.all.n == 38 &&
	      str_eq(stored_head_field(&h, STR("B")), STR("2")));
	CHECK(stored_head_field(&h, STR("C")).n == 0);
	CHECK(stored_head_parse(STR("HTTP/1.0 200\nA: x\n\nbody"), &h) &&
	      h.status == 200);
	CHECK(str_eq(stored_head_field(&h, STR("a")), STR("x")));
	CHECK(!stored_head_parse(STR("HTTP/1.1 200 OK\r\nA: 1\r\n"), &h));
	CHECK(!stored_head_parse(STR(""), &h) && h.status == 0);
	CHECK(stored_head_parse(STR("GET / HTTP/1.1\r\n\r\n"), &h) && h.status == 0);
}

static struct buf scratch;

static bool stored_as(struct str head, struct str want)
{
	return str_eq(stored_head_make(head, 12, &scratch), want);
}

static void only_what_must_change_changes(void)
{
	struct str plain = STR("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n");

	CHECK(stored_head_make(plain, 12, &scratch).p == plain.p);
	CHECK(stored_as(
		STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n"),
		STR("HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 12\r\n\r\n")));
	CHECK(stored_as(
		STR("HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: gzip,\r\n chunked\r\nX: 1\r\n"
		    "Content-Length: 99\r\n\r\n"),
		STR("HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 12\r\n\r\n")));
	CHECK(stored_as(
		STR("HTTP/1.1 200 OK\r\ncontent-length: 99\r\nX: 1\r\n\r\n"),
		STR("HTTP/1.1 200 OK\r\nX-Archive-Orig-content-length: 99\r\nX: 1\r\n"
		    "Content-Length: 12\r\n\r\n")));
	struct str not_modified =
		STR("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n");
	CHECK(stored_head_make(not_modified, HTTP_ANY_BODY, &scratch).p ==
	      not_modified.p);
	CHECK(stored_as(STR("HTTP/2 404 \r\nx: 1\r\n\r\n"),
			STR("HTTP/1.1 404 Not Found\r\nx: 1\r\n\r\n")));
	CHECK(stored_as(STR("HTTP/2 599\r\n\r\n"), STR("HTTP/1.1 599 \r\n\r\n")));
	CHECK(stored_as(STR("HTTP/1.0 200 Fine\nX: 1\n\n"),
			STR("HTTP/1.0 200 Fine\r\nX: 1\r\n\r\n")));
	CHECK(stored_as(STR("ICY 200 OK\r\n\r\n"), STR("ICY 200 OK\r\n\r\n")));
	buf_release(&scratch);
}

static void digests_are_labelled_and_read(void)
{
	struct digest d;
	struct buf b = { 0 };
	uint8_t got[DIGEST_MAX_BYTES], parsed[DIGEST_MAX_BYTES];
	enum digest_kind kind;

	digest_init(&d, DIGEST_SHA1);
	digest_of(&d, STR("abc"), got);
	buf_add_sha1(&b, got);
	CHECK(str_eq(buf_str(&b), STR("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5")));
	CHECK(digest_parse(buf_str(&b), &kind, parsed) == ST_OK && kind == DIGEST_SHA1);
	CHECK(parsed[0] == 0xa9 && parsed[19] == 0x9d);
	CHECK(digest_parse(STR("sha-1:a9993e364706816aba3e25717850c26c9cd0d89d"), &kind,
			   parsed) == ST_OK);
	CHECK(digest_parse(STR("sha1:short"), &kind, parsed) == ST_SYNTAX);
	CHECK(digest_parse(STR("tiger:x"), &kind, parsed) == ST_UNSUPPORTED);
	CHECK(digest_parse(STR("nothing"), &kind, parsed) == ST_SYNTAX);
	digest_release(&d);
	buf_release(&b);
}

static void log_lines_have_twelve_columns(void)
{
	struct fetch_task t = { .url = STR("http://e.org/a b"),
				.hops = STR("LR"),
				.via = STR("http://e.org/"),
				.source = STR("http://e.org/"),
				.attempt = 2 };
	struct fetch_result r = { .task = &t,
				  .code = 200,
				  .start_ms = 1794713730123,
				  .duration_ms = 87,
				  .body_bytes = 1234,
				  .truncated = TRUNCATED_LENGTH };
	uint8_t sha1[SHA1_BYTES] = { 0 };
	struct buf b = { 0 };

	crawl_log_add(
		&b, &(struct crawl_log_entry){ .result = &r,
					       .now_ms = 1794713731000,
					       .mime = STR("text/html"),
					       .thread = 7,
					       .payload_sha1 = sha1,
					       .annotations = STR("duplicate:digest") });
	CHECK(str_eq(buf_str(&b),
		     STR("2026-11-15T03:35:31.000Z   200       1234 http://e.org/a_b LR "
			 "http://e.org/ text/html #007 20261115033530123+87 "
			 "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA http://e.org/ "
			 "3t,lenTrunc,duplicate:digest\n")));
	buf_reset(&b);
	struct fetch_result failed = { .task = &t, .code = FETCH_CONNECT_FAILED };
	t.attempt = 0;
	t.via = t.hops = STR("");
	crawl_log_add(&b, &(struct crawl_log_entry){ .result = &failed,
						     .now_ms = 1794713731000 });
	CHECK(str_eq(buf_str(&b),
		     STR("2026-11-15T03:35:31.000Z    -2          - http://e.org/a_b "
			 "- - no-type #000 - - http://e.org/ -\n")));
	buf_release(&b);
}

int main(void)
{
	RUN(heads_are_read_leniently);
	RUN(only_what_must_change_changes);
	RUN(digests_are_labelled_and_read);
	RUN(log_lines_have_twelve_columns);
	DONE();
}
