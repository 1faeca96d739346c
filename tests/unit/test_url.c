#include "base/rng.h"
#include "test.h"
#include "url/url.h"
#include "url/url_internal.h"

#include <string.h>

/* What the input means with the base; NULL for failure. */
struct row {
	const char *input, *base, *href;
};

static bool holds(const struct row *r)
{
	struct buf scratch = { 0 }, base_scratch = { 0 };
	struct url base, u;
	bool ok = true;

	if (r->base)
		ok = url_parse(str_from(r->base), NULL, &base_scratch, &base, NULL) ==
		     ST_OK;
	if (ok) {
		enum status st = url_parse(str_from(r->input), r->base ? &base : NULL,
					   &scratch, &u, NULL);

		ok = r->href ? st == ST_OK && str_eq(u.href, str_from(r->href))
			     : st == ST_SYNTAX;
		if (!ok && st == ST_OK)
			printf("# %s gave " STR_FMT "\n", r->input, STR_ARG(u.href));
	}
	if (!ok)
		printf("# %s in %s\n", r->input, r->base ? r->base : "nothing");
	buf_release(&scratch);
	buf_release(&base_scratch);
	return ok;
}

#define CHECK_ROWS(rows)                            \
	for (size_t i_ = 0; i_ < COUNT(rows); i_++) \
	CHECK(holds(&rows[i_]))

static void absolute_urls_become_normal(void)
{
	static const struct row rows[] = {
		{ "HTTP://Example.COM", NULL, "http://example.com/" },
		{ "http://example.com:80/", NULL, "http://example.com/" },
		{ "https://example.com:0443/", NULL, "https://example.com/" },
		{ "http://example.com:/x", NULL, "http://example.com/x" },
		{ "http://example.com:8080", NULL, "http://example.com:8080/" },
		{ "http://example.com:65536/", NULL, NULL },
		{ "http://example.com:8o/", NULL, NULL },
		{ "http://a/./b/../c/.", NULL, "http://a/c/" },
		{ "http://a/b/%2E%2e/c/%2e", NULL, "http://a/c/" },
		{ "http://a/...", NULL, "http://a/..." },
		{ "http://a/..", NULL, "http://a/" },
		{ "http://a//b///c", NULL, "http://a//b///c" },
		{ "http:\\\\a\\b\\..\\c", NULL, "http://a/c" },
		{ "http:////a/b", NULL, "http://a/b" },
		{ "http:a", NULL, "http://a/" },
		{ "http://", NULL, NULL },
		{ "http:///", NULL, NULL },
		{ "http://a b/", NULL, NULL },
		{ "http://a%00b/", NULL, NULL },
		{ "http://%41%42/", NULL, "http://ab/" },
		{ "http://a/ \"<>`{}^", NULL, "http://a/%20%22%3C%3E%60%7B%7D%5E" },
		{ "http://a/?'\"<> `", NULL, "http://a/?%27%22%3C%3E%20`" },
		{ "http://a/#'\"<> `{", NULL, "http://a/#'%22%3C%3E%20%60{" },
		{ "http://a/%zz%1", NULL, "http://a/%zz%1" },
		{ "http://a?", NULL, "http://a/?" },
		{ "http://a#", NULL, "http://a/#" },
		{ "http://a/\xff", NULL, "http://a/%EF%BF%BD" },
		{ "http://a/\xc3\xa4?\xc3\xa4#\xc3\xa4", NULL,
		  "http://a/%C3%A4?%C3%A4#%C3%A4" },
		{ "  http://a/\t b\n ", NULL, "http://a/%20b" },
		{ "ht\ntp://a\t.b/", NULL, "http://a.b/" },
		{ "x", NULL, NULL },
		{ "", NULL, NULL },
		{ "://a", NULL, NULL },
		{ "1http://a", NULL, NULL },
	};

	CHECK_ROWS(rows);
}

static void credentials_are_kept_encoded(void)
{
	static const struct row rows[] = {
		{ "http://u:p@h/", NULL, "http://u:p@h/" },
		{ "http://u:@h/", NULL, "http://u@h/" },
		{ "http://:p@h/", NULL, "http://:p@h/" },
		{ "http://@h/", NULL, "http://h/" },
		{ "http://a@b@h/", NULL, "http://a%40b@h/" },
		{ "http://u:p:q@h/", NULL, "http://u:p%3Aq@h/" },
		{ "http://u@/x", NULL, NULL },
		{ "http://u@:80/x", NULL, NULL },
		{ "/x", "http://u:p@h:81/y?z#f", "http://u:p@h:81/x" },
	};

	CHECK_ROWS(rows);
}

static void relative_references_are_resolved(void)
{
	static const struct row rows[] = {
		{ "g", "http://a/b/c/d;p?q", "http://a/b/c/g" },
		{ "./g/", "http://a/b/c/d;p?q", "http://a/b/c/g/" },
		{ "/g", "http://a/b/c/d;p?q", "http://a/g" },
		{ "//g", "http://a/b/c/d;p?q", "http://g/" },
		{ "?y", "http://a/b/c/d;p?q", "http://a/b/c/d;p?y" },
		{ "#s", "http://a/b/c/d;p?q", "http://a/b/c/d;p?q#s" },
		{ "", "http://a/b/c/d;p?q#f", "http://a/b/c/d;p?q" },
		{ "../../../g", "http://a/b/c/d;p?q", "http://a/g" },
		{ "..", "http://a/b/c/d;p?q", "http://a/b/" },
		{ "g?y/./x", "http://a/b/c/d;p?q", "http://a/b/c/g?y/./x" },
		{ "http:g", "http://a/b/c/d;p?q", "http://a/b/c/g" },
		{ "https:g", "http://a/b/c/d;p?q", "https://g/" },
		{ "\\\\g\\x", "http://a/b", "http://g/x" },
		{ "x:y", "http://a/b", "x:y" },
		{ "x/y:z", "http://a/b", "http://a/x/y:z" },
		{ "g", "mailto:x", NULL },
		{ "#f", "mailto:x", "mailto:x#f" },
		{ "", "mailto:x", NULL },
	};

	CHECK_ROWS(rows);
}

static void other_schemes_keep_their_opaque_parts(void)
{
	static const struct row rows[] = {
		{ "mailto:A B@C", NULL, "mailto:A B@C" },
		{ "javascript:alert('x y')", NULL, "javascript:alert('x y')" },
		{ "data:text/html, x #f", NULL, "data:text/html, x%20#f" },
		{ "Foo://HOST/P", NULL, "foo://HOST/P" },
		{ "foo://h/a/../b", NULL, "foo://h/b" },
		{ "foo://h", NULL, "foo://h" },
		{ "foo://h:80/", NULL, "foo://h:80/" },
		{ "foo://a b/", NULL, NULL },
		{ "foo:///x", NULL, "foo:///x" },
		{ "foo:/a/..//b", NULL, "foo:/.//b" },
		{ "..//x", "foo:/a/b", "foo:/.//x" },
		{ "x", "foo:/.//a", "foo:/.//x" },
		{ "\\x", "foo://h/a/b", "foo://h/a/\\x" },
		{ "//[1:0::]/", "foo://h/", "foo://[1::]/" },
	};

	CHECK_ROWS(rows);
}

static void file_urls_know_drives_and_localhost(void)
{
	static const struct row rows[] = {
		{ "file:/a/b", NULL, "file:///a/b" },
		{ "file:a", NULL, "file:///a" },
		{ "file://localhost/a", NULL, "file:///a" },
		{ "file://Host/a", NULL, "file://host/a" },
		{ "file://h:1/a", NULL, NULL },
		{ "file:///C|/x/../..", NULL, "file:///C:/" },
		{ "file://C:/x", NULL, "file:///C:/x" },
		{ "/x", "file:///C:/y/z", "file:///C:/x" },
		{ "/D:/x", "file:///C:/y/z", "file:///D:/x" },
		{ "D:", "file:///C:/y/z", "d:" },
		{ "D|/x", "file:///C:/y/z", "file:///D:/x" },
		{ "x", "file://h/y/z", "file://h/y/x" },
		{ "//", "file:///y", "file:///" },
		{ "file:", "file:///y?q#f", "file:///y?q" },
	};

	CHECK_ROWS(rows);
}

static void hosts_are_names_or_addresses(void)
{
	static const struct row rows[] = {
		{ "http://127.0.0.1/", NULL, "http://127.0.0.1/" },
		{ "http://127.0.0.1:81/a", NULL, "http://127.0.0.1:81/a" },
		{ "http://127.0.0.01/", NULL, "http://127.0.0.1/" },
		{ "http://1.2.3.4.com/", NULL, "http://1.2.3.4.com/" },
		{ "http://0x7f.1/", NULL, "http://127.0.0.1/" },
		{ "http://017700000001", NULL, "http://127.0.0.1/" },
		{ "http://2130706433./", NULL, "http://127.0.0.1/" },
		{ "http://1.2.3.4.5/", NULL, NULL },
		{ "http://256.1.1.1/", NULL, NULL },
		{ "http://1.2.3.09/", NULL, NULL },
		{ "http://4294967296/", NULL, NULL },
		{ "http://1..2/", NULL, NULL },
		{ "http://a.0x/", NULL, NULL },
		{ "http://1.2.3.a/", NULL, "http://1.2.3.a/" },
		{ "http://[1:0:0:2:0:0:0:3]/", NULL, "http://[1:0:0:2::3]/" },
		{ "http://[::FFFF:1.2.3.4]/", NULL, "http://[::ffff:102:304]/" },
		{ "http://[1:2:3:4:5:6:7::]/", NULL, "http://[1:2:3:4:5:6:7:0]/" },
		{ "http://[1:2:3:4:5:6:7:8:9]/", NULL, NULL },
		{ "http://[1::2::3]/", NULL, NULL },
		{ "http://[::1.2.3]/", NULL, NULL },
		{ "http://[::01.2.3.4]/", NULL, NULL },
		{ "http://[::1%25en0]/", NULL, NULL },
		{ "http://[::1", NULL, NULL },
		{ "http://[::1]x/", NULL, NULL },
		{ "http://b\xc3\xbc"
		  "cher.example/",
		  NULL, "http://xn--bcher-kva.example/" },
		{ "http://XN--BCHER-KVA.example/", NULL,
		  "http://xn--bcher-kva.example/" },
		{ "http://fa\xc3\x9f.de/", NULL, "http://xn--fa-hia.de/" },
		{ "http://a\xe3\x80\x82"
		  "b/",
		  NULL, "http://a.b/" },
		{ "http://a\xc2\xad"
		  "b/",
		  NULL, "http://ab/" },
		{ "http://\xc2\xad/", NULL, NULL },
		{ "http://a\xe2\x80\xae"
		  "b/",
		  NULL, NULL },
		{ "http://xn--\xc3\xa4/", NULL, NULL },
		{ "http://\xef\xbc\x91\xef\xbc\x8e\xef\xbc\x92/", NULL,
		  "http://1.0.0.2/" },
		{ "http://a.b./", NULL, "http://a.b./" },
	};

	CHECK_ROWS(rows);
}

static void a_normal_url_is_not_copied(void)
{
	struct buf scratch = { 0 };
	struct str in = STR("https://www.example.com:8443/a/b.html?x=1&y=%20#top");
	struct url u;

	CHECK(url_parse(in, NULL, &scratch, &u, NULL) == ST_OK);
	CHECK(u.href.p == in.p && u.href.n == in.n && scratch.p == NULL);
	CHECK(str_eq(u.scheme, STR("https")) && u.scheme_kind == URL_HTTPS);
	CHECK(str_eq(u.host, STR("www.example.com")) && u.host_kind == HOST_DOMAIN);
	CHECK(str_eq(u.port, STR("8443")) && u.port_number == 8443);
	CHECK(str_eq(u.path, STR("/a/b.html")) && str_eq(u.query, STR("x=1&y=%20")));
	CHECK(u.has_query && u.has_fragment && str_eq(u.fragment, STR("top")));
	CHECK(str_eq(url_path_query(&u), STR("/a/b.html?x=1&y=%20")));
	CHECK(str_eq(url_authority(&u), STR("www.example.com:8443")));
	CHECK(str_eq(url_origin(&u, &scratch), STR("https://www.example.com:8443")));
	CHECK(str_eq(url_without_fragment(&u),
		     STR("https://www.example.com:8443/a/b.html?x=1&y=%20")));
}

static void a_copy_stands_on_its_own(void)
{
	struct buf scratch = { 0 };
	struct arena a = { 0 };
	struct url u, v;

	CHECK(url_parse(STR("HTTP://u:p@H:81/x?#"), NULL, &scratch, &u, NULL) == ST_OK);
	v = url_copy(&a, &u);
	memset(scratch.p, 'x', scratch.n);
	CHECK(str_eq(v.href, STR("http://u:p@h:81/x?#")) && str_eq(v.host, STR("h")));
	CHECK(str_eq(v.username, STR("u")) && str_eq(v.password, STR("p")));
	CHECK(v.has_query && v.query.n == 0 && v.has_fragment && v.fragment.n == 0);
	CHECK(str_eq(url_origin(&v, &scratch), STR("http://h:81")));
	CHECK(str_eq(url_path_query(&v), STR("/x?")));
	buf_release(&scratch);
	arena_release(&a);
}

static void same_origin_asks_scheme_host_and_port(void)
{
	struct buf s1 = { 0 }, s2 = { 0 };
	struct url a, b;

	CHECK(url_parse(STR("http://h:80/x"), NULL, &s1, &a, NULL) == ST_OK);
	CHECK(url_parse(STR("http://u@H/y"), NULL, &s2, &b, NULL) == ST_OK);
	CHECK(url_same_origin(&a, &b));
	CHECK(url_parse(STR("https://h/x"), NULL, &s2, &b, NULL) == ST_OK);
	CHECK(!url_same_origin(&a, &b));
	CHECK(url_parse(STR("file:///x"), NULL, &s2, &b, NULL) == ST_OK);
	CHECK(!url_same_origin(&b, &b) && url_origin(&b, &s1).n == 0);
	buf_release(&s1);
	buf_release(&s2);
}

static void an_endless_url_is_refused(void)
{
	static char endless[URL_MAX_BYTES + 1];
	struct buf scratch = { 0 };
	struct diag why;
	struct url u;

	memset(endless, 'a', sizeof(endless));
	memcpy(endless, "http://a/", 9);
	CHECK(url_parse((struct str){ endless, sizeof(endless) }, NULL, &scratch, &u,
			&why) == ST_TOO_LARGE);
	CHECK(url_parse((struct str){ endless, sizeof(endless) - 1 }, NULL, &scratch, &u,
			&why) == ST_OK);
}

static bool same_part(struct str a, const char *href_a, size_t from, size_t to)
{
	return a.p == href_a + from && a.n == to - from;
}

/* url_parse_whole() is the standard; url_parse() may be quicker, but never differ. */
static void the_fast_ways_equal_the_slow_one(void)
{
	static const char *const pieces[] = {
		"/", "a",   "b.html", "..",   ".",   "%2e", "?",  "q=1", "&",    "#",
		"f", ":",   "http:",  "//",   "\\",  "h",   "%",  "x y", "\t",   "~",
		"'", "1.2", ";s=1",   "/../", "/./", "%41", "{",  "|",   "\xc3", "80",
		"@", "[",   "^",      "-",    "_",   "C:",  "|/", "%2E", "..a",  "http://"
	};
	static const char *const bases[] = {
		"http://h/",          "https://h.org/a/b/c?d#e", "http://1.2.3.4:8/x",
		"http://u:p@h/a/",    "file:///C:/x/y",          "mailto:x",
		"http://h:81/a/../b/"
	};
	struct buf base_scratch = { 0 }, fast_scratch = { 0 }, slow = { 0 }, text = { 0 };
	struct rng r = { 7 };
	unsigned wrong = 0, fine = 0;

	for (unsigned round = 0; round < 200000; round++) {
		struct url base, u;
		struct url_parts at;
		struct diag why;

		buf_reset(&text);
		for (uint64_t n = 1 + rng_below(&r, 6); n > 0; n--)
			buf_add(&text, str_from(pieces[rng_below(&r, COUNT(pieces))]));
		CHECK(url_parse(str_from(bases[rng_below(&r, COUNT(bases))]), NULL,
				&base_scratch, &base, NULL) == ST_OK);
		struct str in = str_trim(buf_str(&text));
		buf_reset(&slow);
		enum status want = url_parse_whole(in, &base, &slow, &at, &why);
		enum status got = url_parse(in, &base, &fast_scratch, &u, &why);
		fine += want == ST_OK;
		wrong += (want == ST_OK) != (got == ST_OK);
		if (want != ST_OK || got != ST_OK)
			continue;
		const char *h = u.href.p;
		wrong += !str_eq(u.href, buf_str(&slow)) ||
			 !same_part(u.host, h, at.host_start, at.host_end) ||
			 !same_part(u.port, h, at.port_start, at.port_end) ||
			 !same_part(u.path, h, at.path_start, at.path_end) ||
			 !same_part(u.query, h, at.query_start, at.query_end) ||
			 u.has_query != at.has_query || u.host_kind != at.host_kind ||
			 u.has_fragment != at.has_fragment ||
			 u.port_number != at.port_number ||
			 u.scheme_kind != at.scheme_kind || u.scheme.n != at.scheme_end;
		if (wrong == 1)
			printf("# " STR_FMT " in " STR_FMT ": " STR_FMT " not " STR_FMT
			       "\n",
			       STR_ARG(in), STR_ARG(base.href), STR_ARG(u.href),
			       STR_ARG(buf_str(&slow)));
	}
	CHECK(wrong == 0 && fine > 100000);
	buf_release(&base_scratch);
	buf_release(&fast_scratch);
	buf_release(&slow);
	buf_release(&text);
}

int main(void)
{
	RUN(absolute_urls_become_normal);
	RUN(credentials_are_kept_encoded);
	RUN(relative_references_are_resolved);
	RUN(other_schemes_keep_their_opaque_parts);
	RUN(file_urls_know_drives_and_localhost);
	RUN(hosts_are_names_or_addresses);
	RUN(a_normal_url_is_not_copied);
	RUN(a_copy_stands_on_its_own);
	RUN(same_origin_asks_scheme_host_and_port);
	RUN(an_endless_url_is_refused);
	RUN(the_fast_ways_equal_the_slow_one);
	DONE();
}
