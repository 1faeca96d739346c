#include "testweb/feeds.h"

#include "base/date.h"
#include "base/encode.h"
#include "testweb/link.h"
#include "testweb/page.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"
#include "testweb/way.h"

#define FEED_ITEMS 20u

enum robots_mood robots_mood(const struct world *w, uint32_t site)
{
	const struct site *s = &w->sites[site];
	uint64_t h = hash_mix(s->key + 0x0b07);

	if (s->flags & SITE_CLOSED)
		return ROBOTS_BROKEN;
	if (!(w->options.troubles & 1u << TROUBLE_ROBOTS) || h % 10 < 5)
		return ROBOTS_FINE;
	return (enum robots_mood)(1 + (h >> 8) % (ROBOTS_BROKEN - 1));
}

uint32_t robots_forbidden_traps(const struct site *s)
{
	uint32_t bits = 0;

	if (s->style & 16)
		bits |= 1u << TRAP_CALENDAR;
	if (s->style & 32)
		bits |= 1u << TRAP_ECHO;
	return bits;
}

bool robots_forbids(const struct world *w, const struct place *p)
{
	enum robots_mood mood = robots_mood(w, p->site);

	if (p->view == VIEW_ROBOTS)
		return false;
	if (mood == ROBOTS_BROKEN)
		return true;
	if (mood == ROBOTS_MISSING || mood == ROBOTS_FORBIDDEN || mood == ROBOTS_HTML)
		return false;
	if (p->view == VIEW_PRIVATE)
		return true;
	return p->view == VIEW_TRAP &&
	       robots_forbidden_traps(&w->sites[p->site]) & 1u << p->sub;
}

static void add_rules(const struct site *s, struct buf *to)
{
	uint32_t traps = robots_forbidden_traps(s);

	buf_add(to, STR("User-agent: *\nDisallow: /private/\n"));
	if (traps & 1u << TRAP_CALENDAR)
		buf_add(to, STR("Disallow: /calendar/\n"));
	if (traps & 1u << TRAP_ECHO)
		buf_add(to, STR("Disallow: /search?*q=\n"));
	buf_add(to, STR("Allow: /static/\n"));
	if (s->crawl_delay_ms)
		buf_addf(to, "Crawl-delay: %u.%u\n", s->crawl_delay_ms / 1000u,
			 s->crawl_delay_ms / 100u % 10u);
}

void robots_write(const struct world *w, uint32_t site, struct buf *to)
{
	const struct site *s = &w->sites[site];
	struct place index = { .site = site, .view = VIEW_SITEMAP_INDEX };
	enum robots_mood mood = robots_mood(w, site);

	if (mood == ROBOTS_ODD)
		buf_add(to,
			STR("\xef\xbb\xbfthis line is no rule\r\nNoindex: /x\r\n\r\n"));
	buf_add(to, STR("# robots.txt of "));
	buf_add(to, site_name(s));
	buf_add(to, STR("\n"));
	add_rules(s, to);
	buf_add(to,
		STR("\nUser-agent: examplebot\nUser-agent: otherbot\nDisallow: /\n\n"));
	if (s->flags & SITE_SITEMAP) {
		buf_add(to, STR("Sitemap: "));
		link_write(w, &index, true, to);
		buf_add(to, STR("\n"));
	}
	if (way_has_maps(w, site)) {
		struct place map = { .site = site, .view = VIEW_MAP, .item = MAP_INDEX };

		buf_add(to, STR("Sitemap: "));
		link_write(w, &map, true, to);
		buf_add(to, STR("\n"));
	}
	if (mood == ROBOTS_LONG)
		for (unsigned i = 0; i < 20000; i++)
			buf_addf(to, "Disallow: /nowhere/%u/nothing/\n", i);
}

uint32_t sitemap_count(const struct site *s)
{
	return (s->n_items + SITEMAP_URLS - 1) / SITEMAP_URLS;
}

enum sitemap_form sitemap_form(const struct site *s, uint32_t nr)
{
	return (enum sitemap_form)((nr + s->style) % 3);
}

bool sitemap_has(const struct site *s, uint32_t item)
{
	return s->flags & SITE_SITEMAP && item_hash(s, item, ABOUT_SITEMAP) % 10 < 8;
}

void sitemap_write_index(const struct world *w, uint32_t site, struct buf *to)
{
	const struct site *s = &w->sites[site];

	buf_add(to, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex "
			"xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"));
	for (uint32_t i = 0; i < sitemap_count(s); i++) {
		struct place p = { .site = site, .view = VIEW_SITEMAP, .item = i };

		p.sub = (uint8_t)sitemap_form(s, i);
		buf_add(to, STR("<sitemap><loc>"));
		link_write(w, &p, true, to);
		buf_add(to, STR("</loc></sitemap>\n"));
	}
	buf_add(to, STR("</sitemapindex>\n"));
}

static void add_xml_url(const struct world *w, const struct place *p, struct buf *to)
{
	cleanup(buf_release) struct buf url = { 0 };

	link_write(w, p, true, &url);
	buf_add_markup(to, buf_str(&url));
}

void sitemap_write(const struct world *w, uint32_t site, uint32_t nr, struct buf *to)
{
	const struct site *s = &w->sites[site];
	bool text = sitemap_form(s, nr) == SITEMAP_TEXT;

	if (!text)
		buf_add(to,
			STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset "
			    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"));
	for (uint32_t i = nr * SITEMAP_URLS; i < MIN((nr + 1) * SITEMAP_URLS, s->n_items);
	     i++) {
		struct place p = { .site = site, .view = VIEW_ITEM, .item = i };

		if (!sitemap_has(s, i) || !item_exists(w, s, i))
			continue;
		if (text) {
			link_write(w, &p, true, to);
			buf_add_char(to, '\n');
			continue;
		}
		buf_add(to, STR("<url><loc>"));
		add_xml_url(w, &p, to);
		buf_add(to, STR("</loc><lastmod>"));
		buf_add_date_iso(to, item_edited_ms(w, s, i), false);
		buf_add(to, STR("</lastmod></url>\n"));
	}
	if (!text)
		buf_add(to, STR("</urlset>\n"));
}

/* The newest items that are there. */
static bool feed_item(const struct world *w, const struct site *s, uint32_t k,
		      uint32_t *ret)
{
	if (k >= s->n_items)
		return false;
	*ret = s->n_items - 1 - k;
	return item_exists(w, s, *ret);
}

static void add_summary(const struct world *w, uint32_t site, uint32_t item,
			struct buf *to)
{
	struct prose p = prose_of_item(w, site, item);

	p.length = MIN(p.length, 60u);
	buf_add(to, STR("<![CDATA["));
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>"), to);
	buf_add(to, STR("<p>5 < 6 & \"more\"</p>]]>"));
}

void rss_write(const struct world *w, uint32_t site, struct buf *to)
{
	const struct site *s = &w->sites[site];
	struct place front = { .site = site, .view = VIEW_FRONT };
	uint32_t item;

	buf_add(to,
		STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\">"
		    "<channel><title><![CDATA["));
	buf_add(to, site_name(s));
	buf_add(to, STR("]]></title><link>"));
	link_write(w, &front, true, to);
	buf_add(to, STR("</link>\n"));
	for (uint32_t k = 0; k < FEED_ITEMS; k++) {
		if (!feed_item(w, s, k, &item))
			continue;
		struct place p = { .site = site, .view = VIEW_ITEM, .item = item };

		buf_add(to, STR("<item><title>"));
		item_write_title(w, site, item, to);
		buf_add(to, STR("</title><link>"));
		add_xml_url(w, &p, to);
		buf_add(to, STR("</link><pubDate>"));
		buf_add_date_http(to, item_date_ms(s, item));
		buf_add(to, STR("</pubDate><description>"));
		add_summary(w, site, item, to);
		buf_add(to, STR("</description></item>\n"));
	}
	way_write_urls(w, site, WAY_FEED, "<item><title>More</title><link>",
		       "</link></item>\n", to);
	buf_add(to, STR("</channel></rss>\n"));
}

void atom_write(const struct world *w, uint32_t site, struct buf *to)
{
	const struct site *s = &w->sites[site];
	uint32_t item;

	buf_add(to, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>"));
	buf_add(to, site_name(s));
	buf_add(to, STR("</title>\n"));
	for (uint32_t k = 0; k < FEED_ITEMS; k++) {
		if (!feed_item(w, s, k, &item))
			continue;
		struct place p = { .site = site, .view = VIEW_ITEM, .item = item };

		buf_add(to, STR("<entry><title>"));
		item_write_title(w, site, item, to);
		buf_add(to, STR("</title><link href=\""));
		add_xml_url(w, &p, to);
		buf_add(to, STR("\"/><updated>"));
		buf_add_date_iso(to, item_edited_ms(w, s, item), false);
		buf_add(to, STR("</updated><content type=\"html\">"));
		add_summary(w, site, item, to);
		buf_add(to, STR("</content></entry>\n"));
	}
	way_write_urls(w, site, WAY_FEED, "<entry><title>More</title><link href=\"",
		       "\"/></entry>\n", to);
	buf_add(to, STR("</feed>\n"));
}
