#include "page/sitemap.h"

#include "test.h"

static struct arena arena;

static void entries_have_their_date_and_their_pictures(void)
{
	struct page p = { 0 };

	sitemap_read_xml(
		STR("<?xml version='1.0'?><urlset "
		    "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
		    "<url><loc> http://e.org/?a=1&amp;b=2 "
		    "</loc><lastmod>2024-01-01</lastmod>"
		    "<image:image><image:loc>/i.png</image:loc></image:image>"
		    "<xhtml:link rel='alternate' hreflang='de' href='/de'/></url>"
		    "<s:url><s:loc><![CDATA[http://e.org/c]]></s:loc></s:url>"
		    "<url><loc></loc></url><url><loc>/last"),
		NULL, &arena, &p);
	CHECK(p.kind == PAGE_SITEMAP && p.n_links == 5);
	CHECK(p.links[0].kind == LINK_IMAGE && str_eq(p.links[0].url, STR("/i.png")));
	CHECK(str_eq(p.links[1].hreflang, STR("de")) && p.links[1].rel == REL_ALTERNATE);
	CHECK(str_eq(p.links[2].url, STR("http://e.org/?a=1&b=2")));
	CHECK(str_eq(p.links[2].date, STR("2024-01-01")));
	CHECK(str_eq(p.links[3].url, STR("http://e.org/c")) && !p.links[3].date.n);
	CHECK(str_eq(p.links[4].url, STR("/last")) && p.links[4].kind == LINK_SITEMAP);
}

static void an_index_leads_to_sitemaps(void)
{
	struct page p = { 0 };

	sitemap_read_xml(
		STR("<sitemapindex><sitemap><loc>/a.xml.gz</loc><lastmod>2024</lastmod>"
		    "</sitemap><sitemap>\n/b.xml\n</sitemap></sitemapindex>"),
		NULL, &arena, &p);
	CHECK(p.kind == PAGE_SITEMAP_INDEX && p.n_links == 2);
	CHECK(str_eq(p.links[1].url, STR("/b.xml")));
	CHECK(p.links[0].kind == LINK_SITEMAPS && str_eq(p.links[0].date, STR("2024")));
}

static void plain_lines_are_a_sitemap_too(void)
{
	struct page p = { 0 };
	struct str text = STR("\xef\xbb\xbfhttp://e.org/1\r\n\r\nhttps://e.org/2\n");

	CHECK(sitemap_is_text(text));
	CHECK(!sitemap_is_text(STR("http://e.org/ is a site\n")));
	CHECK(!sitemap_is_text(STR("")));
	sitemap_read_text(text, NULL, &arena, &p);
	CHECK(p.n_links == 2 && str_eq(p.links[1].url, STR("https://e.org/2")));
}

static void a_bound_is_kept_and_reported(void)
{
	struct page p = { 0 };

	sitemap_read_xml(
		STR("<urlset><url><loc>/1</loc></url><url><loc>/2</loc></url></urlset>"),
		&(struct page_options){ .max_links = 1 }, &arena, &p);
	CHECK(p.n_links == 1 && (p.cut & CUT_LINKS));
}

int main(void)
{
	RUN(entries_have_their_date_and_their_pictures);
	RUN(an_index_leads_to_sitemaps);
	RUN(plain_lines_are_a_sitemap_too);
	RUN(a_bound_is_kept_and_reported);
	arena_release(&arena);
	DONE();
}
