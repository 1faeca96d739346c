#include "pipeline/outlinks.h"

#include <stdio.h>

#include "base/json.h"

#define AROUND_MAX 500u /* bytes of a paragraph */

static const struct str places[LINK_KINDS] = {
	[LINK_ANCHOR] = STR("a/@href"),      [LINK_AREA] = STR("area/@href"),
	[LINK_HEAD] = STR("link/@href"),     [LINK_FORM] = STR("form/@action"),
	[LINK_FRAME] = STR("iframe/@src"),   [LINK_REFRESH] = STR("meta/@content"),
	[LINK_IMAGE] = STR("img/@src"),      [LINK_MEDIA] = STR("source/@src"),
	[LINK_OBJECT] = STR("object/@data"), [LINK_SCRIPT] = STR("script/@src"),
	[LINK_STYLE] = STR("=EMBED_MISC"),   [LINK_CITE] = STR("q/@cite"),
	[LINK_LAZY] = STR("img/@data-src"),  [LINK_GUESS] = STR("=JS_MISC"),
	[LINK_FEED] = STR("=XML_MISC"),      [LINK_SITEMAP] = STR("=XML_MISC"),
	[LINK_SITEMAPS] = STR("=XML_MISC"),  [LINK_PDF] = STR("=NAVLINK_MISC"),
};

/* The links of a robots.txt stood on no page. */
static const struct link *origin_of(const struct crawl_item *i, size_t k)
{
	return i->origins ? i->origins[k] : NULL;
}

static struct str place_of(const struct link *l)
{
	return l ? places[l->kind] : STR("=HEADER_MISC");
}

void outlinks_add_lines(const struct crawl_item *i, struct buf *to)
{
	for (size_t k = 0; k < i->n_links; k++) {
		buf_add(to, STR("outlink: "));
		buf_add(to, i->links[k].url);
		buf_add_char(to, ' ');
		buf_add_char(to, (char)i->links[k].hop);
		buf_add_char(to, ' ');
		buf_add(to, place_of(origin_of(i, k)));
		buf_add(to, STR("\r\n"));
	}
}

/* --- as JSON --- */

static const struct {
	uint32_t bit;
	struct str name;
} rels[] = {
	{ REL_NOFOLLOW, STR("nofollow") },
	{ REL_UGC, STR("ugc") },
	{ REL_SPONSORED, STR("sponsored") },
	{ REL_CANONICAL, STR("canonical") },
	{ REL_ALTERNATE, STR("alternate") },
	{ REL_NEXT, STR("next") },
	{ REL_PREV, STR("prev") },
	{ REL_AUTHOR, STR("author") },
	{ REL_LICENSE, STR("license") },
	{ REL_TAG, STR("tag") },
	{ REL_BOOKMARK, STR("bookmark") },
	{ REL_STYLESHEET, STR("stylesheet") },
	{ REL_ICON, STR("icon") },
	{ REL_SHORTLINK, STR("shortlink") },
	{ REL_FIRST, STR("first") },
	{ REL_LAST, STR("last") },
	{ REL_UP, STR("up") },
	{ REL_EXTERNAL, STR("external") },
};

static const struct {
	uint16_t bit;
	struct str name;
} regions[] = {
	{ REGION_NAV, STR("nav") },         { REGION_HEADER, STR("header") },
	{ REGION_FOOTER, STR("footer") },   { REGION_ASIDE, STR("aside") },
	{ REGION_MAIN, STR("main") },       { REGION_ARTICLE, STR("article") },
	{ REGION_HEADING, STR("heading") }, { REGION_LIST, STR("list") },
	{ REGION_TABLE, STR("table") },     { REGION_FORM, STR("form") },
};

static void put_origin(struct json_out *o, const struct link *l)
{
	char path[24];

	json_put_str(o, "text", l->text);
	if (l->around.n > l->text.n)
		json_put_str(o, "around", str_slice(l->around, 0, AROUND_MAX));
	if (l->rel) {
		json_key(o, STR("rel"));
		json_open(o, '[');
		for (size_t k = 0; k < COUNT(rels); k++)
			if (l->rel & rels[k].bit)
				json_add_str(o, rels[k].name);
		json_close(o, ']');
	}
	if (l->region) {
		json_key(o, STR("region"));
		json_open(o, '[');
		for (size_t k = 0; k < COUNT(regions); k++)
			if (l->region & regions[k].bit)
				json_add_str(o, regions[k].name);
		json_close(o, ']');
	}
	int n = snprintf(path, sizeof(path), "%016llx", (unsigned long long)l->path);
	json_put_str(o, "path", (struct str){ path, (size_t)n });
}

void outlinks_add_json(const struct crawl_item *i, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "url", i->step.task.url);
	json_key(&o, STR("links"));
	json_open(&o, '[');
	for (size_t k = 0; k < i->n_links; k++) {
		char hop[2] = { (char)i->links[k].hop, '\0' };

		json_open(&o, '{');
		json_put_str(&o, "url", i->links[k].url);
		json_put_str(&o, "hop", str_from(hop));
		json_put_str(&o, "element", place_of(origin_of(i, k)));
		if (origin_of(i, k))
			put_origin(&o, origin_of(i, k));
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(to, '\n');
}

static void add_field(struct buf *to, const char *name, struct str value)
{
	if (value.n > 0)
		buf_addf(to, "%s: " STR_FMT "\r\n", name, STR_ARG(value));
}

void outlinks_keep(struct crawl_item *i, enum outlinks how, struct buf *scratch)
{
	buf_reset(scratch);
	add_field(scratch, "robotsLine", i->robots_line);
	add_field(scratch, "contentSignal", i->content_signal);
	if (how != OUTLINKS_NO)
		outlinks_add_lines(i, scratch);
	i->fields = arena_copy(&i->arena, buf_str(scratch));
	if (how != OUTLINKS_JSON || i->n_links == 0)
		return;
	buf_reset(scratch);
	outlinks_add_json(i, scratch);
	i->outlinks = arena_copy(&i->arena, buf_str(scratch));
}
