#include "page/kind.h"

#include "html/xml.h"
#include "page/sitemap.h"
#include "web/http.h"
#include "web/mime.h"

#define HEAD_BYTES ((size_t)4096)

/* A label that says nothing, or that a layer of compression left behind. */
static bool is_noncommittal(struct str content_type)
{
	struct media_type m;

	if (!media_type_parse(content_type, &m))
		return true;
	return media_type_is(&m, STR("application/octet-stream")) ||
	       media_type_is(&m, STR("application/x-gzip")) ||
	       media_type_is(&m, STR("application/gzip")) ||
	       media_type_is(&m, STR("binary/octet-stream"));
}

/* Style sheets and scripts have no signature: without a label only the name tells. */
static enum page_kind kind_of_name(struct str url)
{
	url = str_slice(url, 0, str_find_char(url, '#'));
	url = str_slice(url, 0, str_find_char(url, '?'));
	if (str_ends(url, STR(".css")))
		return PAGE_CSS;
	return str_ends(url, STR(".js")) ? PAGE_SCRIPT : PAGE_TEXT;
}

enum page_kind page_kind_of(struct str content_type, struct str url, struct str body)
{
	bool noncommittal = is_noncommittal(content_type);

	if (noncommittal)
		content_type = (struct str){ "", 0 };
	switch (mime_kind(mime_sniff(content_type, false, body))) {
	case MIME_HTML:
		return PAGE_HTML;
	case MIME_XML:
	case MIME_FEED:
		return PAGE_XML;
	case MIME_TEXT:
		return noncommittal ? kind_of_name(url) : PAGE_TEXT;
	case MIME_JSON:
		return PAGE_JSON;
	case MIME_SCRIPT:
		return PAGE_SCRIPT;
	case MIME_STYLE:
		return PAGE_CSS;
	case MIME_PDF:
		return PAGE_PDF;
	default:
		return str_starts(body, STR("%PDF-")) ? PAGE_PDF : PAGE_UNKNOWN;
	}
}

static struct str skip_blank(struct str s)
{
	while (s.n && ascii_is_space(*s.p))
		s = str_skip(s, 1);
	return s;
}

/* By the name of the first element; `otherwise` when it is not one of ours. */
static enum page_kind kind_of_xml(struct str head, enum page_kind otherwise,
				  struct arena *a)
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
	return otherwise;
}

/* XML that forgot to say so; a comment in front says nothing. */
static bool may_be_bare_xml(struct str head)
{
	static const struct str starts[] = {
		{ "<!--", 4 }, { "<rss", 4 },    { "<feed", 5 },
		{ "<rdf", 4 }, { "<urlset", 7 }, { "<sitemapindex", 13 },
	};

	for (size_t i = 0; i < COUNT(starts); i++)
		if (str_starts_nocase(head, starts[i]))
			return true;
	return false;
}

enum page_kind page_kind_refine(enum page_kind kind, struct str text, struct arena *a)
{
	struct str head = skip_blank(str_slice(text, 0, HEAD_BYTES));
	bool is_xml = str_starts_nocase(head, STR("<?xml"));

	if (kind == PAGE_XML && head.n && *head.p == '{')
		return PAGE_JSON; /* application/feed+json */
	if (kind == PAGE_XML || (kind == PAGE_TEXT && is_xml))
		return kind_of_xml(head, PAGE_XML, a);
	if (kind == PAGE_HTML && (is_xml || may_be_bare_xml(head)))
		return kind_of_xml(head, PAGE_HTML, a);
	if (kind == PAGE_TEXT && sitemap_is_text(head))
		return PAGE_SITEMAP;
	return kind;
}
