#include "page/json_ld.h"

#include "base/buf.h"
#include "test.h"

static struct ld_object v[LD_OBJECTS_MAX];
static struct arena a;

static size_t take(const char *json)
{
	arena_reset(&a);
	return json_ld_read(str_from(json), &a, v, 0);
}

static void a_posting_tells_who_and_when(void)
{
	CHECK(take("{\"@context\":\"https://schema.org\",\"@type\":\"BlogPosting\","
		   "\"@id\":\"/p/"
		   "1\",\"headline\":\"Hello\",\"datePublished\":\"2025-01-02\","
		   "\"author\":{\"@type\":\"Person\",\"name\":\"Ann\",\"url\":\"/u/"
		   "ann\"}}") == 1);
	CHECK(str_eq(v[0].type, STR("BlogPosting")) && str_eq(v[0].id, STR("/p/1")));
	CHECK(str_eq(v[0].name, STR("Hello")) && str_eq(v[0].date, STR("2025-01-02")));
	CHECK(str_eq(v[0].author_name, STR("Ann")) &&
	      str_eq(v[0].author_url, STR("/u/ann")));
}

static void graphs_lists_and_nested_objects_are_walked(void)
{
	CHECK(take("{\"@graph\":[{\"@type\":\"https://schema.org/"
		   "Article\",\"name\":\"x\","
		   "\"author\":\"Bob\",\"comment\":[{\"@type\":\"Comment\",\"text\":"
		   "\"c\"}]},"
		   "{\"@type\":[\"schema:Person\",\"Thing\"]}]}") == 3);
	CHECK(str_eq(v[0].type, STR("Article")) && str_eq(v[0].author_name, STR("Bob")));
	CHECK(str_eq(v[1].type, STR("Comment")) && str_eq(v[1].text, STR("c")));
	CHECK(str_eq(v[2].type, STR("Person")));
}

static void what_is_broken_or_has_no_type_gives_nothing(void)
{
	CHECK(take("{\"@type\":") == 0);
	CHECK(take("{\"name\":\"x\"}") == 0);
	CHECK(take("7") == 0);
	CHECK(take("") == 0);
}

static void there_is_an_end_to_it(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_char(&b, '[');
	for (int i = 0; i < 500; i++)
		buf_add(&b, STR("{\"@type\":\"A\"},"));
	buf_add(&b, STR("0]"));
	arena_reset(&a);
	CHECK(json_ld_read(buf_str(&b), &a, v, 0) == LD_OBJECTS_MAX);
}

int main(void)
{
	RUN(a_posting_tells_who_and_when);
	RUN(graphs_lists_and_nested_objects_are_walked);
	RUN(what_is_broken_or_has_no_type_gives_nothing);
	RUN(there_is_an_end_to_it);
	arena_release(&a);
	DONE();
}
