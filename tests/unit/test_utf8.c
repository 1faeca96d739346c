#include <string.h>

#include "base/utf8.h"
#include "test.h"

static void every_code_point_survives(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		buf_reset(&b);
		buf_add_utf8(&b, cp);
		struct str s = buf_str(&b);
		CHECK(utf8_valid(s) && utf8_take(&s) == cp && s.n == 0);
	}
}

static void the_ill_formed_is_found_where_it_starts(void)
{
	static const struct {
		struct str text;
		size_t valid;
	} cases[] = {
		{ STR("abc\xff"), 3 },
		{ STR("\xc0\xaf"), 0 },             /* overlong slash */
		{ STR("12345678\xe0\x80\x80"), 8 }, /* overlong, after the fast path */
		{ STR("\xed\xa0\x80"), 0 },         /* surrogate */
		{ STR("\xf4\x90\x80\x80"), 0 },     /* past U+10FFFF */
		{ STR("\xe2\x82"), 0 },             /* cut */
		{ STR("a\x80"), 1 },                /* continuation alone */
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		CHECK(utf8_valid_prefix(cases[i].text) == cases[i].valid);
	CHECK(utf8_valid((struct str){ 0 }));
	/* A bad byte at every place of a text that is looked at in large steps. */
	for (size_t at = 0; at < 200; at++) {
		char text[200];

		memset(text, 'a', sizeof(text));
		text[at] = (char)0xff;
		CHECK(utf8_valid_prefix((struct str){ text, sizeof(text) }) == at);
	}
}

static void repair_replaces_maximal_subparts(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	/* Unicode 3.9, the table on U+FFFD substitution. */
	buf_add_utf8_repaired(&b, STR("\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63"));
	CHECK(str_eq(buf_str(&b), STR("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
				      "b\xef\xbf\xbd"
				      "c")));
}

int main(void)
{
	RUN(every_code_point_survives);
	RUN(the_ill_formed_is_found_where_it_starts);
	RUN(repair_replaces_maximal_subparts);
	DONE();
}
