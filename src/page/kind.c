#include "page/kind.h"

#include <string.h>

#include "page/sitemap.h"
#include "page/xml.h"

#define HEAD_BYTES ((size_t)4096)

struct str kind_essence(struct str content_type)
{
	return str_trim(str_slice(content_type, 0, str_find_char(content_type, ';')));
}

static struct str skip_to_markup(struct str s)
{
	str_take_prefix(&s, STR("\xef\xbb\xbf"));
	while (s.n && ascii_is_space(*s.p))
		s = str_skip(s, 1);
	return s;
}

/* By the name of the first element. */
static enum page_kind kind_of_xml(struct str head, struct arena *a)
{
	struct str root = xml_root(head, a);

	if (str_eq_nocase(root, STR("rss")) || str_eq_nocase(root, STR("feed")) ||
	    str_eq_nocase(root, STR("rdf")))
		return PAGE_FEED;
	if (str_eq_nocase(root, STR("urlset")))
		return PAGE_SITEMAP;
	if (str_eq_nocase(root, STR("sitemapindex")))
		return PAGE_SITEMAP_INDEX;
	if (str_eq_nocase(root, STR("html")))
		return PAGE_HTML;
	return PAGE_XML;
}

/* A tag near the beginning that only HTML has. */
static bool looks_like_html(struct str head)
{
	static const struct str tags[] = {
		{ "<!doctype html", 14 },
		{ "<html", 5 },
		{ "<head", 5 },
		{ "<body", 5 },
		{ "<title", 6 },
		{ "<meta", 5 },
		{ "<div", 4 },
		{ "<p>", 3 },
		{ "<script", 7 },
		{ "<table", 6 },
		{ "<h1", 3 },
		{ "<a ", 3 },
		{ "<!--", 4 },
		{ "<style", 6 },
		{ "<frameset", 9 },
	};

	head = skip_to_markup(head);
	for (size_t i = 0; i < COUNT(tags); i++)
		if (str_starts_nocase(head, tags[i]))
			return true;
	return false;
}

/* Control characters that no text has. */
static bool looks_binary(struct str head)
{
	for (size_t i = 0; i < head.n; i++)
		if ((uint8_t)head.p[i] < 9 || (head.p[i] > 13 && (uint8_t)head.p[i] < 27))
			return true;
	return false;
}

static bool is_xml_type(struct str type)
{
	return str_eq_nocase(type, STR("text/xml")) ||
	       str_eq_nocase(type, STR("application/xml")) ||
	       (type.n > 4 && str_eq_nocase(str_skip(type, type.n - 4), STR("+xml")));
}

static bool is_script_type(struct str type)
{
	return str_eq_nocase(type, STR("text/javascript")) ||
	       str_eq_nocase(type, STR("application/javascript")) ||
	       str_eq_nocase(type, STR("application/x-javascript")) ||
	       str_eq_nocase(type, STR("application/ecmascript"));
}

static bool is_json_type(struct str type)
{
	return str_eq_nocase(type, STR("application/json")) ||
	       str_eq_nocase(type, STR("text/json")) ||
	       (type.n > 5 && str_eq_nocase(str_skip(type, type.n - 5), STR("+json")));
}

/* The label says little: text/plain, nothing, or octet-stream. */
static enum page_kind kind_of_bytes(struct str type, struct str head, struct arena *a)
{
	bool is_plain = str_eq_nocase(type, STR("text/plain"));

	if (str_starts_nocase(skip_to_markup(head), STR("<?xml")))
		return kind_of_xml(head, a);
	if (!is_plain && looks_like_html(head))
		return PAGE_HTML;
	if (looks_binary(str_slice(head, 0, 512)))
		return PAGE_UNKNOWN;
	if (sitemap_is_text(head))
		return PAGE_SITEMAP;
	return PAGE_TEXT;
}

enum page_kind page_kind_of(struct str content_type, struct str url, struct str head,
			    struct arena *a)
{
	struct str type = kind_essence(content_type);

	head = str_slice(head, 0, HEAD_BYTES);
	url = str_slice(url, 0, str_find_char(url, '?'));
	if (str_starts(head, STR("%PDF-")))
		return PAGE_PDF;
	if (str_eq_nocase(type, STR("text/html"))) {
		struct str start = skip_to_markup(head);
		bool may_be_feed = str_starts_nocase(start, STR("<?xml")) ||
				   str_starts_nocase(start, STR("<rss")) ||
				   str_starts_nocase(start, STR("<feed"));
		enum page_kind kind = may_be_feed ? kind_of_xml(head, a) : PAGE_HTML;

		return kind == PAGE_XML ? PAGE_HTML : kind;
	}
	if (is_xml_type(type))
		return kind_of_xml(head, a);
	if (str_eq_nocase(type, STR("text/css")))
		return PAGE_CSS;
	if (is_script_type(type))
		return PAGE_SCRIPT;
	if (is_json_type(type))
		return PAGE_JSON;
	if (!type.n || str_eq_nocase(type, STR("text/plain")) ||
	    str_eq_nocase(type, STR("application/octet-stream")) ||
	    str_starts_nocase(type, STR("application/x-unknown")))
		return !type.n && str_ends(url, STR(".css"))
			       ? PAGE_CSS
			       : kind_of_bytes(type, head, a);
	return PAGE_UNKNOWN;
}
