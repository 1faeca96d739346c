#include "test.h"
#include "web/charset.h"

#include <string.h>

static bool is_named(const struct charset *c, const char *name)
{
	const char *got = c ? charset_name(c) : "nothing";

	if (strcmp(got, name) != 0)
		printf("# got %s, not %s\n", got, name);
	return strcmp(got, name) == 0;
}

static void labels_name_encodings(void)
{
	static const struct {
		const char *label, *name;
	} rows[] = {
		{ "utf-8", "UTF-8" },
		{ " UTF8\n", "UTF-8" },
		{ "iso-8859-1", "windows-1252" },
		{ "us-ascii", "windows-1252" },
		{ "Latin1", "windows-1252" },
		{ "iso-8859-9", "windows-1254" },
		{ "tis-620", "windows-874" },
		{ "gb2312", "GBK" },
		{ "x-sjis", "Shift_JIS" },
		{ "ks_c_5601-1987", "EUC-KR" },
		{ "koi", "KOI8-R" },
		{ "unicode", "UTF-16LE" },
		{ "hz-gb-2312", "replacement" },
		{ "logical", "ISO-8859-8-I" },
		{ "iso_8859-6:1987", "ISO-8859-6" },
		{ "utf-7", "nothing" },
		{ "", "nothing" },
		{ "utf-8 utf8", "nothing" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		CHECK(is_named(charset_find(str_from(rows[i].label)), rows[i].name));
}

static void meta_elements_are_found(void)
{
	static const struct {
		const char *html, *name;
	} rows[] = {
		{ "<meta charset=koi8-r>", "KOI8-R" },
		{ "<META\nCharset = 'KOI8-R' />", "KOI8-R" },
		{ "<meta/charset=\"koi8-r\">", "KOI8-R" },
		{ "<html><head><title>x</title><meta charset=koi8-r>", "KOI8-R" },
		{ "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
		  "KOI8-R" },
		{ "<meta content='x; Charset = \"koi8-r\"' http-equiv=content-type>",
		  "KOI8-R" },
		{ "<meta content='text/html; charset=koi8-r'>", "nothing" },
		{ "<meta http-equiv=refresh content='0; charset=koi8-r'>", "nothing" },
		{ "<!-- <meta charset=koi8-r> --><meta charset=big5>", "Big5" },
		{ "<!--><meta charset=big5>", "Big5" },
		{ "<a title='<meta charset=koi8-r>'><meta charset=big5>", "Big5" },
		{ "</a title='>'><meta charset=big5>", "Big5" },
		{ "<?x > <! y > </ ><meta charset=big5>", "Big5" },
		{ "<metacharset=koi8-r>", "nothing" },
		{ "<meta charset=utf-16>", "UTF-8" },
		{ "<meta charset=x-user-defined>", "windows-1252" },
		{ "<meta charset=nonsense><meta charset=big5>", "Big5" },
		{ "<meta charset='koi8-r", "nothing" },
		{ "<meta charset", "nothing" },
		{ "x < y <meta charset=big5>", "Big5" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		CHECK(is_named(charset_prescan(str_from(rows[i].html)), rows[i].name));
	CHECK(is_named(charset_from_xml(STR("<?xml version=\"1.0\" encoding='koi8-r'?>")),
		       "KOI8-R"));
	CHECK(charset_from_xml(STR("<?xml version=\"1.0\"?><a encoding='koi8-r'>")) ==
	      NULL);
}

static void only_the_first_kilobyte_is_looked_at(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	while (b.n < 1000)
		buf_add_char(&b, ' ');
	buf_add(&b, STR("<meta charset=big5>"));
	CHECK(is_named(charset_prescan(buf_str(&b)), "Big5"));
	buf_reset(&b);
	while (b.n < 1010)
		buf_add_char(&b, ' ');
	buf_add(&b, STR("<meta charset=big5>"));
	CHECK(charset_prescan(buf_str(&b)) == NULL);
}

static void the_most_reliable_source_wins(void)
{
	enum charset_source s;

	CHECK(is_named(charset_detect(STR("\xef\xbb\xbfx"), STR("koi8-r"), &s),
		       "UTF-8") &&
	      s == CHARSET_FROM_BOM);
	CHECK(is_named(charset_detect(STR("<meta charset=big5>"), STR("koi8-r"), &s),
		       "KOI8-R") &&
	      s == CHARSET_FROM_HTTP);
	CHECK(is_named(charset_detect(STR("<meta charset=big5>"), STR("nonsense"), &s),
		       "Big5") &&
	      s == CHARSET_FROM_META);
	CHECK(is_named(charset_detect(STR("gr\xc3\xbc\xc3\x9f"), STR(""), &s), "UTF-8") &&
	      s == CHARSET_FROM_UTF8);
	CHECK(is_named(charset_detect(STR("plain"), STR(""), &s), "UTF-8"));
	/* Russian in windows-1251: only guessing can tell */
	CHECK(is_named(charset_detect(
			       STR("\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea "
				   "\xe4\xe5\xeb\xe0? "
				   "\xdd\xf2\xee \xf2\xe5\xea\xf1\xf2 \xed\xe0 "
				   "\xf0\xf3\xf1\xf1\xea\xee\xec \xff\xe7\xfb\xea\xe5."),
			       STR(""), &s),
		       "windows-1251") &&
	      s == CHARSET_FROM_GUESS);
}

static bool converts(const char *label, struct str bytes, const char *text)
{
	cleanup(buf_release) struct buf b = { 0 };

	charset_to_utf8(charset_find(str_from(label)), bytes, &b);
	if (!str_eq(buf_str(&b), str_from(text)))
		printf("# %s gave " STR_FMT "\n", label, STR_ARG(buf_str(&b)));
	return str_eq(buf_str(&b), str_from(text));
}

static void bytes_become_utf8(void)
{
	CHECK(converts("utf-8", STR("\xef\xbb\xbf\xc3\xa4\xff"), "\xc3\xa4\xef\xbf\xbd"));
	CHECK(converts("latin1", STR("a\xe4\x80\x81z"),
		       "a\xc3\xa4\xe2\x82\xac\xc2\x81z"));
	CHECK(converts("koi8-r", STR("\xf0\xd2\xc9"), "\xd0\x9f\xd1\x80\xd0\xb8"));
	CHECK(converts("shift_jis", STR("a\x93\xfa\x96\x7b"),
		       "a\xe6\x97\xa5\xe6\x9c\xac"));
	CHECK(converts("shift_jis", STR("\x93"), "\xef\xbf\xbd"));
	CHECK(converts("euc-kr", STR("\xc7\xd1\xff"), "\xed\x95\x9c\xef\xbf\xbd"));
	CHECK(converts("gb2312", STR("\xd6\xd0\xce\xc4"), "\xe4\xb8\xad\xe6\x96\x87"));
	CHECK(converts("big5", STR("\xa4\xa4"), "\xe4\xb8\xad"));
	CHECK(converts("iso-2022-jp", STR("a\x1b$BF|\x1b(Bb"),
		       "a\xe6\x97\xa5"
		       "b"));
	CHECK(converts("utf-16le",
		       STR("\xff\xfe"
			   "a\0\x3d\xd8\x00\xde\0\xd8"
			   "b\0"),
		       "a\xf0\x9f\x98\x80\xef\xbf\xbd"
		       "b"));
	CHECK(converts("utf-16be", STR("\0a\0"), "a\xef\xbf\xbd"));
	CHECK(converts("x-user-defined", STR("a\xff"), "a\xef\x9f\xbf"));
	CHECK(converts("hz-gb-2312", STR("~{<:Ky~}"), "\xef\xbf\xbd"));
	CHECK(converts("hz-gb-2312", STR(""), ""));
	CHECK(converts("iso-8859-8", STR("\xe0\xbf"), "\xd7\x90\xef\xbf\xbd"));
}

static void every_encoding_has_a_converter(void)
{
	static const char *const labels[] = {
		"ibm866",       "iso-8859-2",   "iso-8859-3",   "iso-8859-4",
		"iso-8859-5",   "iso-8859-6",   "iso-8859-7",   "iso-8859-8",
		"iso-8859-8-i", "iso-8859-10",  "iso-8859-13",  "iso-8859-14",
		"iso-8859-15",  "iso-8859-16",  "koi8-r",       "koi8-u",
		"macintosh",    "windows-874",  "windows-1250", "windows-1251",
		"windows-1252", "windows-1253", "windows-1254", "windows-1255",
		"windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic",
		"gbk",          "gb18030",      "big5",         "euc-jp",
		"iso-2022-jp",  "shift_jis",    "euc-kr",
	};

	for (size_t i = 0; i < COUNT(labels); i++)
		CHECK(converts(labels[i], STR("\x1b(Bok"), "\x1b(Bok") ||
		      converts(labels[i], STR("\x1b(Bok"), "ok"));
}

static void the_limit_holds(void)
{
	cleanup(buf_release) struct buf b = BUF(10);

	charset_to_utf8(charset_find(STR("latin1")),
			STR("\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4\xe4"), &b);
	CHECK(buf_status(&b) == ST_TOO_LARGE && b.n <= 10);
}

static void queries_go_back_into_the_encoding_of_the_page(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	charset_from_utf8(charset_find(STR("windows-1251")),
			  STR("\xd0\x9f=\xe6\x97\xa5&x"), &b);
	CHECK(str_eq(buf_str(&b), STR("\xcf=&#26085;&x")));
	buf_reset(&b);
	charset_from_utf8(charset_find(STR("utf-16le")), STR("\xd0\x9f"), &b);
	CHECK(str_eq(buf_str(&b), STR("\xd0\x9f")));
	buf_reset(&b);
	CHECK(charset_encode_query(charset_find(STR("windows-1251")),
				   STR("/\xd0\x9f?a=\xd0\x9f&b=\xe6\x97\xa5#\xd0\x9f"),
				   &b));
	CHECK(str_eq(buf_str(&b), STR("/\xd0\x9f?a=%CF&b=%26%2326085%3B#\xd0\x9f")));
	CHECK(!charset_encode_query(charset_find(STR("big5")),
				    STR("/\xd0\x9f?a#\xd0\x9f"), &b));
	CHECK(!charset_encode_query(charset_utf8(), STR("?\xd0\x9f"), &b));
}

int main(void)
{
	RUN(labels_name_encodings);
	RUN(meta_elements_are_found);
	RUN(only_the_first_kilobyte_is_looked_at);
	RUN(the_most_reliable_source_wins);
	RUN(bytes_become_utf8);
	RUN(every_encoding_has_a_converter);
	RUN(the_limit_holds);
	RUN(queries_go_back_into_the_encoding_of_the_page);
	DONE();
}
