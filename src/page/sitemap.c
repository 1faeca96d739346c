#include "page/sitemap.h"

#include "html/xml.h"
#include "page/links.h"

static const struct link_place nowhere = { .block = UINT32_MAX };

/* What one <url> or <sitemap> has said so far. */
struct entry {
	struct str loc, date, title;
};

static void add_entry(struct links *l, enum link_kind kind, struct entry *e)
{
	struct link *link = links_add(l, kind, e->loc, &nowhere);

	if (link) {
		link->date = e->date;
		link->text = e->title;
	}
	*e = (struct entry){ 0 };
}

/* The last one may never have been closed; and some forget the <loc>. */
static void start_entry(struct links *l, enum link_kind kind, struct xml_cursor *c,
			struct entry *e)
{
	add_entry(l, kind, e);
	e->loc = xml_text(c);
}

/* <xhtml:link rel="alternate" hreflang="de" href="..."/> */
static void add_translation(struct links *l, const struct xml_cursor *c)
{
	struct link *link =
		links_add(l, LINK_SITEMAP, xml_attr(c, STR("href")), &nowhere);

	if (link) {
		link->rel = links_parse_rel(xml_attr(c, STR("rel")));
		link->hreflang = xml_attr(c, STR("hreflang"));
	}
}

static void read_element(struct links *l, struct xml_cursor *c,
			 const struct xml_element *e, struct entry *entry)
{
	bool is_image = str_eq(e->prefix, STR("image")),
	     is_video = str_eq(e->prefix, STR("video"));

	if (str_eq(e->name, STR("loc"))) {
		struct str url = xml_text(c);

		if (is_image)
			links_add(l, LINK_IMAGE, url, &nowhere);
		else
			entry->loc = url;
	} else if (str_eq(e->name, STR("lastmod"))) {
		entry->date = xml_text(c);
	} else if (str_eq(e->name, STR("title")) && !is_image) {
		entry->title = xml_text(c);
	} else if (str_eq(e->name, STR("link"))) {
		add_translation(l, c);
	} else if (is_video && str_eq(e->name, STR("thumbnail_loc"))) {
		links_add(l, LINK_IMAGE, xml_text(c), &nowhere);
	} else if (is_video && (str_eq(e->name, STR("content_loc")) ||
				str_eq(e->name, STR("player_loc")))) {
		links_add(l, LINK_MEDIA, xml_text(c), &nowhere);
	}
}

static void finish(const struct links *l, struct page *ret)
{
	ret->links = l->v;
	ret->n_links = l->n;
	ret->cut |= (l->cut ? CUT_LINKS : 0) | (l->url_cut ? CUT_URL : 0);
}

void sitemap_read_xml(struct str xml, const struct page_options *options, struct arena *a,
		      struct page *ret)
{
	struct xml_cursor *c = xml_start(xml, a);
	struct entry entry = { 0 };
	struct xml_element e;
	struct links l;

	links_start(&l, page_options_filled(options).max_links, a);
	ret->kind = PAGE_SITEMAP;
	while (!l.cut && xml_next(c, &e)) {
		bool is_url = str_eq(e.name, STR("url")),
		     is_map = str_eq(e.name, STR("sitemap"));

		if (str_eq(e.name, STR("sitemapindex")))
			ret->kind = PAGE_SITEMAP_INDEX;
		else if (e.is_end && (is_url || is_map))
			add_entry(&l, is_map ? LINK_SITEMAPS : LINK_SITEMAP, &entry);
		else if (is_url || is_map)
			start_entry(&l, is_map ? LINK_SITEMAPS : LINK_SITEMAP, c, &entry);
		else if (!e.is_end)
			read_element(&l, c, &e, &entry);
	}
	add_entry(&l, ret->kind == PAGE_SITEMAP ? LINK_SITEMAP : LINK_SITEMAPS, &entry);
	finish(&l, ret);
}

static bool is_http(struct str s)
{
	return str_starts_nocase(s, STR("http://")) ||
	       str_starts_nocase(s, STR("https://"));
}

bool sitemap_is_text(struct str text)
{
	struct str line;
	unsigned urls = 0;

	str_take_prefix(&text, STR("\xef\xbb\xbf"));
	while (urls < 16 && str_take_line(&text, &line)) {
		line = str_trim(line);
		if (!line.n)
			continue;
		if (!is_http(line) || str_find_char(line, ' ') != STR_NONE)
			return false;
		urls++;
	}
	return urls > 0;
}

void sitemap_read_text(struct str text, const struct page_options *options,
		       struct arena *a, struct page *ret)
{
	struct links l;
	struct str line;

	links_start(&l, page_options_filled(options).max_links, a);
	ret->kind = PAGE_SITEMAP;
	str_take_prefix(&text, STR("\xef\xbb\xbf"));
	while (!l.cut && str_take_line(&text, &line))
		if (is_http(str_trim(line)))
			links_add(&l, LINK_SITEMAP, line, &nowhere);
	finish(&l, ret);
}
