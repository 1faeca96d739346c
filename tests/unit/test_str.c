#include <string.h>

#include "base/str.h"
#include "test.h"

static void lines_are_taken_with_and_without_a_last_newline(void)
{
	struct str in = STR("a\n\nb"), line;

	CHECK(str_take_line(&in, &line) && str_eq(line, STR("a")));
	CHECK(str_take_line(&in, &line) && line.n == 0);
	CHECK(str_take_line(&in, &line) && str_eq(line, STR("b")));
	CHECK(!str_take_line(&in, &line));
}

static void a_number_past_the_maximum_consumes_nothing(void)
{
	struct str in = STR("256rest");
	uint64_t v = 7;

	CHECK(!str_take_uint(&in, 255, &v) && v == 7 && in.n == 7);
	CHECK(str_take_uint(&in, 256, &v) && v == 256 && str_eq(in, STR("rest")));
	in = STR("18446744073709551616");
	CHECK(!str_take_uint(&in, UINT64_MAX, &v));
	in = STR("18446744073709551615");
	CHECK(str_take_uint(&in, UINT64_MAX, &v) && v == UINT64_MAX);
	CHECK(!str_to_uint(STR("1x"), 9, &v) && !str_to_uint(STR(""), 9, &v));
}

static void slices_never_leave_the_string(void)
{
	struct str s = STR("abc");

	CHECK(str_eq(str_slice(s, 1, 99), STR("bc")));
	CHECK(str_slice(s, 5, 9).n == 0 && str_slice(s, 2, 1).n == 0);
	CHECK(str_skip((struct str){ 0 }, 3).n == 0);
}

/* Needles of all lengths about the bounds of the kernels, at every place, in text that
 * nearly matches everywhere. */
static void a_needle_is_found_wherever_it_stands(void)
{
	char hay[100], needle[40];

	for (size_t n = 1; n <= 20; n++) {
		memset(needle, 'a', n);
		needle[n - 1] = 'b';
		for (size_t at = 0; at + n <= sizeof(hay); at++) {
			memset(hay, 'a', sizeof(hay));
			hay[at + n - 1] = 'b';
			CHECK(str_find((struct str){ hay, sizeof(hay) },
				       (struct str){ needle, n }) == at);
			CHECK(str_find((struct str){ hay, at + n - 1 },
				       (struct str){ needle, n }) == STR_NONE);
		}
	}
}

static void finders_answer_none_where_nothing_is(void)
{
	CHECK(str_find_char(STR("a.b.c"), '.') == 1);
	CHECK(str_rfind_char(STR("a.b.c"), '.') == 3);
	CHECK(str_find_char((struct str){ 0 }, '.') == STR_NONE);
	CHECK(str_find(STR("needle in hay"), STR("in")) == 7);
	CHECK(str_find(STR("hay"), STR("needle")) == STR_NONE);
	CHECK(str_find(STR("hay"), STR("")) == 0);
}

static void case_is_ascii_only(void)
{
	CHECK(str_eq_nocase(STR("Content-TYPE"), STR("content-type")));
	CHECK(!str_eq_nocase(STR("\xc3\x84"), STR("\xc3\xa4")));
	CHECK(!str_eq_nocase(STR("["),
			     STR("{"))); /* differ in bit 0x20, are no letters */
	CHECK(str_starts_nocase(STR("HTTP/1.1"), STR("http")));
}

static void order_is_by_bytes_then_length(void)
{
	CHECK(str_cmp(STR("a"), STR("b")) < 0 && str_cmp(STR("ab"), STR("a")) > 0);
	CHECK(str_cmp(STR("\xff"), STR("a")) > 0); /* unsigned */
	CHECK(str_cmp((struct str){ 0 }, STR("")) == 0);
}

static void trimming_leaves_the_middle(void)
{
	CHECK(str_eq(str_trim(STR(" \t a b\r\n")), STR("a b")));
	CHECK(str_trim(STR(" \n ")).n == 0);
}

int main(void)
{
	RUN(lines_are_taken_with_and_without_a_last_newline);
	RUN(a_number_past_the_maximum_consumes_nothing);
	RUN(slices_never_leave_the_string);
	RUN(finders_answer_none_where_nothing_is);
	RUN(a_needle_is_found_wherever_it_stands);
	RUN(case_is_ascii_only);
	RUN(order_is_by_bytes_then_length);
	RUN(trimming_leaves_the_middle);
	DONE();
}
