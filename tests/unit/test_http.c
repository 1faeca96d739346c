#include "test.h"
#include "web/http.h"

#include <stdlib.h>
#include <string.h>

static void a_head_is_read(void)
{
	struct str text =
		STR("HTTP/1.1 200 All fine\r\nContent-Type: text/html\r\nX: \r\n"
		    "bad line\r\nb@d: 1\r\nset-cookie: a=1\r\nSET-COOKIE:b=2\n"
		    "Folded: one\r\n  two\r\n\r\nbody: no\r\n");
	struct http_head h;
	struct diag why;
	struct str v;
	size_t at = 0;

	CHECK(http_head_parse(&h, text, &why) == ST_OK);
	CHECK(h.status == 200 && h.version == 11 && str_eq(h.reason, STR("All fine")));
	CHECK(h.n == 5 && h.bad_lines == 2);
	CHECK(str_eq(http_get(&h, STR("content-TYPE")), STR("text/html")));
	CHECK(http_get(&h, STR("x")).p && http_get(&h, STR("x")).n == 0);
	CHECK(!http_get(&h, STR("body")).p);
	CHECK(http_next(&h, STR("Set-Cookie"), &at, &v) && str_eq(v, STR("a=1")));
	CHECK(http_next(&h, STR("Set-Cookie"), &at, &v) && str_eq(v, STR("b=2")));
	CHECK(!http_next(&h, STR("Set-Cookie"), &at, &v));
	CHECK(str_eq(http_get(&h, STR("Folded")), STR("one\r\n  two")));
	http_head_release(&h);
}

static void what_is_no_head_is_refused(void)
{
	struct http_head h = { .status = 7 };
	struct diag why;

	CHECK(http_head_parse(&h, STR(""), &why) == ST_SYNTAX);
	CHECK(http_head_parse(&h, STR("<html>"), &why) == ST_SYNTAX);
	CHECK(http_head_parse(&h, STR("HTTP/1.1 20\r\n"), &why) == ST_SYNTAX);
	CHECK(http_head_parse(&h, STR("HTTP/1.1 2000\r\n"), &why) == ST_SYNTAX);
	CHECK(http_head_parse(&h, STR("HTTP/1.1 200x\r\n"), &why) == ST_SYNTAX);
	CHECK(h.status == 7);
	CHECK(http_head_parse(&h, STR("HTTP/2 404\r\n\r\n"), &why) == ST_OK);
	CHECK(h.status == 404 && h.version == 20 && h.n == 0);
	http_head_release(&h);
}

static void an_endless_head_is_refused(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct http_head h = { 0 };
	struct diag why;

	buf_add(&b, STR("HTTP/1.1 200 OK\r\n"));
	for (unsigned i = 0; i <= HTTP_FIELDS_MAX; i++)
		buf_addf(&b, "F%u: x\r\n", i);
	CHECK(http_head_parse(&h, buf_str(&b), &why) == ST_TOO_LARGE);
	buf_reset(&b);
	buf_add(&b, STR("HTTP/1.1 200 OK\r\nA: "));
	for (size_t i = 0; i < HTTP_HEAD_MAX_BYTES; i++)
		buf_add_char(&b, 'x');
	buf_add(&b, STR("\r\n\r\n"));
	CHECK(http_head_parse(&h, buf_str(&b), &why) == ST_TOO_LARGE);
	CHECK(h.n == 0);
}

static void media_types_are_read(void)
{
	struct media_type m;

	CHECK(media_type_parse(STR(" Text/HTML ; Charset = \"utf-8\" ;x=y"), &m));
	CHECK(media_type_is(&m, STR("text/html")) && str_eq(m.charset, STR("utf-8")));
	CHECK(media_type_parse(STR("text/html;;charset=a;charset=b"), &m));
	CHECK(str_eq(m.charset, STR("a")));
	CHECK(media_type_parse(STR("multipart/x; boundary=\"a;b\"; charset"), &m));
	CHECK(str_eq(m.boundary, STR("a;b")) && m.charset.n == 0);
	CHECK(!media_type_parse(STR(""), &m) && !media_type_parse(STR("html"), &m));
	CHECK(!media_type_parse(STR("text/"), &m) &&
	      !media_type_parse(STR("te xt/html"), &m));
}

static void links_are_read(void)
{
	struct str v =
		STR("<https://e/a,b>; rel=\"canonical alternate\"; hreflang=de, "
		    "nonsense, </s.css>;rel=stylesheet;title=\"x, \\\"y\\\"; z\", <>");
	struct http_link l;

	CHECK(http_link_next(&v, &l));
	CHECK(str_eq(l.target, STR("https://e/a,b")) && str_eq(l.hreflang, STR("de")));
	CHECK(http_link_has_rel(&l, STR("Canonical")) &&
	      http_link_has_rel(&l, STR("alternate")));
	CHECK(!http_link_has_rel(&l, STR("canon")));
	CHECK(http_link_next(&v, &l) && str_eq(l.target, STR("/s.css")));
	CHECK(str_eq(l.title, STR("x, \\\"y\\\"; z")) &&
	      str_eq(l.rel, STR("stylesheet")));
	CHECK(http_link_next(&v, &l) && l.target.n == 0 && !l.rel.p);
	CHECK(!http_link_next(&v, &l));
}

static void retry_after_has_two_forms(void)
{
	uint64_t ms;

	CHECK(http_parse_retry_after(STR("120"), 0, &ms) && ms == 120000);
	CHECK(http_parse_retry_after(STR(" 1.5 "), 0, &ms) && ms == 1000);
	CHECK(http_parse_retry_after(STR("Sun, 06 Nov 1994 08:49:37 GMT"), 784111770000,
				     &ms));
	CHECK(ms == 7000);
	CHECK(http_parse_retry_after(STR("Sun, 06 Nov 1994 08:49:37 GMT"), 784111999000,
				     &ms));
	CHECK(ms == 0);
	CHECK(!http_parse_retry_after(STR("soon"), 0, &ms));
	CHECK(!http_parse_retry_after(STR("-5"), 0, &ms));
	CHECK(!http_parse_retry_after(STR(""), 0, &ms));
}

static struct http_head head_of(const char *fields)
{
	static struct buf b;
	struct http_head h = { 0 };

	buf_reset(&b);
	buf_addf(&b, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", fields);
	if (http_head_parse(&h, buf_str(&b), NULL) != ST_OK)
		abort();
	return h;
}

static void rate_limits_come_in_three_dialects(void)
{
	cleanup(http_head_release) struct http_head h =
		head_of("RateLimit: \"burst\";r=50;t=30, \"day\";r=3;t=900");
	struct http_rate_limit r = http_rate_limit(&h, 0);

	CHECK(r.has_remaining && r.remaining == 3 && r.has_reset && r.reset_ms == 900000);
	http_head_release(&h);
	h = head_of("X-RateLimit-Limit: 60\r\nX-RateLimit-Remaining: 0\r\n"
		    "X-RateLimit-Reset: 1700000060");
	r = http_rate_limit(&h, 1700000000000);
	CHECK(r.limit == 60 && r.has_remaining && r.remaining == 0 &&
	      r.reset_ms == 60000);
	http_head_release(&h);
	h = head_of("RateLimit-Remaining: 7\r\nRateLimit-Reset: 5");
	r = http_rate_limit(&h, 1700000000000);
	CHECK(r.remaining == 7 && r.reset_ms == 5000 && !r.has_limit);
	http_head_release(&h);
	h = head_of("X: y");
	r = http_rate_limit(&h, 0);
	CHECK(!r.has_limit && !r.has_remaining && !r.has_reset);
}

static void freshness_is_told(void)
{
	cleanup(http_head_release) struct http_head h =
		head_of("Cache-Control: public, MAX-AGE=\"100\"\r\nAge: 40");
	struct http_cache c = http_cache_control(&h);

	CHECK(c.has_max_age && c.max_age_s == 100 && !c.no_store);
	CHECK(http_fresh_for_ms(&h, 0) == 60000);
	http_head_release(&h);
	h = head_of("Cache-Control: no-cache, private=\"a,b\", max-age=5");
	c = http_cache_control(&h);
	CHECK(c.no_cache && c.is_private && c.max_age_s == 5 &&
	      http_fresh_for_ms(&h, 0) == 0);
	http_head_release(&h);
	h = head_of("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
		    "Expires: Sun, 06 Nov 1994 08:50:37 GMT");
	CHECK(http_fresh_for_ms(&h, 1) == 60000);
	http_head_release(&h);
	h = head_of("Expires: 0");
	CHECK(http_fresh_for_ms(&h, 1) == 0);
}

static void refreshes_are_read_as_html_does(void)
{
	static const struct {
		const char *value;
		int64_t delay; /* -1: nothing */
		const char *url;
	} rows[] = {
		{ "5", 5, "" },
		{ "0;url=/x", 0, "/x" },
		{ " 3 ; URL = '/a b' rest", 3, "/a b" },
		{ "1.7, \"http://e/\"", 1, "http://e/" },
		{ "0 /plain", 0, "/plain" },
		{ "0; urlx", 0, "urlx" },
		{ "0;url='/open", 0, "/open" },
		{ ".5;url=x", 0, "x" },
		{ "99999999999;url=/x", UINT32_MAX, "/x" },
		{ "", -1, "" },
		{ "x;url=y", -1, "" },
		{ "5x", -1, "" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t delay = 0;
		struct str url = { "", 0 };
		bool ok = http_parse_refresh(str_from(rows[i].value), &delay, &url);

		if (ok != (rows[i].delay >= 0) || !str_eq(url, str_from(rows[i].url)))
			printf("# %s gave %d " STR_FMT "\n", rows[i].value, ok,
			       STR_ARG(url));
		CHECK(ok == (rows[i].delay >= 0));
		CHECK(!ok || (delay == (uint64_t)rows[i].delay &&
			      str_eq(url, str_from(rows[i].url))));
	}
}

int main(void)
{
	RUN(a_head_is_read);
	RUN(what_is_no_head_is_refused);
	RUN(an_endless_head_is_refused);
	RUN(media_types_are_read);
	RUN(links_are_read);
	RUN(retry_after_has_two_forms);
	RUN(rate_limits_come_in_three_dialects);
	RUN(freshness_is_told);
	RUN(refreshes_are_read_as_html_does);
	DONE();
}
