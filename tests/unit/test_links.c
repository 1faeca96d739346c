#include "page/links.h"

#include <string.h>

#include "base/buf.h"
#include "page/page.h"
#include "test.h"

static struct arena arena;

static const char *const kinds[LINK_KINDS] = {
	"a",    "area",  "link",   "form",    "frame",    "refresh",
	"img",  "media", "object", "script",  "style",    "cite",
	"lazy", "guess", "feed",   "sitemap", "sitemaps", "pdf",
};

/* The links of a page as "kind:url kind:url ..." */
static const char *links_of(struct str html)
{
	static struct buf out;
	struct page p;

	buf_reset(&out);
	page_parse(
		&(struct page_input){ .body = html,
				      .content_type = STR("text/html; charset=utf-8") },
		&(struct page_options){ .no_language = true }, &arena, &p);
	for (size_t i = 0; i < p.n_links; i++)
		buf_addf(&out, "%s%s:" STR_FMT, i ? " " : "", kinds[p.links[i].kind],
			 STR_ARG(p.links[i].url));
	return buf_cstr(&out);
}

static struct page page_of(struct str html)
{
	struct page p;

	page_parse(
		&(struct page_input){ .body = html,
				      .content_type = STR("text/html; charset=utf-8") },
		&(struct page_options){ .no_language = true }, &arena, &p);
	return p;
}

static void links_hide_in_many_places(void)
{
	static const char *const samples[][2] = {
		{ "<a href=x>", "a:x" },
		{ "<a href=' x\n\ty '>", "a:xy" },
		{ "<a href='?a=1&amp;b=2&copy=3'>", "a:?a=1&b=2&copy=3" },
		{ "<a href=1 href=2>", "a:1" },
		{ "<map><area href=x></map>", "area:x" },
		{ "<link rel=next href=x>", "link:x" },
		{ "<form action=x>", "form:x" },
		{ "<form action=x method=GET>", "form:x" },
		{ "<form action=x method=post>", "" },
		{ "<form action=x><form action=y></form><form action=z>",
		  "form:x form:z" },
		{ "<form><form action=y></form>", "" },
		{ "<button formaction=x>", "form:x" },
		{ "<button formaction=x formmethod=post>", "" },
		{ "<iframe src=x></iframe><frame src=y>", "frame:x frame:y" },
		{ "<img src=x longdesc=y>", "img:x cite:y" },
		{ "<img srcset='a 1x, b 2x,c, d,e 100w'>", "img:a img:b img:c img:d,e" },
		{ "<picture><source srcset='a,b 2x'></picture>", "img:a,b" },
		{ "<link rel=preload imagesrcset='a 1x'>", "img:a" },
		{ "<input type=image src=x>", "img:x" },
		{ "<video src=x poster=y><source src=z><track src=t></video>",
		  "media:x img:y media:z media:t" },
		{ "<audio src=x></audio>", "media:x" },
		{ "<embed src=x><object data=y></object>", "object:x object:y" },
		{ "<script src=x></script>", "script:x" },
		{ "<meta http-equiv=Refresh content='5; URL=x'>", "refresh:x" },
		{ "<meta http-equiv=refresh content='0;\"x y\" z'>", "refresh:x y" },
		{ "<meta http-equiv=refresh content=5>", "" },
		{ "<p style='background:url(x)'>", "style:x" },
		{ "<style>@import 'a'; b{c:url(\"d\")}</style>", "style:a style:d" },
		{ "<body background=x>", "img:x" },
		{ "<blockquote cite=x>", "cite:x" },
		{ "<svg><a xlink:href=x></a><image href=y /><use href='#z'/></svg>",
		  "a:x img:y" },
		{ "<script>go('/a/b.html'); say('hello world')</script>",
		  "guess:/a/b.html" },
		{ "<img data-src=/lazy.png>", "lazy:/lazy.png" },
		{ "<div data-url=nothing>", "" },
		{ "<p onclick=\"go('/x/y.html')\">", "guess:/x/y.html" },
		{ "<a href=\"javascript:go('/x/y.html')\">", "guess:/x/y.html" },
		{ "<iframe src=a srcdoc=\"<a href='x'>&lt;img src=y&gt;\"></iframe>",
		  "frame:a a:x img:y" },
		{ "<img src=\"data:image/svg+xml,<svg xmlns:x='y'><image "
		  "xlink:hr%65f='/in.png'></image></svg>\">",
		  "img:/in.png" },
		{ "<iframe src='data:text/html;base64,PGEgaHJlZj14PiYu'></iframe>",
		  "a:x" },
		{ "<img src=data:image/png;base64,PGEgaHJlZj14PiYu>", "" },
		{ "<object><param name=movie value=/m.html></object>", "lazy:/m.html" },
		{ "<noscript><img src=x></noscript>", "img:x" },
		{ "<template><a href=x></a></template>", "a:x" },
		{ "<textarea><a href=x></textarea><!-- <a href=y> -->", "" },
		{ "<a href=''><a href='#top'><a href='javascript:x()'>", "" },
		{ "<a href='#!/page'><a href='data:,x'><a href=' mailto:a@b.c'>",
		  "a:#!/page a:mailto:a@b.c" },
	};

	for (size_t i = 0; i < COUNT(samples); i++) {
		const char *got = links_of(str_from(samples[i][0]));

		if (strcmp(got, samples[i][1]) != 0)
			printf("# page %s\n# want %s\n# got  %s\n", samples[i][0],
			       samples[i][1], got);
		CHECK(strcmp(got, samples[i][1]) == 0);
	}
}

static void an_anchor_has_its_words_and_its_paragraph(void)
{
	struct page p =
		page_of(STR("<p>One</p><p>See <a href=x>the\n <b>other</b> page</a>"
			    " for more.<p>Two <a href=y>end"));

	CHECK(p.n_links == 2);
	CHECK(str_eq(p.links[0].text, STR("the other page")));
	CHECK(str_eq(p.links[0].around, STR("See the other page for more.")));
	CHECK(memcmp(p.text.p + p.links[0].at, "the other", 9) == 0);
	CHECK(str_eq(p.links[1].text, STR("end")));
	CHECK(str_eq(p.links[1].around, STR("Two end")));
	CHECK(p.links[0].path == p.links[1].path);
}

static void an_anchor_without_words_has_those_of_its_image(void)
{
	struct page p = page_of(STR("<a href=x title=T><img alt='A &amp; B' src=i></a>"
				    "<a href=y title=T></a>"));

	CHECK(p.n_links == 3);
	CHECK(str_eq(p.links[0].text, STR("A & B")));
	CHECK(str_eq(p.links[1].text, STR("A & B")) && p.links[1].kind == LINK_IMAGE);
	CHECK(str_eq(p.links[2].text, STR("T")));
}

static void rel_is_a_set_of_words(void)
{
	CHECK(links_parse_rel(STR("NoFollow\n noopener")) == REL_NOFOLLOW);
	CHECK(links_parse_rel(STR("ugc")) == (REL_NOFOLLOW | REL_UGC));
	CHECK(links_parse_rel(STR("shortcut icon")) == REL_ICON);
	CHECK(links_parse_rel(STR("")) == 0);
}

static void translations_and_feeds_are_told_apart(void)
{
	struct page p = page_of(
		STR("<link rel=alternate hreflang=de href=/de>"
		    "<link rel=alternate type='application/rss+xml' title=News href=/f>"
		    "<link rel=canonical href=' /c '>"));

	CHECK(p.n_links == 3 && str_eq(p.links[0].hreflang, STR("de")));
	CHECK(str_eq(p.links[1].type, STR("application/rss+xml")));
	CHECK(str_eq(p.links[1].text, STR("News")));
	CHECK(str_eq(p.canonical, STR("/c")));
}

static void more_links_than_wanted_are_reported(void)
{
	struct arena a = { 0 };
	struct page p;

	page_parse(&(struct page_input){ .body = STR("<a href=1><a href=2><a href=3>"),
					 .content_type = STR("text/html") },
		   &(struct page_options){ .max_links = 2 }, &a, &p);
	CHECK(p.n_links == 2 && (p.cut & CUT_LINKS));
	arena_release(&a);
}

int main(void)
{
	RUN(links_hide_in_many_places);
	RUN(an_anchor_has_its_words_and_its_paragraph);
	RUN(an_anchor_without_words_has_those_of_its_image);
	RUN(rel_is_a_set_of_words);
	RUN(translations_and_feeds_are_told_apart);
	RUN(more_links_than_wanted_are_reported);
	arena_release(&arena);
	DONE();
}
