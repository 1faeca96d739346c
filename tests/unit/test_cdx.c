#include "archive/cdx.h"

#include "archive/cdx_read.h"

#include "test.h"

/* Keys as the field's own library makes them. */
static const struct {
	const char *url, *key;
} keys[] = {
	{ "https://example.org", "org,example)/" },
	{ "https://example.org/?", "org,example)/" },
	{ "http://www.Example.org:80/a/../b/./C%20d/"
	  "?B=2&a=1&sid=0123456789abcdef0123456789abcdef",
	  "org,example)/b/c%20d?&a=1&b=2" },
	{ "https://example.org:8443/x/", "org,example:8443)/x" },
	{ "http://example.org/a//b", "org,example)/a/b" },
	{ "http://192.168.0.1/x", "1,0,168,192)/x" },
	{ "http://[::1]:80/x", "::1)/x" },
	{ "dns:www.example.org", "dns:www.example.org" },
	{ "urn:uuid:abc", "urn:uuid:abc" },
	{ "mailto:x@y", "mailto:x@y" },
	{ "http://example.org/%E4%B8%AD", "org,example)/%e4%b8%ad" },
	{ "http://example.org/a%2Fb%3Fc", "org,example)/a/b?c" },
	{ "http://user:pw@example.org/x#frag", "org,example)/x" },
	{ "http://example.org/x;jsessionid=0123456789abcdef0123456789abcdef",
	  "org,example)/x;jsessionid=0123456789abcdef0123456789abcdef" },
	{ "http://example.org/x?a=b&&c", "org,example)/x?&a=b&c" },
	{ "http://example.org/..", "org,example)/.." },
	{ "http://example.org/../x", "org,example)/../x" },
	{ "http://example.org/?=x&a", "org,example)/?=x&a" },
	{ "http://www2.example.org/", "org,example)/" },
	{ "http://www.com/", "com)/" },
	{ "http://2130706433/", "1,0,0,127)/" },
	{ "http://1.2.3/", "3,0,2,1)/" },
	{ "http://example.org./", "org,example)/" },
	{ "http://EXAMPLE.org/x?A=%41%2541", "org,example)/x?a=aa" },
	{ "http://example.org/x?a b", "org,example)/x?a%20b" },
	{ "http://example.org/%", "org,example)/%25" },
	{ "http://example.org/a%zz", "org,example)/a%25zz" },
	{ "https://example.org:80/", "org,example:80)/" },
	{ "http://b\xc3\xbc"
	  "cher.example/\xc3\xbc?\xc3\xbc=\xc3\xbc",
	  "example,xn--bcher-kva)/%c3%bc?%c3%bc=%c3%bc" },
	{ "http://example.org/(a(0123456789abcdef01234567))/x.aspx",
	  "org,example)/x.aspx" },
	{ "http://example.org/(0123456789abcdef01234567)/x.aspx", "org,example)/x.aspx" },
	{ "ftp://example.org/x", "org,example)/x" },
	{ "http://example.org/x?jsessionid=0123456789abcdef0123456789abcdef&b=1",
	  "org,example)/x?b=1" },
	{ "http://example.org/x?b=1&cfid=1&cftoken=2", "org,example)/x?&b=1" },
	{ "http://example.org/x?%26=1", "org,example)/x?&=1" },
	{ "http://example.org/a?x?y", "org,example)/a?x?y" },
	{ "http://example.org/a/b/../", "org,example)/a" },
	{ "http://example.org/a/.", "org,example)/a" },
	{ "http://example.org/a/b/..", "org,example)/a" },
	{ "HTTP://example.org/", "org,example)/" },
	{ "http://example.org:/", "org,example)/" },
	{ "http://example.org/?&", "org,example)/?&" },
	{ "http://example.org/?a=&a&a=1", "org,example)/?a&a=&a=1" },
};

static void keys_are_those_of_the_field(void)
{
	struct buf b = { 0 };
	bool all = true;

	for (size_t i = 0; i < COUNT(keys); i++) {
		buf_reset(&b);
		cdx_add_key(&b, str_from(keys[i].url));
		bool same = str_eq(buf_str(&b), str_from(keys[i].key));
		if (!same)
			printf("# %s: want %s, got " STR_FMT "\n", keys[i].url,
			       keys[i].key, STR_ARG(buf_str(&b)));
		all &= same;
	}
	buf_release(&b);
	CHECK(all);
}

static void many_parameters_are_sorted(void)
{
	struct buf url = { 0 }, key = { 0 };

	buf_add(&url, STR("http://e.org/?"));
	for (int i = 99; i >= 0; i--)
		buf_addf(&url, "p%02d=%d%s", i, i, i ? "&" : "");
	cdx_add_key(&key, buf_str(&url));
	CHECK(str_starts(buf_str(&key), STR("org,e)/?p00=0&p01=1&p02=2&")));
	CHECK(str_ends(buf_str(&key), STR("&p98=98&p99=99")));
	buf_release(&url);
	buf_release(&key);
}

static void a_line_is_plain_ascii_json(void)
{
	struct buf b = { 0 };

	cdx_add_head(&b, &(struct cdx_entry){
				 .url = STR("http://e.org/\"\xc3\xa9\xf0\x9f\x98\x80"),
				 .date = STR("2026-11-15T03:35:30.123Z"),
				 .mime = cdx_mime(STR(" text/html; charset=x")),
				 .status = STR("200") });
	cdx_add_place(&b, 12, 345, STR("x.warc.gz"));
	CHECK(str_eq(buf_str(&b),
		     STR("org,e)/\"%c3%a9%f0%9f%98%80 20261115033530 {\"url\": "
			 "\"http://e.org/\\\"\\u00e9\\ud83d\\ude00\", \"mime\": "
			 "\"text/html\", "
			 "\"status\": \"200\", \"length\": \"12\", \"offset\": \"345\", "
			 "\"filename\": \"x.warc.gz\"}\n")));
	buf_release(&b);
}

static void lines_of_other_writers_are_read(void)
{
	struct buf scratch = { 0 };
	struct cdx_line l;

	CHECK(cdx_line_parse(
		      STR("org,e)/ 20261115033530 {\"offset\": 12, "
			  "\"x\":{\"y\":[1,\"}\"]}, "
			  "\"url\": \"http://e.org/\\u00e9\\ud83d\\ude00\\\"\", "
			  "\"length\":\"3\",\"mime\": \"a\\/b\",\"filename\": \"f\"}"),
		      &scratch, &l) == ST_OK);
	CHECK(str_eq(l.key, STR("org,e)/")) && str_eq(l.time, STR("20261115033530")));
	CHECK(str_eq(l.url, STR("http://e.org/\xc3\xa9\xf0\x9f\x98\x80\"")));
	CHECK(l.offset == 12 && l.length == 3 && str_eq(l.mime, STR("a/b")));
	CHECK(str_eq(l.filename, STR("f")) && l.status.n == 0);
	CHECK(cdx_line_parse(STR("org,e)/ 1 {}"), &scratch, &l) == ST_OK && l.url.n == 0);
	static const char *const bad[] = { "",
					   "a",
					   "a b",
					   "a b {",
					   "a b {\"x\"}",
					   "a b {\"x\":}",
					   "a b {\"x\": \"y}",
					   "a b {\"x\":1,}",
					   "a b {} c",
					   "a b {\"x\": \"\\q\"}",
					   "a b {\"x\": \"\\u12\"}" };
	for (size_t i = 0; i < COUNT(bad); i++)
		CHECK(cdx_line_parse(str_from(bad[i]), &scratch, &l) == ST_SYNTAX);
	buf_release(&scratch);
}

static void a_key_is_found_among_sorted_lines(void)
{
	struct buf b = { 0 };
	char key[32];

	for (int i = 0; i < 300; i++)
		for (int k = 0; k <= i % 3; k++)
			buf_addf(&b, "org,e)/%03d 2026%d {}\n", i, k);
	for (int i = 0; i < 300; i++) {
		int n = snprintf(key, sizeof(key), "org,e)/%03d", i);
		struct str found = cdx_find(buf_str(&b), (struct str){ key, (size_t)n });
		CHECK(found.n == (size_t)(20 * (i % 3 + 1)) &&
		      str_starts(found, str_from(key)));
	}
	CHECK(cdx_find(buf_str(&b), STR("org,e)/30")).n == 0);
	CHECK(cdx_find(buf_str(&b), STR("org,e)/0")).n == 0);
	CHECK(cdx_find(buf_str(&b), STR("a")).n == 0 &&
	      cdx_find(buf_str(&b), STR("z")).n == 0);
	CHECK(cdx_find(STR(""), STR("a")).n == 0);
	buf_release(&b);
}

int main(void)
{
	RUN(lines_of_other_writers_are_read);
	RUN(a_key_is_found_among_sorted_lines);
	RUN(keys_are_those_of_the_field);
	RUN(many_parameters_are_sorted);
	RUN(a_line_is_plain_ascii_json);
	DONE();
}
