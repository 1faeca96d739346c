#include "observe/named.h"
#include "test.h"

static bool has(const struct str_list *l, const char *s)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i], str_from(s)))
			return true;
	return false;
}

static void scripts_name_addresses_in_strings_and_comments(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list l = { 0 };

	named_in_text(STR("// see http://a.org/manual.\nfetch('/api/pets');var x = \"no "
			  "address\";var u=`https://a.org/b`;"),
		      false, &a, &l);
	CHECK(has(&l, "http://a.org/manual"));
	CHECK(has(&l, "https://a.org/b"));
	CHECK(has(&l, "/api/pets"));
	CHECK(l.n == 3);
}

static void style_sheets_name_fonts_and_pictures_but_no_data(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list l = { 0 };

	named_in_text(
		STR("@font-face{src:url(f/a.found)} b{background:url(\"data:,x\")}"),
		true, &a, &l);
	CHECK(has(&l, "f/a.found"));
	CHECK(l.n == 1);
}

static void answers_name_addresses_in_three_fields(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list l = { 0 };

	named_in_fields(STR("link: </one>; rel=preload, <two>\nrefresh: 9; url=/three\n"
			    "content-location: /four\nserver: /five\n"),
			&a, &l);
	CHECK(has(&l, "/one") && has(&l, "two") && has(&l, "/three") && has(&l, "/four"));
	CHECK(l.n == 4);
}

static void a_file_names_so_many_at_most(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list l = { 0 };
	cleanup(buf_release) struct buf b = { 0 };

	for (int i = 0; i < 1000; i++)
		buf_addf(&b, "'/path/%d.html';", i);
	named_in_text(buf_str(&b), false, &a, &l);
	CHECK(l.n == NAMED_PER_FILE_MAX);
}

int main(void)
{
	RUN(scripts_name_addresses_in_strings_and_comments);
	RUN(style_sheets_name_fonts_and_pictures_but_no_data);
	RUN(answers_name_addresses_in_three_fields);
	RUN(a_file_names_so_many_at_most);
	DONE();
}
