#include "test.h"
#include "url/surt.h"

static void keys_sort_by_domain(void)
{
	static const struct {
		const char *url, *key;
	} rows[] = {
		{ "http://www.example.com/", "com,example)/" },
		{ "https://WWW2.Example.com", "com,example)/" },
		{ "http://a.b.example.co.uk:8080/X/", "uk,co,example,b,a:8080)/x" },
		{ "http://u:p@example.com/?", "com,example)/" },
		{ "http://example.com/goo/?b=2&a&b=1#f", "com,example)/goo?a&b=1&b=2" },
		{ "http://example.com/?a=2&a", "com,example)/?a&a=2" },
		{ "http://example.com/%7Euser%2541", "com,example)/~usera" },
		{ "http://example.com/%C5%82", "com,example)/%c5%82" },
		{ "http://example.com/a//b/%252e%252e/c", "com,example)/a/c" },
		{ "http://example.com/a%23b%25", "com,example)/a%23b%25" },
		{ "http://example.com/x?PHPSESSID=0123456789abcdefghijklemopqrstuv&a=b",
		  "com,example)/x?a=b" },
		{ "http://example.com/x?sid=12&a=b", "com,example)/x?a=b&sid=12" },
		{ "http://example.com/x?CFID=1&CFTOKEN=2", "com,example)/x" },
		{ "http://example.com/(S(4hqa0555fwsecu455xqckv45))/p/x.aspx",
		  "com,example)/p/x.aspx" },
		{ "http://example.com/(4hqa0555fwsecu455xqckv45)/x.aspx",
		  "com,example)/x.aspx" },
		{ "http://example.com/(S(4hqa0555fwsecu455xqckv45))/x.html",
		  "com,example)/(s(4hqa0555fwsecu455xqckv45))/x.html" },
		{ "http://192.168.1.254/info/", "254,1,168,192)/info" },
		{ "http://[::1]:81/", "[::1]:81)/" },
		{ "http://example.com./", "com,example)/" },
		{ "mailto:a@b#c", "mailto:a@b" },
		{ "dns:example.com", "dns:example.com" },
		{ "whois://whois.example.il/x.il", "il,example,whois)/x.il" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(buf_release) struct buf scratch = { 0 }, key = { 0 };
		struct url u;

		CHECK(url_parse(str_from(rows[i].url), NULL, &scratch, &u, NULL) ==
		      ST_OK);
		buf_add_surt(&key, &u);
		if (!str_eq(buf_str(&key), str_from(rows[i].key)))
			printf("# %s gave " STR_FMT "\n", rows[i].url,
			       STR_ARG(buf_str(&key)));
		CHECK(str_eq(buf_str(&key), str_from(rows[i].key)));
	}
}

int main(void)
{
	RUN(keys_sort_by_domain);
	DONE();
}
