#include "siteapi/siteapi.h"

#include <stdlib.h>

#include "service/filter.h"
#include "siteapi/request.h"
#include "test.h"

static struct site_services *services;
static struct arena a;
static struct site_answer last;

static size_t service_nr(const char *application)
{
	for (size_t k = 0; k < site_services_n(services); k++)
		if (str_eq(site_application(services, k), str_from(application)))
			return k;
	abort();
}

static struct str first(const char *application, const char *page, const char *link)
{
	struct str url;

	return site_first_request(services, service_nr(application), str_from(page),
				  str_from(link), &a, &url)
		       ? url
		       : STR("");
}

static bool answer(struct str url, const char *fields, const char *body)
{
	cleanup(buf_release) struct buf head = { 0 };

	buf_addf(&head, "HTTP/1.1 200 OK\r\n%s\r\n", fields);
	return site_read(services,
			 &(struct site_response){ .code = 200,
						  .url = url,
						  .head = arena_copy(&a, buf_str(&head)),
						  .body = str_from(body) },
			 &a, &last) == ST_OK;
}

static bool has(struct str url, const char *part)
{
	return str_find(url, str_from(part)) != STR_NONE;
}

static void the_api_is_found_by_a_link_on_the_own_server_only(void)
{
	CHECK(has(first("wordpress", "http://b.test/blog/x/",
			"http://b.test/blog/wp-json/"),
		  "http://b.test/blog/?rest_route="));
	CHECK(first("wordpress", "http://b.test/", "http://other.test/wp-json/").n == 0);
	CHECK(first("wordpress", "http://b.test/", "http://b.test/about/").n == 0);
	CHECK(has(first("mediawiki", "http://w.test/wiki/A",
			"http://w.test/w/api.php?action=rsd"),
		  "http://w.test/w/api.php?action=query"));
	CHECK(has(first("mastodon", "https://m.test/@a", "https://elsewhere.test/"),
		  "https://m.test/api/v1/timelines/public?limit=40&local=true"));
	CHECK(str_eq(first("discourse", "https://d.test/t/x/1", "https://d.test/"),
		     STR("https://d.test/posts.json")));
}

/* Nothing has to be remembered: not even over a kill. */
static void every_request_says_all_of_itself(void)
{
	static const char *const states[PAGE_KINDS] = {
		[PAGE_SINGLE] = "",  [PAGE_CURSOR] = "12 3",
		[PAGE_NUMBER] = "7", [PAGE_OFFSET] = "40",
		[PAGE_LINK] = "",    [PAGE_CONTINUE] = "gapcontinue=A%26b&continue=x%7C",
		[PAGE_STREAM] = "",
	};

	for (size_t k = 0; k < services->n; k++)
		for (size_t l = 0; l < services->v[k]->site.n_lists; l++)
			for (int later = 0; later < 2; later++) {
				struct site_request q = { services->v[k], l,
							  STR("https://s.test/in"),
							  STR("") },
						    found;
				struct str url, again;
				enum page_kind kind = site_interaction(&q)->paginate.kind;

				if (later)
					q.page = str_from(states[kind]);
				CHECK(site_request_format(&q, &a, &url));
				CHECK(site_request_parse(services, url, &a, &found));
				CHECK(found.service == q.service && found.list == l);
				CHECK(str_eq(found.instance, q.instance));
				CHECK(site_request_format(&found, &a, &again));
				CHECK(str_eq(url, again));
			}
	struct site_request q;
	CHECK(!site_request_parse(services, STR("https://s.test/"), &a, &q));
	CHECK(!site_request_parse(services, STR("https://s.test/posts.json.html"), &a,
				  &q));
}

static void lists_follow_each_other_to_the_end(void)
{
	struct str url = first("wordpress", "http://b.test/", "http://b.test/wp-json/");

	CHECK(answer(
		url, "X-WP-TotalPages: 3\r\n",
		"[{\"id\":5,\"link\":\"http://b.test/five/\",\"title\":{\"rendered\":"
		"\"Five\"},\"content\":{\"rendered\":\"<p>Text</p>\",\"protected\":"
		"false},\"date_gmt\":\"2026-01-01T00:00:00\"}]"));
	CHECK(last.end == SITE_GOES_ON && last.n == 1 && last.v[0].is_whole);
	CHECK(str_eq(last.v[0].pages[0], STR("http://b.test/five/")));
	CHECK(str_eq(last.v[0].id, STR("5")) && str_eq(last.v[0].name, STR("Five")));
	CHECK(str_eq(last.v[0].html, STR("<p>Text</p>")));
	CHECK(last.list_left == 2 && last.lists_left == 4);
	CHECK(has(last.next, "posts") && has(last.next, "page=2"));
	for (int k = 0; k < 4; k++) {
		url = last.next;
		CHECK(answer(url, "X-WP-TotalPages: 2\r\n", "[]"));
		CHECK(last.end == SITE_GOES_ON && last.list_left == 0);
	}
	CHECK(has(last.next, "tags"));
	url = last.next;
	CHECK(answer(url, "", "[]") && last.end == SITE_DONE);
}

static void an_object_stands_for_a_page_only_with_all_it_shows(void)
{
	struct str url = first("wordpress", "http://b.test/", "http://b.test/wp-json/");

	CHECK(answer(
		url, "",
		"[{\"id\":1,\"link\":\"http://b.test/1/\",\"content\":{\"rendered\":"
		"\"a<!--nextpage-->b\"}},{\"id\":2,\"link\":\"http://b.test/2/\","
		"\"content\":{\"rendered\":\"\",\"protected\":true}},{\"id\":3,"
		"\"link\":\"http://evil.test/3/\",\"content\":{\"rendered\":\"c\"}}]"));
	CHECK(last.n == 3 && !last.v[0].is_whole && !last.v[1].is_whole);
	CHECK(last.v[2].is_whole && last.v[2].n_pages == 0);
}

static void half_a_batch_of_a_wiki_stands_for_nothing(void)
{
	struct str url =
		first("mediawiki", "http://w.test/", "http://w.test/api.php?action=rsd");
	const char *body =
		"{\"batchcomplete\":true,\"continue\":{\"gapcontinue\":\"B\","
		"\"continue\":\"||\"},\"query\":{"
		"\"pages\":[{\"pageid\":4,\"ns\":0,\"title\":\"A\",\"fullurl\":"
		"\"http://w.test/index.php/A\",\"revisions\":[{\"timestamp\":"
		"\"2026-01-01T00:00:00Z\",\"user\":\"Ann\",\"slots\":{\"main\":{"
		"\"content\":\"[[B|see b]] https://out.test/x\"}}}]}]}}";
	cleanup(buf_release) struct buf half = { 0 };

	CHECK(answer(url, "", body) && last.n == 1 && last.v[0].is_whole);
	buf_add(&half, STR("{"));
	buf_add(&half, str_skip(str_from(body), sizeof("{\"batchcomplete\":true,") - 1));
	CHECK(answer(url, "", buf_cstr(&half)) && last.n == 1 && !last.v[0].is_whole);
	CHECK(answer(url, "", body));
	CHECK(str_eq(last.v[0].text, STR("see b https://out.test/x")));
	CHECK(last.v[0].n_links == 1 && str_eq(last.v[0].author, STR("Ann")));
	CHECK(has(last.next, "gapcontinue=B") && last.list_left == 1);
	CHECK(answer(last.next, "", "{\"batchcomplete\":true}"));
	CHECK(last.end == SITE_GOES_ON && has(last.next, "gapnamespace=1&"));
}

static void posts_of_a_forum_are_on_pages_of_twenty(void)
{
	struct str url = first("discourse", "https://d.test/", "https://d.test/");

	CHECK(answer(url, "",
		     "{\"latest_posts\":[{\"id\":90,\"topic_id\":7,\"topic_slug\":\"x\","
		     "\"post_number\":41,\"cooked\":\"<p>hm</p>\",\"username\":\"ann\"},"
		     "{\"id\":80,\"topic_id\":7,\"topic_slug\":\"x\",\"post_number\":1,"
		     "\"cooked\":\"a\"}]}"));
	CHECK(last.n == 2 && last.v[0].n_pages == 2 && last.v[1].n_pages == 1);
	CHECK(str_eq(last.v[0].pages[1], STR("https://d.test/t/x/7?page=3")));
	CHECK(str_eq(last.v[1].pages[0], STR("https://d.test/t/x/7")));
	CHECK(str_eq(last.next, STR("https://d.test/posts.json?before=80")));
	/* The last page leads to itself. */
	CHECK(answer(last.next, "", "{\"latest_posts\":[{\"id\":80,\"topic_id\":7}]}"));
	CHECK(last.end == SITE_DONE);
}

static void what_is_no_list_is_a_failure(void)
{
	struct str url = first("wordpress", "http://b.test/", "http://b.test/wp-json/");

	CHECK(answer(url, "", "<html>login</html>") && last.end == SITE_FAILED);
	CHECK(answer(url, "", "{\"code\":\"x\"}") && last.end == SITE_FAILED);
	CHECK(last.why.text[0] != '\0');
	CHECK(!answer(STR("http://b.test/"), "", "[]"));
	url = first("mastodon", "https://m.test/", "https://m.test/");
	CHECK(answer(
		url, "Link: <https://evil.test/>; rel=\"next\"\r\n",
		"[{\"id\":\"1\",\"url\":\"https://m.test/@a/1\",\"content\":\"x\"}]"));
	CHECK(last.end == SITE_FAILED);
	CHECK(answer(
		url, "Link: </logout>; rel=\"next\"\r\n",
		"[{\"id\":\"1\",\"url\":\"https://m.test/@a/1\",\"content\":\"x\"}]"));
	CHECK(last.end == SITE_FAILED);
}

static void an_api_is_read_as_long_as_it_costs_less_than_the_pages(void)
{
	/* 300 posts of which 100 came, then four more lists. */
	CHECK(site_api_pays(&(struct site_costs){ 1, 100, 1, 100, 2, 4 }));
	/* Two posts, and four more lists. */
	CHECK(!site_api_pays(&(struct site_costs){ 1, 2, 1, 2, 0, 4 }));
	/* A corner of the site is in scope. */
	CHECK(!site_api_pays(&(struct site_costs){ 1, 1, 1, 1, 50, 0 }));
	/* Ten posts, and 500 pages of comments, which stand for no page. */
	CHECK(!site_api_pays(&(struct site_costs){ 2, 10, 1, 0, 499, 2 }));
	CHECK(site_api_pays(&(struct site_costs){ 2, 900, 1, 0, 499, 2 }));
	/* All is paid. */
	CHECK(site_api_pays(&(struct site_costs){ 5, 1, 1, 0, 0, 0 }));
}

static bool reads(const char *source, const char *text)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct filter f = { FILTER_WIKITEXT, STR("") };

	filter_apply(&f, str_from(source), &b);
	if (!str_eq(buf_str(&b), str_from(text)))
		printf("# %s\n", buf_cstr(&b));
	return str_eq(buf_str(&b), str_from(text));
}

static void wikitext_is_read_as_its_page_is(void)
{
	CHECK(reads("== Name ==\n'''Bold''' and ''not''", "Name Bold and not"));
	CHECK(reads("a [[B]] c [[D|e]] [http://x.test f g]", "a B c e f g"));
	CHECK(reads("* one\n# two\n:three", "one two three"));
	CHECK(reads("a<ref>note</ref> b<ref name=x/>", "a b note"));
	CHECK(reads("{{Infobox|name=Ann|born = 1815}} x", "Ann 1815 x"));
	CHECK(reads("[[File:a.png|thumb|of [[B]] here]] x", "thumb|of B here x"));
	CHECK(reads("{|class=x\n|-\n! a\n| b\n|}", "- a b }"));
	CHECK(reads("[[never", "never") && reads("{{", "") && reads("[http", "[http"));
}

int main(void)
{
	struct diag why;

	if (site_services_open(&services, &why) != ST_OK)
		abort();
	RUN(the_api_is_found_by_a_link_on_the_own_server_only);
	RUN(every_request_says_all_of_itself);
	RUN(lists_follow_each_other_to_the_end);
	RUN(an_object_stands_for_a_page_only_with_all_it_shows);
	RUN(half_a_batch_of_a_wiki_stands_for_nothing);
	RUN(posts_of_a_forum_are_on_pages_of_twenty);
	RUN(what_is_no_list_is_a_failure);
	RUN(an_api_is_read_as_long_as_it_costs_less_than_the_pages);
	RUN(wikitext_is_read_as_its_page_is);
	arena_release(&a);
	site_services_close(services);
	DONE();
}
