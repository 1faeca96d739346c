/* kind_shop.c - products under any words and a number, variants that differ in little. */
#include "testweb/kind.h"

#define FIRST_ID 5000000u

static void format_product(const struct world *w, const struct place *p, struct draft *d)
{
	if (p->alias & ALIAS_DYNAMIC) {
		draft_add(d, STR("/product.php"));
		draft_param_uint(d, "id", p->item + FIRST_ID);
		draft_param_uint(d, "cat", item_category(&w->sites[p->site], p->item));
		return;
	}
	draft_add(d, STR("/"));
	if (p->alias & ALIAS_SLUG)
		path_add_idle_slug(d, w, p->nonce, '-');
	else
		path_add_slug(d, w, p, '-', false);
	draft_add(d, STR("/dp/B"));
	draft_add_uint(d, p->item + FIRST_ID);
	if (p->alias & ALIAS_PRINT)
		draft_param(d, "print", STR("yes"));
}

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	if (p->view == VIEW_ITEM)
		return format_product(w, p, d);
	if (p->view == VIEW_ACTION) {
		draft_add(d, STR("/cart/add"));
		draft_param_uint(d, "product", p->item + FIRST_ID);
		return;
	}
	draft_add(d, STR("/c/"));
	path_add_category(d, w, p);
	draft_add(d, STR("/"));
	if (p->part)
		draft_param_uint(d, "page", p->part + 1);
}

static bool take_id(uint64_t id, struct place *p)
{
	if (id < FIRST_ID)
		return false;
	p->item = (uint32_t)id - FIRST_ID;
	return true;
}

static bool parse_list(const struct world *w, struct target *t, struct place *p)
{
	uint64_t page = 1;

	p->view = VIEW_LIST;
	if (!path_find_category(w, p, t->segments[1], &p->item))
		return false;
	if (target_take_uint(t, "page", 1u << 20, &page) && page > 0)
		p->part = (uint32_t)page - 1;
	return true;
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	uint32_t id, item;
	uint64_t v;
	struct str text;

	if (t->n_segments == 2 && segment_is(t, 0, "c"))
		return parse_list(w, t, p);
	if (t->n_segments == 2 && segment_is(t, 0, "cart")) {
		p->view = VIEW_ACTION;
		p->part = ACTION_CART;
		return target_take_uint(t, "product", UINT32_MAX, &v) && take_id(v, p);
	}
	p->view = VIEW_ITEM;
	if (t->n_segments == 1 && segment_is(t, 0, "product.php")) {
		p->alias |= ALIAS_DYNAMIC;
		if (!target_take_uint(t, "id", UINT32_MAX, &v) || !take_id(v, p))
			return false;
		(void)target_take_uint(t, "cat", 10000, &v);
		return true;
	}
	if (t->n_segments != 3 || !segment_is(t, 1, "dp") ||
	    !segment_number(t->segments[2], "B", "", &id) || !take_id(id, p))
		return false;
	if (!path_find_slug(w, p, t->segments[0], '-', &item) || item != p->item)
		p->alias |= ALIAS_SLUG;
	if (w->sites[p->site].aliases & ALIAS_PRINT && target_take(t, "print", &text))
		p->alias |= ALIAS_PRINT;
	return true;
}

static void add_table(struct page *page, uint32_t item)
{
	static const char *const colours[] = {
		"red",  "blue",  "green", "black", "white",
		"grey", "brown", "pink",  "teal",  "ochre"
	};
	static const char *const sizes[] = { "XS", "S", "M", "L", "XL", "XXL" };
	uint64_t h = item_hash(page->site, item, ABOUT_VARIANT);

	buf_addf(page->out,
		 "<table class=\"facts\"><tr><th>Colour</th><td>%s</td></tr>"
		 "<tr><th>Size</th><td>%s</td></tr><tr><th>Article</th><td>B%u</td></tr>"
		 "<tr><th>Weight</th><td>%u "
		 "g</td></tr><tr><th>Price</th><td>%u.%02u</td></tr>"
		 "<tr><th>In stock</th><td>%u</td></tr></table>\n",
		 colours[(h + item) % 10], sizes[(h >> 8) % 6], item + FIRST_ID,
		 (unsigned)(h >> 16) % 5000u, (unsigned)(h >> 32) % 400u,
		 (unsigned)(h >> 40) % 100u, (unsigned)(h >> 48) % 50u);
}

static void add_variants(struct page *page, uint32_t item)
{
	uint32_t first = item - item % 4;

	for (uint32_t i = first; i < first + 3 && i < page->site->n_items; i++)
		if (i != item &&
		    item_family(page->site, i) == item_family(page->site, item)) {
			ADD(page, "<p>Also as: ");
			page_link_item(page, i);
			ADD(page, "</p>\n");
		}
}

static void render(struct page *page)
{
	uint32_t item = page->at.item;

	if (page->at.view == VIEW_LIST)
		return page_add_list(page, 12);
	struct prose p = prose_of_item(page->w, page->content, item);

	ADD(page, "<div class=\"product\"><h1>");
	page_add_title(page, item);
	ADD(page, "</h1>\n<img src=\"/static/img/");
	buf_add_uint(page->out, item % 100);
	ADD(page, ".gif\" alt=\"\">\n");
	add_table(page, item);
	ADD(page, "<div class=\"description\">");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	ADD(page, "</div>\n");
	if (!page->bare) {
		add_variants(page, item);
		page_link_exact(page, page_place(page, VIEW_ACTION, item, ACTION_CART),
				STR("Add to cart"));
	}
	ADD(page, "</div>\n");
}

const struct kind kind_shop = {
	.generator = NULL,
	.aliases = ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL |
		   ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | ALIAS_PRINT | ALIAS_MOBILE |
		   ALIAS_DYNAMIC | ALIAS_SLUG | ALIAS_FOLDER | ALIAS_NEUTRAL |
		   ALIAS_ENCODED | ALIAS_FRAGMENT,
	.words = 90,
	.format = format,
	.parse = parse,
	.render = render,
};
