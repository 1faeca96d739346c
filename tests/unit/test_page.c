#include "page/page.h"

#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "page/kind.h"
#include "page/language.h"
#include "test.h"

static struct arena arena;

static struct page page_of(struct str type, struct str body)
{
	struct page p;

	page_parse(&(struct page_input){ .body = body, .content_type = type }, NULL,
		   &arena, &p);
	return p;
}

static void kinds_are_told_by_label_and_bytes(void)
{
	static const struct {
		struct str type, body;
		enum page_kind kind;
	} s[] = {
		{ STR("text/html; charset=utf-8"), STR("x"), PAGE_HTML },
		{ STR("TEXT/HTML"), STR("<?xml version='1.0'?><rss>"), PAGE_FEED },
		{ STR("text/html"), STR("<?xml version='1.0'?><!DOCTYPE html><html>"),
		  PAGE_HTML },
		{ STR("text/html"), STR("<?xml version='1.0'?><x>"), PAGE_HTML },
		{ STR("application/xhtml+xml"), STR("<html>"), PAGE_HTML },
		{ STR("application/xml"), STR(" <!-- c --><urlset>"), PAGE_SITEMAP },
		{ STR("text/xml"), STR("<x:sitemapindex>"), PAGE_SITEMAP_INDEX },
		{ STR("application/atom+xml"), STR("<feed>"), PAGE_FEED },
		{ STR("application/rdf+xml"), STR("<rdf:RDF>"), PAGE_FEED },
		{ STR("image/svg+xml"), STR("<svg>"), PAGE_UNKNOWN },
		{ STR("text/css"), STR("a{}"), PAGE_CSS },
		{ STR("application/javascript"), STR("x"), PAGE_SCRIPT },
		{ STR("application/feed+json"), STR("{}"), PAGE_JSON },
		{ STR("application/octet-stream"), STR("%PDF-1.4"), PAGE_PDF },
		{ STR(""), STR("\n<!DOCTYPE HTML>"), PAGE_HTML },
		{ STR(""), STR("words"), PAGE_TEXT },
		{ STR(""), STR("\x01\x02"), PAGE_UNKNOWN },
		{ STR("text/plain"), STR("<html>"), PAGE_TEXT },
		{ STR("text/plain"), STR("http://e.org/\n"), PAGE_SITEMAP },
		{ STR(""), STR("<!-- c --><rss>"), PAGE_FEED },
		{ STR("image/png"), STR("<html>"), PAGE_UNKNOWN },
	};

	for (size_t i = 0; i < COUNT(s); i++) {
		enum page_kind kind = page_kind_of(s[i].type, STR(""), s[i].body);

		if (kind != PAGE_UNKNOWN && kind != PAGE_PDF)
			kind = page_kind_refine(kind, s[i].body, &arena);

		if (kind != s[i].kind)
			printf("# %s %s: %d\n", s[i].type.p, s[i].body.p, (int)kind);
		CHECK(kind == s[i].kind);
	}
}

static void a_name_tells_what_nothing_else_does(void)
{
	struct str sheet = STR("body { color: red }"),
		   url = STR("http://e.org/a.css?v=1");

	CHECK(page_kind_of(STR(""), url, sheet) == PAGE_CSS);
	CHECK(page_kind_of(STR("text/plain"), url, sheet) == PAGE_TEXT);
}

static void bytes_become_utf8(void)
{
	static const struct {
		struct str type, body, title, charset;
	} s[] = {
		{ STR("text/html; charset=iso-8859-1"), STR("<title>caf\xe9</title>"),
		  STR("caf\u00e9"), STR("windows-1252") },
		{ STR("text/html"), STR("<meta charset=koi8-r><title>\xf7</title>"),
		  STR("\u0412"), STR("KOI8-R") },
		{ STR("text/html"), STR("\xef\xbb\xbf<title>\u00e9</title>"),
		  STR("\u00e9"), STR("UTF-8") },
		{ STR("text/html"), STR("\xff\xfe<\0t\0i\0t\0l\0e\0>\0\x16\x4e"),
		  STR("\u4e16"), STR("UTF-16LE") },
		{ STR("text/html; charset=latin1"), STR("<title>a</title>"), STR("a"),
		  STR("windows-1252") },
	};

	for (size_t i = 0; i < COUNT(s); i++) {
		struct page p = page_of(s[i].type, s[i].body);

		CHECK(str_eq(p.title, s[i].title));
		CHECK(str_eq_nocase(p.charset, s[i].charset));
	}
}

static void style_sheets_and_scripts_have_links(void)
{
	struct page css =
		page_of(STR("text/css"), STR("@import 'a.css'; b{c:url(d.png)}"));
	struct page js = page_of(STR("text/javascript"), STR("load('/data/x.json')"));

	CHECK(css.kind == PAGE_CSS && css.n_links == 2 &&
	      css.links[0].kind == LINK_STYLE);
	CHECK(js.kind == PAGE_SCRIPT && js.n_links == 1 &&
	      js.links[0].kind == LINK_GUESS);
}

static void junk_guesses_are_counted_but_not_made(void)
{
	struct page p;

	page_parse(&(struct page_input){ .body = STR("<script>a='/x/y'</script>"),
					 .content_type = STR("text/html") },
		   &(struct page_options){ .no_guesses = true }, &arena, &p);
	CHECK(p.n_links == 0 && p.n_guesses_skipped == 1);
}

static void text_alone_is_the_same_text(void)
{
	static const char html[] =
		"<html lang=en><title>T</title><link rel=canonical href=/c><base href=/b>"
		"<style>a{b:url(c)}</style><script>d='/e/f'</script><!--[if IE]><a "
		"href=g><![endif]-->"
		"<nav><a href=/h>All of this is linked</a></nav><p>Half <a "
		"href=#i>is</a> "
		"and <a href='&#9;'>none</a>, <a href=j>linked</a>."
		"<svg><a xlink:href=k>l</a></svg><template><a href=m>n</a></template>";
	struct page_input in = { .body = str_from(html),
				 .content_type = STR("text/html") };
	struct page all, text;

	page_parse(&in, NULL, &arena, &all);
	page_parse(&in, &(struct page_options){ .text_only = true }, &arena, &text);
	CHECK(all.n_links > 5 && text.n_links == 0);
	CHECK(str_eq(all.text, text.text) && str_eq(all.title, text.title));
	CHECK(str_eq(text.canonical, STR("/c")) && str_eq(text.lang, STR("en")));
	CHECK(all.n_blocks == text.n_blocks && all.n_blocks == 2);
	for (size_t i = 0; i < text.n_blocks; i++) {
		CHECK(str_eq(all.blocks[i].text, text.blocks[i].text));
		CHECK(all.blocks[i].linked_bytes == text.blocks[i].linked_bytes);
		CHECK(all.blocks[i].is_main == text.blocks[i].is_main);
	}
	CHECK(text.blocks[0].linked_bytes == 21 && text.blocks[1].linked_bytes == 6);
}

static void plain_text_has_paragraphs(void)
{
	struct page p =
		page_of(STR("text/plain"), STR("one  two\nthree\n\nfour <b>&amp;\n"));

	CHECK(str_eq(p.text, STR("one two\nthree\nfour <b>&amp;")));
	CHECK(p.n_blocks == 2 && str_eq(p.blocks[1].text, STR("four <b>&amp;")));
	p = page_of(STR("text/plain"),
		    STR("See http://e.org/a, (https://e.org/b?c) ftp://x "
			"http:// and <http://e.org/d>."));
	CHECK(p.n_links == 3 && str_eq(p.links[0].url, STR("http://e.org/a")));
	CHECK(str_eq(p.links[1].url, STR("https://e.org/b?c")));
	CHECK(str_eq(p.links[2].url, STR("http://e.org/d")));
}

static void malformed_bytes_are_repaired(void)
{
	struct page p =
		page_of(STR("text/html; charset=utf-8"), STR("<title>a\xff</title>"));

	CHECK(str_eq(p.title, STR("a\ufffd")));
}

static void a_pdf_has_links_also_in_object_streams(void)
{
	static const char objects[] =
		"1 0 << /A << /S /URI /URI (http://e.org/packed) >> >>";
	struct buf pdf = { 0 };
	Bytef packed[256];
	uLongf n = sizeof(packed);

	CHECK(compress(packed, &n, (const Bytef *)objects, sizeof(objects) - 1) == Z_OK);
	buf_add(&pdf, STR("%PDF-1.5\n<< /S /URI /URI (http://e.org/a\\(b\\)) >>\n"
			  "/URI <687474703a2f2f652e6f72672f68>\n/URI (unclosed"));
	buf_add(&pdf,
		STR("\n5 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\r\n"));
	buf_add(&pdf, (struct str){ (const char *)packed, n });
	buf_add(&pdf, STR("\nendstream\n6 0 obj << /Filter /FlateDecode >> "
			  "stream\nx\nendstream"));
	struct page p = page_of(STR("application/pdf"), buf_str(&pdf));

	CHECK(p.kind == PAGE_PDF && p.n_links == 3);
	CHECK(str_eq(p.links[0].url, STR("http://e.org/a(b)")));
	CHECK(str_eq(p.links[1].url, STR("http://e.org/h")));
	CHECK(str_eq(p.links[2].url, STR("http://e.org/packed")));
	buf_release(&pdf);
}

static void add_object_stream(struct buf *pdf, struct str objects)
{
	Bytef packed[256];
	uLongf n = sizeof(packed);

	compress(packed, &n, (const Bytef *)objects.p, objects.n);
	buf_add(pdf,
		STR("\n5 0 obj\n<< /Type /ObjStm /Filter /FlateDecode >>\nstream\r\n"));
	buf_add(pdf, (struct str){ (const char *)packed, n });
	buf_add(pdf, STR("\nendstream\n"));
}

static void links_of_one_object_stream_outlive_the_next(void)
{
	cleanup(buf_release) struct buf pdf = { 0 };

	buf_add(&pdf, STR("%PDF-1.5\n"));
	add_object_stream(&pdf, STR("1 0 << /S /URI /URI (http://e.org/first) >>"));
	add_object_stream(&pdf, STR("2 0 << /S /URI /URI (http://e.org/other) >>"));
	struct page p = page_of(STR("application/pdf"), buf_str(&pdf));

	CHECK(p.n_links == 2);
	CHECK(str_eq(p.links[0].url, STR("http://e.org/first")));
	CHECK(str_eq(p.links[1].url, STR("http://e.org/other")));
}

static void the_language_is_that_of_the_content(void)
{
	struct page p = page_of(STR("text/html"),
				STR("<nav><a href=/>Startseite</a> <a "
				    "href=/x>Nachrichten und Meinungen</a></nav>"
				    "<main><p>The crawler visits one page after the "
				    "other, and keeps a list of all "
				    "those it has seen before, so that nothing is asked "
				    "twice.</p></main>"));
	uint8_t percent;

	CHECK(str_eq(p.language, STR("en")) && p.language_percent > 80);
	CHECK(str_eq(language_of(STR("Os dias passam e as noites também, mas ninguém "
				     "sabe porquê."),
				 &percent),
		     STR("pt")));
	CHECK(language_of(STR("42"), &percent).n == 0 && percent == 0);
}

static void main_content_is_told_from_its_frame(void)
{
	struct page p = page_of(
		STR("text/html"),
		STR("<ul><li><a href=1>Home</a><li><a href=2>News</a><li><a "
		    "href=3>Sport</a></ul>"
		    "<div><h1>A heading</h1><p>The first paragraph tells at some length "
		    "what the "
		    "page is about, and has a <a href=4>link</a> in it.</p><p>Short "
		    "one.</p>"
		    "<p>And the second paragraph goes on about it, so that there is "
		    "enough of it "
		    "to be found by anyone who looks.</p></div>"
		    "<div>Share</div><footer><p>Copyright by somebody, all rights "
		    "reserved, and "
		    "some more words that are long enough to be prose.</p></footer>"));

	CHECK(p.n_blocks == 9);
	for (size_t i = 0; i < p.n_blocks; i++)
		CHECK(p.blocks[i].is_main == (i >= 3 && i <= 6));
	CHECK(p.main_bytes > 200);
}

static struct str gzipped(struct str text)
{
	static char out[4096];
	z_stream z = { 0 };

	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (Bytef *)(uintptr_t)text.p;
	z.avail_in = (uInt)text.n;
	z.next_out = (Bytef *)out;
	z.avail_out = sizeof(out);
	deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return (struct str){ out, sizeof(out) - z.avail_out };
}

static void a_packed_sitemap_is_read_whatever_its_label(void)
{
	static const struct str labels[] = {
		STR("application/gzip"),
		STR("application/x-gzip"),
		STR("application/xml"),
		STR("text/plain"),
		STR("text/html"),
		STR("application/octet-stream"),
		STR(""),
	};
	static const struct {
		struct str text;
		enum page_kind kind;
	} cases[] = {
		{ STR("<urlset><url><loc>http://e.org/1</loc></url></urlset>"),
		  PAGE_SITEMAP },
		{ STR("<sitemapindex><sitemap><loc>http://e.org/1</loc></sitemap>"
		      "</sitemapindex>"),
		  PAGE_SITEMAP_INDEX },
		{ STR("http://e.org/1\n"), PAGE_SITEMAP },
	};

	for (size_t k = 0; k < COUNT(cases); k++)
		for (size_t i = 0; i < COUNT(labels); i++) {
			struct page p = page_of(labels[i], gzipped(cases[k].text));

			CHECK(p.kind == cases[k].kind && p.n_links == 1);
			CHECK(str_eq(p.links[0].url, STR("http://e.org/1")));
		}
	CHECK(page_of(labels[0], gzipped(STR("just some text"))).kind == PAGE_UNKNOWN);
	struct str cut = gzipped(cases[0].text);
	cut.n -= 6; /* its checksum is missing: what it says is read all the same */
	CHECK(page_of(labels[0], cut).n_links == 1);
}

int main(void)
{
	RUN(kinds_are_told_by_label_and_bytes);
	RUN(a_name_tells_what_nothing_else_does);
	RUN(bytes_become_utf8);
	RUN(style_sheets_and_scripts_have_links);
	RUN(junk_guesses_are_counted_but_not_made);
	RUN(text_alone_is_the_same_text);
	RUN(plain_text_has_paragraphs);
	RUN(malformed_bytes_are_repaired);
	RUN(a_pdf_has_links_also_in_object_streams);
	RUN(links_of_one_object_stream_outlive_the_next);
	RUN(a_packed_sitemap_is_read_whatever_its_label);
	RUN(the_language_is_that_of_the_content);
	RUN(main_content_is_told_from_its_frame);
	arena_release(&arena);
	DONE();
}
