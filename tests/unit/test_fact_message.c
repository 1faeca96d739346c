#include "pipeline/fact_message.h"

#include "pipeline/item.h"
#include "test.h"

static void fill(struct crawl_item *i)
{
	static struct str json[] = {
		{ "{\"@type\":\"BlogPosting\",\"headline\":\"H\","
		  "\"author\":\"Ann B\",\"datePublished\":\"2025-01-02\"}",
		  0 }
	};
	static struct discovery links[1];
	static struct link origin;
	static const struct link *origins[1];

	json[0].n = __builtin_strlen(json[0].p);
	i->step.task.url = STR("http://a.test/x|y");
	i->step.task.purpose = PURPOSE_REVISIT;
	i->change = CHANGE_SOME;
	i->round = 2;
	i->result.code = 200;
	i->result.start_ms = 1000;
	i->result.body_bytes = 77;
	i->mime = STR("text/html");
	i->has_page = true;
	i->page = (struct page){ .kind = PAGE_HTML,
				 .title = STR("Title"),
				 .lang = STR("en"),
				 .generator = STR("WordPress 6.4"),
				 .json_ld = json,
				 .n_json_ld = 1 };
	links[0].url = STR("http://b.test/");
	origin.text = STR("there");
	origins[0] = &origin;
	i->links = links;
	i->origins = origins;
	i->n_links = 1;
	i->has_verdict = true;
	i->verdict = (struct verdict){ .kind = VERDICT_NEAR,
				       .representative_url = STR("http://a.test/z") };
}

static void a_page_survives_its_bytes(void)
{
	struct crawl_item *i = item_new();
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct fact_message m;

	fill(i);
	fact_number_add(FACT_PAGE, 9, &b);
	fact_head_add(i, &b);
	fact_body_add(i, &b);
	CHECK(fact_message_decode(buf_str(&b), &a, &m) == ST_OK);
	CHECK(m.kind == FACT_PAGE && m.number == 9 && m.round == 2);
	CHECK(str_eq(m.page.url, STR("http://a.test/x%7Cy")));
	CHECK(str_eq(m.page.host, STR("http://a.test/")));
	CHECK(str_eq(m.page.application, STR("WordPress")) && m.page.status == 200);
	CHECK(str_eq(m.page.duplicate_of, STR("http://a.test/z")));
	CHECK(str_eq(m.page.change, STR("changed")) && m.page.fetched_ms == 1000);
	CHECK(str_starts(m.page.record, STR("urn:uuid:")));
	CHECK(m.page.n_links == 1 && str_eq(m.page.links[0].text, STR("there")));
	CHECK(m.n_objects == 1 && str_eq(m.objects[0].type, STR(SIOC "Post")));
	CHECK(str_eq(m.objects[0].creator, STR("http://a.test/#author-Ann%20B")));
	CHECK(str_eq(m.objects[0].iri, STR("http://a.test/x%7Cy#object-1")));
	CHECK(m.objects[0].created_ms > 1700000000000);
	/* Every cut is found out. */
	for (size_t n = 0; n < b.n; n++)
		CHECK(fact_message_decode((struct str){ b.p, n }, &a, &m) == ST_CORRUPT);
	i->links = NULL;
	buf_release(&b);
	arena_release(&a);
	item_free(i);
}

static void an_object_of_an_api_knows_the_page_it_stands_for(void)
{
	struct crawl_item *i = item_new();
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct fact_message m;

	i->step.task.url = STR("http://a.test/?rest_route=x");
	i->result.code = 200;
	i->objects = STR("{\"object\":\"post\",\"id\":\"5\",\"page_url\":"
			 "\"http://a.test/five/\",\"stands_for_page\":true,"
			 "\"text\":\"T\"}\n{\"object\":\"post\",\"id\":\"6\","
			 "\"page_url\":\"http://a.test/six/\",\"stands_for_page\":"
			 "false}\n");
	fact_number_add(FACT_PAGE, 1, &b);
	fact_head_add(i, &b);
	fact_body_add(i, &b);
	CHECK(fact_message_decode(buf_str(&b), &a, &m) == ST_OK && m.n_objects == 2);
	CHECK(str_eq(m.objects[0].iri, STR("http://a.test/five/#post-5")));
	CHECK(str_eq(m.objects[0].stands_for, STR("http://a.test/five/")));
	CHECK(m.objects[1].stands_for.n == 0);
	buf_release(&b);
	arena_release(&a);
	item_free(i);
}

static void rules_and_markers_too(void)
{
	struct fact_rule r = { STR("r1"), STR("drop sid"), 12 };
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct fact_message m;

	fact_number_add(FACT_RULE, 3, &b);
	fact_rule_add(&r, 1, &b);
	CHECK(fact_message_decode(buf_str(&b), &a, &m) == ST_OK && m.rule.skipped == 12);
	buf_reset(&b);
	fact_number_add(FACT_BEGUN, 300, &b);
	CHECK(fact_message_decode(buf_str(&b), &a, &m) == ST_OK && m.number == 300);
	b.p[0] = 9;
	CHECK(fact_message_decode(buf_str(&b), &a, &m) == ST_CORRUPT);
	buf_release(&b);
	arena_release(&a);
}

static void an_iri_holds_nothing_that_rdf_forbids(void)
{
	struct arena a = { 0 };

	CHECK(str_eq(iri_of_url(STR("http://a/?q={x}|^`\\\"<>"), &a),
		     STR("http://a/?q=%7Bx%7D%7C%5E%60%5C%22%3C%3E")));
	arena_release(&a);
}

int main(void)
{
	RUN(a_page_survives_its_bytes);
	RUN(an_object_of_an_api_knows_the_page_it_stands_for);
	RUN(rules_and_markers_too);
	RUN(an_iri_holds_nothing_that_rdf_forbids);
	DONE();
}
