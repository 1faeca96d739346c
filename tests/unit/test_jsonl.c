#include "corpus/jsonl.h"

#include "test.h"

static struct buf scratch;
static struct diag why;

static bool text_is(const char *line, const char *want)
{
	struct jsonl_want w = { .name = STR("text") };

	return jsonl_read(str_from(line), &w, 1, &scratch, &why) == ST_OK && w.found &&
	       str_eq(w.value, str_from(want));
}

static bool is_refused(const char *line)
{
	struct jsonl_want w = { .name = STR("text") };

	return jsonl_read(str_from(line), &w, 1, &scratch, &why) == ST_SYNTAX;
}

static void strings_are_found_among_other_members(void)
{
	CHECK(text_is("{\"text\":\"a b\"}", "a b"));
	CHECK(text_is(" { \"x\" : [1,{\"text\":\"no\"},\"]\"] , \"text\" : \"yes\" } ",
		      "yes"));
	CHECK(text_is("{\"n\":-1.5e3,\"t\":true,\"z\":null,\"text\":\"\"}", ""));
	CHECK(text_is("{\"text\":\"first\",\"text\":\"last\"}", "last"));
	CHECK(text_is("{\"s\":\"\\\\\\\"\",\"text\":\"ok\"}", "ok"));
}

static void escapes_are_undone(void)
{
	CHECK(text_is("{\"text\":\"a\\n\\t\\\"\\\\\\/b\"}", "a\n\t\"\\/b"));
	CHECK(text_is("{\"text\":\"\\u00e9\\u4e2d\\ud83d\\ude00\"}", "é中😀"));
	CHECK(text_is("{\"text\":\"\\ud83d!\"}", "\xef\xbf\xbd!"));
}

static void several_values_stay_where_they_are(void)
{
	struct jsonl_want w[] = { { .name = STR("a") },
				  { .name = STR("b") },
				  { .name = STR("n") } };

	CHECK(jsonl_read(STR("{\"a\":\"x\\ny\",\"b\":\"p\\tq\",\"n\": 12.5 }"), w, 3,
			 &scratch, &why) == ST_OK);
	CHECK(str_eq(w[0].value, STR("x\ny")) && str_eq(w[1].value, STR("p\tq")));
	CHECK(str_eq(w[2].value, STR("12.5")) && !w[2].is_string);
}

static void broken_lines_are_refused(void)
{
	CHECK(is_refused(""));
	CHECK(is_refused("[]"));
	CHECK(is_refused("{\"text\":\"open"));
	CHECK(is_refused("{\"text\":\"a\"} x"));
	CHECK(is_refused("{\"text\" \"a\"}"));
	CHECK(is_refused("{\"text\":\"\\q\"}"));
	CHECK(is_refused("{\"text\":\"\\u12\"}"));
	CHECK(is_refused("{\"x\":[1,2,\"text\":\"a\"}"));
	CHECK(is_refused("{\"x\":,\"text\":\"a\"}"));
}

int main(void)
{
	RUN(strings_are_found_among_other_members);
	RUN(escapes_are_undone);
	RUN(several_values_stay_where_they_are);
	RUN(broken_lines_are_refused);
	buf_release(&scratch);
	DONE();
}
