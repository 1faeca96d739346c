#include "page/feed.h"

#include "test.h"

static struct arena arena;

static struct page feed_of(struct str xml)
{
	struct page p = { 0 };

	feed_read_xml(xml, NULL, &arena, &p);
	return p;
}

static const struct link *find(const struct page *p, enum link_kind kind, struct str url)
{
	for (size_t i = 0; i < p->n_links; i++)
		if (p->links[i].kind == kind && str_eq(p->links[i].url, url))
			return &p->links[i];
	return NULL;
}

static void rss_with_cdata_and_escaped_html(void)
{
	struct page p = feed_of(STR(
		"<?xml version=\"1.0\"?><rss version='2.0'><channel><title>News &amp; "
		"more</title>"
		"<link>http://e.org/</link><atom:link rel='self' href='http://e.org/f'/>"
		"<description>All</description><language>de</language>"
		"<item><title><![CDATA[One <b>bold</b>]]></title><link>\n http://e.org/1 "
		"\n</link>"
		"<description><![CDATA[<p>Hello <a "
		"href='/in'>there</a></p>]]></description>"
		"<pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate>"
		"<enclosure url='http://e.org/a.mp3' type='audio/mpeg'/></item>"
		"<item><title>Two</title><guid>http://e.org/2</guid>"
		"<description>&lt;img src=\"/i.png\"&gt; text</description></item>"
		"<item><title>None</title><guid isPermaLink='false'>id:3</guid></item>"
		"</channel></rss>"));
	const struct link *one = find(&p, LINK_FEED, STR("http://e.org/1"));

	CHECK(p.kind == PAGE_FEED && str_eq(p.title, STR("News & more")));
	CHECK(str_eq(p.lang, STR("de")) && str_eq(p.description, STR("All")));
	CHECK(one && str_eq(one->text, STR("One bold")));
	CHECK(str_eq(one->around, STR("Hello there")));
	CHECK(str_starts(one->date, STR("Mon, 01 Jan 2024")));
	CHECK(find(&p, LINK_ANCHOR, STR("/in")));
	CHECK(find(&p, LINK_MEDIA, STR("http://e.org/a.mp3")));
	CHECK(find(&p, LINK_FEED, STR("http://e.org/2")));
	CHECK(find(&p, LINK_IMAGE, STR("/i.png")));
	CHECK(find(&p, LINK_HEAD, STR("http://e.org/")));
	CHECK(!find(&p, LINK_FEED, STR("id:3")));
	CHECK(str_eq(p.text, STR("One bold\nHello there\nTwo\ntext\nNone")));
}

static void atom_with_inline_markup(void)
{
	struct page p = feed_of(
		STR("<feed xmlns='http://www.w3.org/2005/Atom'><title type='html'>A "
		    "&amp;lt; B</title>"
		    "<link rel='next' href='?page=2'/>"
		    "<entry><title>T</title><link rel='enclosure' href='/m'/><link "
		    "href='/e1'/>"
		    "<updated>2024-01-02</updated><published>2024-01-01</published>"
		    "<content type='xhtml'><div xmlns='x'><p>In <a "
		    "href='/l'>line</a></p></div></content>"
		    "</entry><entry><title>U</title><link rel='alternate' href='/e2'/>"
		    "<summary>Sum</summary></entry></feed>"));

	CHECK(str_eq(p.title, STR("A < B")));
	CHECK(find(&p, LINK_HEAD, STR("?page=2"))->rel == REL_NEXT);
	CHECK(str_eq(find(&p, LINK_FEED, STR("/e1"))->date, STR("2024-01-01")));
	CHECK(find(&p, LINK_MEDIA, STR("/m")) && find(&p, LINK_ANCHOR, STR("/l")));
	CHECK(str_eq(find(&p, LINK_FEED, STR("/e2"))->around, STR("Sum")));
	CHECK(str_eq(p.text, STR("T\nIn line\nU\nSum")));
}

static void rdf_and_broken_feeds_give_what_they_have(void)
{
	struct page p =
		feed_of(STR("<rdf:RDF><channel><link>/home</link></channel>"
			    "<item rdf:about='x'><title>T & U</title><link>/1</link>"
			    "<item><title>never <link>/2"));

	CHECK(find(&p, LINK_FEED, STR("/1")) && find(&p, LINK_FEED, STR("/2")));
	CHECK(str_eq(find(&p, LINK_FEED, STR("/1"))->text, STR("T & U")));
}

static void json_feeds(void)
{
	struct page p = { 0 };

	CHECK(feed_read_json(STR("{\"version\":\"https://jsonfeed.org/version/"
				 "1\",\"title\":\"J\","
				 "\"next_url\":\"/n\",\"items\":[{\"url\":\"/"
				 "1\",\"title\":\"a < b\","
				 "\"content_html\":\"<a "
				 "href=/2>x</a>\",\"date_published\":\"2024\","
				 "\"attachments\":[{\"url\":\"/a.mp3\"}]}]}"),
			     NULL, &arena, &p) == ST_OK);
	CHECK(str_eq(p.title, STR("J")));
	CHECK(str_eq(find(&p, LINK_FEED, STR("/1"))->text, STR("a < b")));
	CHECK(find(&p, LINK_ANCHOR, STR("/2")) && find(&p, LINK_MEDIA, STR("/a.mp3")));
	CHECK(str_eq(p.text, STR("a < b\nx")));
	CHECK(feed_read_json(STR("{\"items\":[]}"), NULL, &arena, &p) == ST_UNSUPPORTED);
	CHECK(feed_read_json(STR("{"), NULL, &arena, &p) == ST_SYNTAX);
}

int main(void)
{
	RUN(rss_with_cdata_and_escaped_html);
	RUN(atom_with_inline_markup);
	RUN(rdf_and_broken_feeds_give_what_they_have);
	RUN(json_feeds);
	arena_release(&arena);
	DONE();
}
