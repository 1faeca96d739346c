#include "test.h"
#include "url/idna.h"

#include "url/punycode.h"

/* NULL for failure. */
static const struct {
	const char *domain, *ascii;
} rows[] = {
	{ "b\xc3\xbc"
	  "cher.de",
	  "xn--bcher-kva.de" },
	{ "B\xc3\x9c"
	  "CHER.DE",
	  "xn--bcher-kva.de" },
	{ "bu\xcc\x88"
	  "cher.de",
	  "xn--bcher-kva.de" },
	{ "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e.jp", "xn--wgv71a119e.jp" },
	{ "fa\xc3\x9f.de", "xn--fa-hia.de" },
	{ "fa\xe1\xba\x9e.de", "xn--fa-hia.de" },
	{ "xn--fa-hia.de", "xn--fa-hia.de" },
	{ "\xe2\x98\x95.com", "xn--53h.com" },
	{ "a\xef\xbc\x8e"
	  "b\xef\xbd\xa1"
	  "c",
	  "a.b.c" },
	{ "a\xc2\xad"
	  "b",
	  "ab" },
	{ "a..b\xc3\xa4", "a..xn--b-0fa" },
	{ "-a-b--c-.\xc3\xa4", "-a-b--c-.xn--4ca" },
	/* a joiner after a virama, and without one */
	{ "\xe0\xb7\x81\xe0\xb7\x8a\xe2\x80\x8d\xe0\xb6\xbb\xe0\xb7\x93",
	  "xn--10cl1a0b660p" },
	{ "a\xe2\x80\x8d"
	  "b",
	  NULL },
	{ "a\xe2\x80\x8c"
	  "b",
	  NULL },
	{ "\xd9\x86\xd8\xa7\xd9\x85\xd9\x87\xe2\x80\x8c\xd8\xa7\xdb\x8c",
	  "xn--mgba3gch31f060k" },
	/* the bidi rule */
	{ "\xd7\x90.a\xd7\x90", NULL },
	{ "\xd7\x90"
	  "1\xd9\xa1",
	  NULL },
	{ "1.\xd7\x90", NULL },
	{ "a.\xd7\x90", "a.xn--4db" },
	/* a mark first, disallowed, unassigned, private */
	{ "\xcc\x88"
	  "a",
	  NULL },
	{ "a\xe2\x92\x88"
	  "com",
	  NULL },
	{ "a\xe2\x80\xae"
	  "b",
	  NULL },
	{ "\xee\x80\x80", NULL },
	/* Punycode that is none, of nothing, of ASCII, not normal */
	{ "xn--\xc3\xa4", NULL },
	{ "xn--0.pt", NULL },
	{ "xn--", NULL },
	{ "xn--ascii-", NULL },
	{ "xn--u-ccb", NULL },
	{ "xn--a-ecp.ru", NULL },
	{ "xn--xn---epa", NULL },
};

static void domains_become_ascii(void)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(buf_release) struct buf to = { 0 };
		struct diag why;
		enum status st;

		buf_add(&to, STR("before:"));
		st = idna_to_ascii(str_from(rows[i].domain), &to, &why);
		struct str added = str_skip(buf_str(&to), 7);

		if ((st == ST_OK) != (rows[i].ascii != NULL))
			printf("# %s gave %d " STR_FMT "\n", rows[i].domain, st,
			       STR_ARG(added));
		CHECK((st == ST_OK) == (rows[i].ascii != NULL));
		CHECK(str_eq(added, str_from(rows[i].ascii ? rows[i].ascii : "")));
	}
}

static void punycode_goes_both_ways(void)
{
	static const uint32_t label[] = { 0x4ed6, 0x4eec, 0x4e3a, 0x4ec0, 0x4e48,
					  0x4e0d, 0x8bf4, 0x4e2d, 0x6587 };
	cleanup(buf_release) struct buf to = { 0 };
	uint32_t back[16];
	size_t n;

	CHECK(punycode_encode(label, COUNT(label), &to) == ST_OK);
	CHECK(str_eq(buf_str(&to), STR("ihqwcrb4cv8a8dqg056pqjye")));
	CHECK(punycode_decode(buf_str(&to), back, COUNT(back), &n) == ST_OK && n == 9);
	for (size_t i = 0; i < n; i++)
		CHECK(back[i] == label[i]);
	CHECK(punycode_decode(buf_str(&to), back, 8, &n) == ST_TOO_LARGE);
	CHECK(punycode_decode(STR("99999999"), back, COUNT(back), &n) == ST_SYNTAX);
	CHECK(punycode_decode(STR("a-!"), back, COUNT(back), &n) == ST_SYNTAX);
}

int main(void)
{
	RUN(domains_become_ascii);
	RUN(punycode_goes_both_ways);
	DONE();
}
