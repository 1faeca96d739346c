#include <math.h>
#include <string.h>

#include "base/json.h"
#include "test.h"

static void what_is_written_is_read_back(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };
	struct json *v = NULL;

	json_open(&o, '{');
	json_put_str(&o, "text", STR("a \"b\" \\ \n\t\x01 \xc3\xa4"));
	json_put_uint(&o, "big", UINT64_MAX);
	json_put_double(&o, "third", 1.0 / 3);
	json_put_double(&o, "nan", NAN);
	json_key(&o, STR("list"));
	json_open(&o, '[');
	json_add_int(&o, -5);
	json_add_bool(&o, true);
	json_add_null(&o);
	json_close(&o, ']');
	json_close(&o, '}');
	CHECK(json_parse(buf_str(&b), &v, NULL) == ST_OK);
	CHECK(str_eq(json_str(json_get(v, "text")), STR("a \"b\" \\ \n\t\x01 \xc3\xa4")));
	CHECK(json_number(json_get(v, "third"), 0) == 1.0 / 3);
	CHECK(json_kind(json_get(v, "nan")) == JSON_NULL);
	const struct json *list = json_get(v, "list");
	CHECK(json_count(list) == 3 && json_number(json_first(list), 0) == -5);
	CHECK(json_bool(json_next(json_first(list)), false));
	CHECK(str_eq(json_name(list), STR("list")));
	json_release(&v);
}

/* Every byte of ASCII at every place of a text of forty. */
static void special_bytes_are_escaped_wherever_they_stand(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	char text[40];

	for (int c = 1; c < 0x80; c++)
		for (size_t at = 0; at < sizeof(text); at++) {
			struct json_out o = { .to = &b };
			bool special = c < 0x20 || c == '"' || c == '\\';

			memset(text, '~', sizeof(text));
			text[at] = (char)c;
			buf_reset(&b);
			json_add_str(&o, (struct str){ text, sizeof(text) });
			CHECK((b.n > sizeof(text) + 2) == special);
			CHECK(b.p[at + 1] == (special ? '\\' : (char)c));
		}
}

static void the_output_is_utf8_whatever_comes_in(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_add_str(&o, STR("x\xffy"));
	CHECK(str_eq(buf_str(&b), STR("\"x\xef\xbf\xbdy\"")));
}

static void an_error_names_line_and_column(void)
{
	struct json *v = NULL;
	struct diag why;

	CHECK(json_parse(STR("{\n \"a\": x}"), &v, &why) == ST_SYNTAX && !v);
	CHECK(strncmp(why.text, "line 2, column 7", 16) == 0);
	CHECK(json_parse(STR("{} trailing"), &v, &why) == ST_SYNTAX && !v);
	CHECK(json_parse(STR(""), &v, &why) == ST_SYNTAX && !v);
}

static void a_path_through_what_is_absent_is_harmless(void)
{
	struct json *v = NULL;

	CHECK(json_parse(STR("{\"a\":1}"), &v, NULL) == ST_OK);
	CHECK(!json_get(json_get(v, "b"), "c") && json_str(json_get(v, "a")).n == 0);
	CHECK(json_number(NULL, 7) == 7 && json_bool(json_get(v, "a"), true));
	CHECK(!json_first(json_get(v, "a")) && json_kind(NULL) == JSON_NONE);
	json_release(&v);
	json_release(&v);
}

int main(void)
{
	RUN(what_is_written_is_read_back);
	RUN(special_bytes_are_escaped_wherever_they_stand);
	RUN(the_output_is_utf8_whatever_comes_in);
	RUN(an_error_names_line_and_column);
	RUN(a_path_through_what_is_absent_is_harmless);
	DONE();
}
