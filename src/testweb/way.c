#include "testweb/way.h"

#include "base/encode.h"
#include "testweb/feeds.h"
#include "testweb/link.h"

const char *const way_names[WAYS] = {
	"sitemap", "nested",    "packed",  "unannounced", "feed",
	"field",   "canonical", "refresh", "form",
};

static const char *const map_names[MAP_FILES] = {
	"index.xml", "pages.xml", "inner.xml", "nested.xml", "packed.xml.gz",
};

/* robots.txt can be read, so what it names can be known. */
static bool robots_is_read(const struct world *w, uint32_t site)
{
	enum robots_mood mood = robots_mood(w, site);

	return mood != ROBOTS_MISSING && mood != ROBOTS_FORBIDDEN &&
	       mood != ROBOTS_HTML && mood != ROBOTS_BROKEN;
}

bool way_exists(const struct world *w, uint32_t site, enum way way)
{
	const struct site *s = &w->sites[site];

	if (!(w->options.ways & 1u << way) || s->origin != site)
		return false;
	if (way == WAY_UNANNOUNCED)
		return !(s->flags & SITE_SITEMAP);
	if (way <= WAY_PACKED)
		return s->flags & SITE_SITEMAP && robots_is_read(w, site);
	return true;
}

bool way_has_maps(const struct world *w, uint32_t site)
{
	return way_exists(w, site, WAY_SITEMAP) || way_exists(w, site, WAY_NESTED) ||
	       way_exists(w, site, WAY_PACKED);
}

static bool has_door(enum way way)
{
	return way >= WAY_FIELD;
}

static void format_item(const char *folder, uint32_t item, struct draft *d)
{
	draft_add(d, str_from(folder));
	draft_add(d, str_from(way_names[way_of(item)]));
	draft_add(d, STR("/"));
	draft_add_uint(d, item % HIDDEN_EACH + 1);
}

bool way_format(const struct place *p, struct draft *d)
{
	switch ((enum view)p->view) {
	case VIEW_HIDDEN:
		return format_item("/only/", p->item, d), true;
	case VIEW_DOOR:
		return format_item("/door/", p->item, d), true;
	case VIEW_MAP:
		draft_add(d, STR("/maps/"));
		draft_add(d, str_from(map_names[p->item]));
		return true;
	default:
		return false;
	}
}

static bool parse_item(const struct world *w, const struct target *t, struct place *p)
{
	uint64_t nr;

	if (t->n_segments != 3 || t->ends_with_slash ||
	    !str_to_uint(t->segments[2], HIDDEN_EACH, &nr) || nr == 0)
		return false;
	for (unsigned i = 0; i < WAYS; i++)
		if (str_eq(t->segments[1], str_from(way_names[i]))) {
			p->item = i * HIDDEN_EACH + (uint32_t)nr - 1;
			return way_exists(w, p->site, (enum way)i);
		}
	return false;
}

static bool parse_map(const struct world *w, const struct target *t, struct place *p)
{
	for (unsigned i = 0; i < MAP_FILES; i++)
		if (t->n_segments == 2 && str_eq(t->segments[1], str_from(map_names[i])))
			return p->item = i, way_has_maps(w, p->site);
	return false;
}

bool way_parse(const struct world *w, const struct target *t, struct place *p)
{
	struct str first = target_segment(t, 0);

	p->part = p->sub = 0;
	if (str_eq(first, STR("only"))) {
		p->view = VIEW_HIDDEN;
		return parse_item(w, t, p);
	}
	if (str_eq(first, STR("door"))) {
		p->view = VIEW_DOOR;
		return parse_item(w, t, p) && has_door(way_of(p->item));
	}
	p->view = VIEW_MAP;
	return str_eq(first, STR("maps")) && parse_map(w, t, p);
}

/* --- sitemaps and feeds --- */

void way_write_urls(const struct world *w, uint32_t site, enum way way,
		    const char *before, const char *after, struct buf *to)
{
	struct place p = { .site = site, .view = VIEW_HIDDEN };

	for (uint32_t i = 0; i < HIDDEN_EACH && way_exists(w, site, way); i++) {
		p.item = (uint32_t)way * HIDDEN_EACH + i;
		buf_add(to, str_from(before));
		link_write(w, &p, true, to);
		buf_add(to, str_from(after));
	}
}

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define NS  " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"

static void write_urlset(const struct world *w, uint32_t site, enum way way,
			 struct buf *to)
{
	buf_add(to, STR(XML "<urlset" NS));
	way_write_urls(w, site, way, "<url><loc>", "</loc></url>\n", to);
	buf_add(to, STR("</urlset>\n"));
}

static void write_index(const struct world *w, uint32_t site, const uint8_t *files,
			size_t n, struct buf *to)
{
	buf_add(to, STR(XML "<sitemapindex" NS));
	for (size_t i = 0; i < n; i++) {
		struct place p = { .site = site, .view = VIEW_MAP, .item = files[i] };

		buf_add(to, STR("<sitemap><loc>"));
		link_write(w, &p, true, to);
		buf_add(to, STR("</loc></sitemap>\n"));
	}
	buf_add(to, STR("</sitemapindex>\n"));
}

void way_write_map(const struct world *w, uint32_t site, enum hidden_map file,
		   struct buf *to)
{
	static const uint8_t outer[] = { MAP_PAGES, MAP_INNER, MAP_PACKED };
	static const uint8_t inner[] = { MAP_NESTED };

	switch (file) {
	case MAP_INDEX:
		write_index(w, site, outer, COUNT(outer), to);
		break;
	case MAP_INNER:
		write_index(w, site, inner, COUNT(inner), to);
		break;
	case MAP_PAGES:
		write_urlset(w, site, WAY_SITEMAP, to);
		break;
	case MAP_NESTED:
		write_urlset(w, site, WAY_NESTED, to);
		break;
	default:
		write_urlset(w, site, WAY_PACKED, to);
	}
}

void way_write_unannounced(const struct world *w, uint32_t site, struct buf *to)
{
	write_urlset(w, site, WAY_UNANNOUNCED, to);
}

/* --- doors and pages --- */

static struct place behind(const struct place *door)
{
	struct place p = place_canonical(*door);

	p.view = VIEW_HIDDEN;
	return p;
}

void way_write_field(const struct world *w, const struct place *p, struct buf *to)
{
	struct place goal = behind(p);

	if (p->view != VIEW_DOOR || way_of(p->item) != WAY_FIELD)
		return;
	buf_add_char(to, '<');
	link_write(w, &goal, true, to);
	buf_add(to, STR(">; rel=\"next\""));
}

void way_add_head(struct page *page)
{
	struct place goal = behind(&page->at);
	enum way way = way_of(page->at.item);

	if (page->at.view != VIEW_DOOR)
		return;
	if (way == WAY_CANONICAL)
		ADD(page, "<link rel=\"canonical\" href=\"");
	else if (way == WAY_REFRESH)
		ADD(page, "<meta http-equiv=\"refresh\" content=\"0; url=");
	else
		return;
	page_href_exact(page, goal);
	ADD(page, "\">\n");
}

static void render_door(struct page *page)
{
	ADD(page, "<h1>Way in</h1>\n");
	if (way_of(page->at.item) == WAY_FORM) {
		ADD(page, "<form method=\"get\" action=\"");
		page_href_exact(page, behind(&page->at));
		ADD(page, "\"><button>Show</button></form>\n");
	}
}

void way_render(struct page *page)
{
	unsigned nr = page->at.item + 100;
	struct prose p = prose_of_site(page->w, page->content, nr, 180);

	if (page->at.view == VIEW_DOOR)
		return render_door(page);
	ADD(page, "<h1>");
	prose_write_title(&p, page->out);
	ADD(page, "</h1>\n");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
}

void way_add_doors(struct page *page)
{
	uint32_t site = (uint32_t)(page->site - page->w->sites);

	for (unsigned way = WAY_FIELD; way < WAYS; way++) {
		if (!way_exists(page->w, site, (enum way)way))
			continue;
		for (uint32_t i = 0; i < HIDDEN_EACH; i++) {
			page_link_exact(
				page,
				page_place(page, VIEW_DOOR, way * HIDDEN_EACH + i, 0),
				str_from(way_names[way]));
			ADD(page, " ");
		}
	}
}
