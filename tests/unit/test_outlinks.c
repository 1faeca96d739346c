#include "pipeline/outlinks.h"

#include "pipeline/harvest.h"
#include "test.h"

static struct crawl_settings settings = { .embeds = true };

static struct crawl_item *page(const char *body)
{
	struct crawl_item *i = item_new();
	struct harvest h = { .settings = &settings };

	i->step.task.url = STR("http://a.test/x/");
	i->result.code = 200;
	i->result.header = STR("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
			       "Link: <http://c.test/>\r\n\r\n");
	i->result.body = str_from(body);
	harvest_head(i);
	harvest_item(&h, i);
	harvest_release(&h);
	return i;
}

static void lines_are_heritrix_s(void)
{
	struct crawl_item *i = page("<p>See <a href=/b?x=1>the b</a><img src=i.png>");
	struct buf b = { 0 };

	outlinks_add_lines(i, &b);
	CHECK(str_eq(buf_str(&b), STR("outlink: http://a.test/b?x=1 L a/@href\r\n"
				      "outlink: http://a.test/x/i.png E img/@src\r\n"
				      "outlink: http://c.test/ L =HEADER_MISC\r\n")));
	buf_release(&b);
	item_free(i);
}

static void json_has_words_and_places(void)
{
	struct crawl_item *i = page("<main><p>See <a rel=nofollow href=/b>the \"b\"</a> "
				    "there.</main>");
	struct buf b = { 0 };

	outlinks_keep(i, OUTLINKS_JSON, &b);
	CHECK(str_starts(i->outlinks,
			 STR("{\"url\":\"http://a.test/x/\",\"links\":[{\"url\":"
			     "\"http://a.test/b\",\"hop\":\"L\",\"element\":\"a/@href\","
			     "\"text\":\"the \\\"b\\\"\",\"around\":\"See the \\\"b\\\" "
			     "there.\",\"rel\":[\"nofollow\"],\"region\":[\"main\"],"
			     "\"path\":\"")));
	CHECK(str_starts(i->fields, STR("outlink: http://a.test/b L a/@href\r\n")));
	buf_release(&b);
	item_free(i);
}

static void what_robots_txt_says_is_kept_even_without_links(void)
{
	struct crawl_item *i = page("<p>none");
	struct buf b = { 0 };

	i->robots_line = STR("robots.txt line 2: Allow /x");
	i->content_signal = STR("ai-train=no");
	outlinks_keep(i, OUTLINKS_NO, &b);
	CHECK(str_eq(i->fields, STR("robotsLine: robots.txt line 2: Allow /x\r\n"
				    "contentSignal: ai-train=no\r\n")));
	CHECK(i->outlinks.n == 0);
	buf_release(&b);
	item_free(i);
}

/* A robots.txt names sitemaps, which stood on no page. */
static void links_without_a_page_have_no_place(void)
{
	struct crawl_item *i = item_new();
	struct discovery map = { .url = STR("http://a.test/map.xml"),
				 .hop = HOP_MANIFEST };
	struct buf b = { 0 };

	i->links = &map;
	i->n_links = 1;
	outlinks_keep(i, OUTLINKS_JSON, &b);
	CHECK(str_eq(i->fields,
		     STR("outlink: http://a.test/map.xml M =HEADER_MISC\r\n")));
	CHECK(str_find(i->outlinks, STR("\"text\"")) == STR_NONE);
	buf_release(&b);
	item_free(i);
}

int main(void)
{
	RUN(links_without_a_page_have_no_place);
	RUN(lines_are_heritrix_s);
	RUN(json_has_words_and_places);
	RUN(what_robots_txt_says_is_kept_even_without_links);
	DONE();
}
