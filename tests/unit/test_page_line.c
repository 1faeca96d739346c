/* What a module outside reads, and what may be understood of its answers. */
#include "focus/page_line.h"

#include "base/json.h"
#include "test.h"

static void a_page_is_one_line_with_its_links(void)
{
	cleanup(buf_release) struct buf line = { 0 };
	cleanup(json_release) struct json *root = NULL;
	struct page page = { .title = STR("A \"title\""),
			     .language = STR("en"),
			     .text = STR("some\ntext") };
	struct link where = { .text = STR("here"), .around = STR("click here now") };
	const struct link *origins[] = { &where, NULL };
	struct discovery links[] = {
		{ .url = STR("http://a/1"), .has_score = true, .score = 0.25f },
		{ .url = STR("http://a/2") },
	};
	struct diag why;

	page_line_format(&(struct page_line){ .id = 7,
					      .url = STR("http://a/"),
					      .code = 200,
					      .verdict = STR("new"),
					      .is_new = true,
					      .relevance = 0.5f,
					      .page = &page,
					      .links = links,
					      .origins = origins,
					      .n_links = 2 },
			 &line);
	struct str text = buf_str(&line);
	CHECK(str_find_char(text, '\n') == text.n - 1);
	CHECK(json_parse(text, &root, &why) == ST_OK);
	CHECK(json_number(json_get(root, "id"), 0) == 7);
	CHECK(str_eq(json_str(json_get(root, "title")), STR("A \"title\"")));
	CHECK(str_eq(json_str(json_get(root, "text")), STR("some\ntext")));
	const struct json *first = json_first(json_get(root, "links"));
	CHECK(json_count(json_get(root, "links")) == 2);
	CHECK(str_eq(json_str(json_get(first, "text")), STR("here")));
	CHECK(str_eq(json_str(json_get(first, "around")), STR("click here now")));
	CHECK(json_number(json_get(first, "score"), 0) == 0.25);
	CHECK(!json_get(json_next(first), "text"));
}

static enum status parse(struct str line, struct module_answer *ret)
{
	static struct arena a;
	struct diag why;

	arena_reset(&a);
	return module_answer_parse(line, &a, ret, &why);
}

static void a_link_has_its_own_score_or_that_of_the_document(void)
{
	struct module_answer m;

	CHECK(parse(STR("{\"id\":3,\"score\":0.5,\"links\":[null,0.25,-1]}"), &m) ==
	      ST_OK);
	CHECK(m.id == 3 && m.n_links == 3);
	CHECK(module_answer_of(&m, 0) == 0.5f);
	CHECK(module_answer_of(&m, 1) == 0.25f);
	CHECK(module_answer_of(&m, 2) == MODULE_VETO);
	CHECK(module_answer_of(&m, 3) == 0.5f);
	CHECK(parse(STR("{\"id\":3}"), &m) == ST_OK);
	CHECK(module_answer_of(&m, 0) == MODULE_SILENT);
}

static void what_is_no_answer_is_refused(void)
{
	static const char *const wrong[] = {
		"",
		"[]",
		"{\"score\":1}",
		"{\"id\":-1}",
		"{\"id\":1e300}",
		"{\"id\":1,\"score\":1.5}",
		"{\"id\":1,\"score\":-0.5}",
		"{\"id\":1,\"score\":\"high\"}",
		"{\"id\":1,\"links\":{}}",
		"{\"id\":1,\"links\":[0.5,true]}",
	};
	struct module_answer m;

	for (size_t k = 0; k < COUNT(wrong); k++)
		CHECK(parse(str_from(wrong[k]), &m) == ST_SYNTAX);
}

int main(void)
{
	RUN(a_page_is_one_line_with_its_links);
	RUN(a_link_has_its_own_score_or_that_of_the_document);
	RUN(what_is_no_answer_is_refused);
	DONE();
}
