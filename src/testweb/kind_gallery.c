/* kind_gallery.c - photographs with a few words each: much template, little text. */
#include "testweb/kind.h"

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];

	if (p->view == VIEW_LIST) {
		draft_add(d, STR("/album/"));
		path_add_category(d, w, p);
		draft_add(d, STR("/"));
		if (p->part)
			draft_param_uint(d, "page", p->part + 1);
		return;
	}
	if (p->alias & ALIAS_DYNAMIC) {
		draft_add(d, STR("/displayimage.php"));
		draft_param_uint(d, "album", item_category(s, p->item));
		draft_param_uint(d, "pos", p->item);
		return;
	}
	struct place category = { .site = p->site, .item = item_category(s, p->item) };

	draft_add(d, STR("/album/"));
	path_add_category(d, w, &category);
	draft_add(d, STR("/photo-"));
	draft_add_uint(d, p->item);
	draft_add(d, STR(".html"));
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	uint64_t v;

	p->view = VIEW_ITEM;
	if (t->n_segments == 1 && segment_is(t, 0, "displayimage.php")) {
		p->alias |= ALIAS_DYNAMIC;
		if (!target_take_uint(t, "pos", UINT32_MAX, &v))
			return false;
		p->item = (uint32_t)v;
		(void)target_take_uint(t, "album", 10000, &v);
		return true;
	}
	if (!segment_is(t, 0, "album") || t->n_segments < 2 || t->n_segments > 3)
		return false;
	if (t->n_segments == 3)
		return segment_number(t->segments[2], "photo-", ".html", &p->item);
	p->view = VIEW_LIST;
	if (!path_find_category(w, p, t->segments[1], &p->item))
		return false;
	if (target_take_uint(t, "page", 1u << 20, &v) && v > 0)
		p->part = (uint32_t)v - 1;
	return true;
}

static void add_thumbnails(struct page *page)
{
	uint32_t item;

	ADD(page, "<div class=\"thumbs\">\n");
	for (uint32_t k = 0;
	     list_item(page->site, page->at.item, page->at.part, k, &item); k++) {
		if (!item_exists(page->w, page->site, item))
			continue;
		ADD(page, "<a href=\"");
		page_href(page, page_place(page, VIEW_ITEM, item, 0));
		ADD(page, "\"><img src=\"/static/img/");
		buf_add_uint(page->out, item);
		ADD(page, ".gif\" alt=\"");
		page_add_title(page, item);
		ADD(page, "\"></a>\n");
	}
	ADD(page, "</div>\n");
	page_add_pager(page, list_pages(page->site, page->at.item));
}

static void render(struct page *page)
{
	uint32_t item = page->at.item;

	if (page->at.view == VIEW_LIST)
		return add_thumbnails(page);
	struct prose p = prose_of_item(page->w, page->content, item);
	uint64_t h = item_hash(page->site, item, ABOUT_EXTRA);

	ADD(page, "<h1>");
	page_add_title(page, item);
	ADD(page, "</h1>\n<img class=\"photo\" src=\"/static/img/");
	buf_add_uint(page->out, item);
	ADD(page, ".gif\" alt=\"\">\n<p class=\"caption\">");
	prose_write(&p, page->out);
	buf_addf(page->out,
		 "</p>\n<p class=\"exif\">f/%u.%u, 1/%u s, ISO %u, DSC_%05u</p>\n",
		 (unsigned)h % 16u + 1, (unsigned)(h >> 4) % 10u,
		 (unsigned)(h >> 8) % 4000u + 1, 100u << (h >> 20) % 6, item);
	ADD(page, "<p>");
	page_link_item(page, (item + page->site->categories) % page->site->n_items);
	ADD(page, "</p>\n");
}

const struct kind kind_gallery = {
	.generator = "Coppermine 1.6",
	.aliases = ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL |
		   ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | ALIAS_MOBILE | ALIAS_DYNAMIC |
		   ALIAS_FOLDER | ALIAS_NEUTRAL | ALIAS_ENCODED | ALIAS_FRAGMENT,
	.words = 14,
	.format = format,
	.parse = parse,
	.render = render,
};
