#include "test.h"
#include "web/mime.h"

struct row {
	const char *declared;
	struct str body;
	const char *type;
};

static bool holds(const struct row *r)
{
	struct str got = mime_sniff(str_from(r->declared), false, r->body);

	if (!str_eq(got, str_from(r->type)))
		printf("# '%s' gave " STR_FMT ", not %s\n", r->declared, STR_ARG(got),
		       r->type);
	return str_eq(got, str_from(r->type));
}

static void bodies_are_recognised(void)
{
	const struct row rows[] = {
		{ "", STR("\n <!doctype HTML>x"), "text/html" },
		{ "", STR("<html>"), "text/html" },
		{ "", STR("<htmlx>"), "text/plain" },
		{ "", STR("<p"), "text/plain" },
		{ "", STR("<!-- x"), "text/html" },
		{ "", STR(" <?xml version"), "text/xml" },
		{ "", STR("%PDF-1.7"), "application/pdf" },
		{ "unknown/unknown", STR("GIF89a..."), "image/gif" },
		{ "", STR("\x89PNG\r\n\x1a\n"), "image/png" },
		{ "", STR("RIFF\1\2\3\4WEBPVP8"), "image/webp" },
		{ "", STR("RIFF\1\2\3\4WAVEfmt"), "audio/wave" },
		{ "",
		  STR("\0\0\0\x10"
		      "ftypmp42\0\0\0\0"),
		  "video/mp4" },
		{ "", STR("\x1a\x45\xdf\xa3\x93\x42\x82\x84webm"), "video/webm" },
		{ "", STR("\x1f\x8b\x08\0"), "application/x-gzip" },
		{ "", STR("PK\3\4"), "application/zip" },
		{ "", STR("wOF2\0\1\0\0"), "font/woff2" },
		{ "", STR("\xfe\xff\0a"), "text/plain" },
		{ "", STR("just text\n"), "text/plain" },
		{ "", STR("a\0b"), "application/octet-stream" },
		{ "nonsense", STR("<title>"), "text/html" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		CHECK(holds(&rows[i]));
}

static void what_is_declared_mostly_counts(void)
{
	const struct row rows[] = {
		{ "text/css", STR("<html>"), "text/css" },
		{ "text/plain", STR("<html>"), "text/plain" },
		{ "text/plain", STR("\1\2"), "application/octet-stream" },
		{ "text/plain;charset=x", STR("\1\2"), "text/plain" },
		{ "image/gif", STR("\x89PNG\r\n\x1a\n"), "image/png" },
		{ "image/x", STR("<html>"), "image/x" },
		{ "image/svg+xml", STR("<svg>"), "image/svg+xml" },
		{ "audio/x", STR("ID3\4"), "audio/mpeg" },
		{ "application/xml", STR("<html>"), "application/xml" },
		{ "text/html; charset=utf-8", STR("<p>x"), "text/html" },
		{ "text/html", STR("<?xml version='1.0'?><!-- c --><rss version=2>"),
		  "application/rss+xml" },
		{ "text/html", STR("\xef\xbb\xbf<feed xmlns='x'>"),
		  "application/atom+xml" },
		{ "text/html",
		  STR("<rdf:RDF xmlns='http://purl.org/rss/1.0/' "
		      "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"),
		  "application/rss+xml" },
		{ "text/html", STR("<!-- never ends"), "text/html" },
		{ "text/html", STR(""), "text/html" },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		CHECK(holds(&rows[i]));
	CHECK(str_eq(mime_sniff(STR("image/gif"), true, STR("<html>")),
		     STR("image/gif")));
	CHECK(str_eq(mime_sniff(STR(""), true, STR("<html>")), STR("text/plain")));
}

static void an_mpeg_frame_needs_a_second(void)
{
	static char frames[1000] = "\xff\xfb\x90\x00";
	size_t length = 144 * 128 * 1000 / 44100;

	frames[length] = (char)0xff;
	frames[length + 1] = (char)0xfb;
	CHECK(str_eq(mime_sniff(STR(""), false, (struct str){ frames, sizeof(frames) }),
		     STR("audio/mpeg")));
	frames[length + 1] = 0;
	CHECK(str_eq(mime_sniff(STR(""), false, (struct str){ frames, sizeof(frames) }),
		     STR("application/octet-stream")));
}

static void kinds_are_told_by_the_essence(void)
{
	CHECK(mime_kind(STR("Text/HTML")) == MIME_HTML);
	CHECK(mime_kind(STR("application/xhtml+xml")) == MIME_HTML);
	CHECK(mime_kind(STR("application/atom+xml")) == MIME_FEED);
	CHECK(mime_kind(STR("application/mathml+xml")) == MIME_XML);
	CHECK(mime_kind(STR("application/vnd.api+json")) == MIME_JSON);
	CHECK(mime_kind(STR("image/svg+xml")) == MIME_IMAGE);
	CHECK(mime_kind(STR("text/markdown")) == MIME_TEXT);
	CHECK(mime_kind(STR("application/vnd.ms-excel")) == MIME_DOCUMENT);
	CHECK(mime_kind(STR("application/wasm")) == MIME_OTHER);
	CHECK(mime_kind(STR("")) == MIME_OTHER);
}

int main(void)
{
	RUN(bodies_are_recognised);
	RUN(what_is_declared_mostly_counts);
	RUN(an_mpeg_frame_needs_a_second);
	RUN(kinds_are_told_by_the_essence);
	DONE();
}
