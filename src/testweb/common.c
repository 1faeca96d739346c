/* common.c - the paths that sites of all kinds have. */
#include <string.h>

#include "testweb/link.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"
#include "testweb/way.h"

static void format_sitemap(const struct place *p, struct draft *d)
{
	static const char *const ends[] = { ".xml", ".xml.gz", ".txt" };

	draft_add(d, STR("/sitemap-"));
	draft_add_uint(d, p->item + 1);
	draft_add(d, str_from(ends[p->sub]));
}

static const char *const asset_names[] = { "site.css", "app.js", "robots.txt" };

static void format_asset(const struct place *p, struct draft *d)
{
	if (p->sub == ASSET_IMAGE) {
		draft_add(d, STR("/static/img/"));
		draft_add_uint(d, p->item);
		draft_add(d, STR(".gif"));
	} else {
		draft_add(d, STR("/static/"));
		draft_add(d, str_from(asset_names[p->sub]));
	}
}

static void format_number(struct draft *d, const char *before, uint64_t nr,
			  const char *after)
{
	draft_add(d, str_from(before));
	draft_add_uint(d, nr);
	draft_add(d, str_from(after));
}

bool common_format(const struct world *w, const struct place *p, struct draft *d)
{
	switch ((enum view)p->view) {
	case VIEW_ABOUT:
		draft_add(d, STR("/about.html"));
		return true;
	case VIEW_ARCHIVE:
		format_number(d, "/archive/", p->item / 12, "/");
		draft_add_padded(d, p->item % 12 + 1, 2);
		draft_add(d, STR("/"));
		return true;
	case VIEW_PRIVATE:
		format_number(d, "/private/", p->item, ".html");
		return true;
	case VIEW_GO:
		format_number(d, "/go/", p->item, "");
		return true;
	case VIEW_SHORT:
		format_number(d, "/s/", p->item, "");
		return true;
	case VIEW_TRAP:
		trap_format(w, p, d);
		return true;
	case VIEW_TROUBLE:
		draft_add(d, STR("/trouble/"));
		draft_add(d, str_from(trouble_names[p->sub]));
		format_number(d, "/", p->item, "");
		return true;
	case VIEW_ROBOTS:
		draft_add(d, STR("/robots.txt"));
		return true;
	case VIEW_SITEMAP_INDEX:
		draft_add(d, STR("/sitemap.xml"));
		return true;
	case VIEW_SITEMAP:
		format_sitemap(p, d);
		return true;
	case VIEW_RSS:
		draft_add(d, STR("/feed.xml"));
		return true;
	case VIEW_ATOM:
		draft_add(d, STR("/atom.xml"));
		return true;
	case VIEW_ASSET:
		format_asset(p, d);
		return true;
	case VIEW_MISSING:
		draft_add(d, STR("/no-such-page/"));
		draft_add_uint(d, p->nonce);
		return true;
	case VIEW_CONTROL:
		draft_add(d, STR("/.testweb/"));
		return true;
	default:
		return way_format(p, d);
	}
}

/* A number between a prefix and an ending, and nothing else. */
static bool parse_number(struct str text, const char *before, const char *after,
			 uint32_t *ret)
{
	uint64_t v;

	if (!str_take_prefix(&text, str_from(before)) || !str_ends(text, str_from(after)))
		return false;
	text.n -= strlen(after);
	if (!str_to_uint(text, UINT32_MAX, &v))
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool parse_one_segment(const struct target *t, struct place *p)
{
	static const struct {
		const char *name;
		uint8_t view;
	} fixed[] = {
		{ "robots.txt", VIEW_ROBOTS }, { "sitemap.xml", VIEW_SITEMAP_INDEX },
		{ "feed.xml", VIEW_RSS },      { "atom.xml", VIEW_ATOM },
		{ "about.html", VIEW_ABOUT },
	};
	static const struct {
		const char *end;
		uint8_t form;
	} sitemaps[] = {
		{ ".xml", SITEMAP_XML },
		{ ".xml.gz", SITEMAP_GZ },
		{ ".txt", SITEMAP_TEXT },
	};
	struct str name = t->segments[0];

	for (size_t i = 0; i < COUNT(fixed); i++)
		if (str_eq_nocase(name, str_from(fixed[i].name)))
			return p->view = fixed[i].view, true;
	for (size_t i = 0; i < COUNT(sitemaps); i++)
		if (parse_number(name, "sitemap-", sitemaps[i].end, &p->item) &&
		    p->item > 0) {
			p->item--;
			p->view = VIEW_SITEMAP;
			p->sub = sitemaps[i].form;
			return true;
		}
	return false;
}

static bool parse_static(const struct target *t, struct place *p)
{
	p->view = VIEW_ASSET;
	if (t->n_segments == 3 && str_eq(t->segments[1], STR("img")) &&
	    parse_number(t->segments[2], "", ".gif", &p->item))
		return p->sub = ASSET_IMAGE, true;
	for (unsigned i = 0; i < COUNT(asset_names); i++)
		if (t->n_segments == 2 &&
		    str_eq(t->segments[1], str_from(asset_names[i])))
			return p->sub = (uint8_t)i, true;
	return false;
}

static bool parse_trouble(const struct target *t, struct place *p)
{
	if (t->n_segments != 3)
		return false;
	for (unsigned i = 0; i < TROUBLES; i++)
		if (str_eq(t->segments[1], str_from(trouble_names[i]))) {
			p->view = VIEW_TROUBLE;
			p->sub = (uint8_t)i;
			return parse_number(t->segments[2], "", "", &p->item);
		}
	return false;
}

static bool parse_archive(const struct target *t, struct place *p)
{
	uint32_t year, month;

	if (t->n_segments != 3 || !parse_number(t->segments[1], "", "", &year) ||
	    !parse_number(t->segments[2], "", "", &month) || t->segments[2].n != 2 ||
	    month < 1 || month > 12 || year < 1900 || year > 2100)
		return false;
	p->view = VIEW_ARCHIVE;
	p->item = year * 12 + month - 1;
	return true;
}

static bool parse_two_segments(const struct target *t, struct place *p)
{
	static const struct {
		const char *folder, *end;
		uint8_t view;
	} rows[] = {
		{ "private", ".html", VIEW_PRIVATE },
		{ "go", "", VIEW_GO },
		{ "s", "", VIEW_SHORT },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (str_eq(t->segments[0], str_from(rows[i].folder)) &&
		    parse_number(t->segments[1], "", rows[i].end, &p->item))
			return p->view = rows[i].view, true;
	return false;
}

bool common_parse(const struct world *w, struct target *t, struct place *p)
{
	struct str first = target_segment(t, 0);
	struct place found = *p;
	bool ok = false;

	if (t->n_segments == 0)
		return false;
	if (str_eq(first, STR(".testweb")))
		found.view = VIEW_CONTROL, ok = true;
	else if (str_eq(first, STR("static")))
		ok = parse_static(t, &found);
	else if (str_eq(first, STR("trouble")))
		ok = parse_trouble(t, &found);
	else if (str_eq_nocase(first, STR("archive")))
		ok = parse_archive(t, &found);
	else if (t->n_segments == 1)
		ok = parse_one_segment(t, &found);
	else if (t->n_segments == 2)
		ok = parse_two_segments(t, &found);
	if (!ok)
		ok = trap_parse(w, t, &found);
	if (!ok)
		ok = way_parse(w, t, &found);
	if (ok)
		*p = found;
	return ok;
}
