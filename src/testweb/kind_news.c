/* kind_news.c - articles whose address holds date, section and words, but only the number
 * counts. */
#include "testweb/kind.h"

#define FIRST_ID 10000u

static void format_item(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];
	struct place category = { .site = p->site, .item = item_category(s, p->item) };

	if (p->alias & ALIAS_DYNAMIC) {
		draft_add(d, STR("/article.php"));
		draft_param(d, "section", category_name(w, s, category.item));
		draft_param_uint(d, "id", p->item + FIRST_ID);
		return;
	}
	if (p->alias & ALIAS_PRINT) {
		draft_add(d, STR("/print/"));
		draft_add_uint(d, p->item + FIRST_ID);
		return;
	}
	if (p->alias & ALIAS_AMP)
		draft_add(d, STR("/amp"));
	path_add_date(d, item_date_ms(s, p->item));
	path_add_category(d, w, &category);
	draft_add(d, STR("/"));
	if (p->alias & ALIAS_SLUG)
		path_add_idle_slug(d, w, p->nonce, '-');
	else
		path_add_slug(d, w, p, '-', false);
	draft_add(d, STR("-"));
	draft_add_uint(d, p->item + FIRST_ID);
	draft_add(d, STR(".html"));
}

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	if (p->view == VIEW_ITEM)
		return format_item(w, p, d);
	draft_add(d, STR("/section/"));
	path_add_category(d, w, p);
	draft_add(d, STR("/"));
	if (p->part > 0)
		draft_param_uint(d, "page", p->part + 1);
}

static bool take_id(uint32_t id, struct place *p)
{
	if (id < FIRST_ID)
		return false;
	p->item = id - FIRST_ID;
	return true;
}

static bool parse_readable(const struct world *w, const struct target *t, unsigned at,
			   struct place *p)
{
	struct str last = target_segment(t, at + 4), slug;
	size_t dash = str_rfind_char(last, '-');
	uint32_t id, item;

	if (t->n_segments != at + 5 || dash == STR_NONE ||
	    !segment_number(str_skip(last, dash + 1), "", ".html", &id) ||
	    !take_id(id, p))
		return false;
	slug = str_slice(last, 0, dash);
	if (!path_find_slug(w, p, slug, '-', &item) || item != p->item)
		p->alias |= ALIAS_SLUG;
	return p->item < w->sites[p->site].n_items;
}

static bool parse_list(const struct world *w, struct target *t, struct place *p)
{
	uint64_t page = 1;

	p->view = VIEW_LIST;
	if (t->n_segments != 2 || !path_find_category(w, p, t->segments[1], &p->item))
		return false;
	if (target_take_uint(t, "page", 1u << 20, &page) && page > 0)
		p->part = (uint32_t)page - 1;
	return true;
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	uint64_t id;
	uint32_t nr;
	struct str section;

	if (segment_is(t, 0, "section"))
		return parse_list(w, t, p);
	p->view = VIEW_ITEM;
	if (segment_is(t, 0, "article.php") &&
	    target_take_uint(t, "id", UINT32_MAX, &id)) {
		(void)target_take(t, "section", &section);
		p->alias |= ALIAS_DYNAMIC;
		return take_id((uint32_t)id, p);
	}
	if (segment_is(t, 0, "print") && t->n_segments == 2) {
		p->alias |= ALIAS_PRINT;
		return segment_number(t->segments[1], "", "", &nr) && take_id(nr, p);
	}
	if (segment_is(t, 0, "amp")) {
		p->alias |= ALIAS_AMP;
		return parse_readable(w, t, 1, p);
	}
	return parse_readable(w, t, 0, p);
}

static void render(struct page *page)
{
	uint32_t item = page->at.item;

	if (page->at.view == VIEW_LIST)
		return page_add_list(page, 40);
	struct prose p = prose_of_item(page->w, page->content, item);

	ADD(page, "<article itemtype=\"http://schema.org/NewsArticle\"><h1>");
	page_add_title(page, item);
	ADD(page, "</h1>\n<p class=\"byline\">By ");
	page_add_person(page, item % 23);
	ADD(page, ", ");
	page_add_date(page, item_date_ms(page->site, item));
	ADD(page, "</p>\n<figure><img src=\"/static/img/");
	buf_add_uint(page->out, item % 100);
	ADD(page, ".gif\" alt=\"\"></figure>\n");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	ADD(page, "</article>\n");
}

const struct kind kind_news = {
	.generator = NULL,
	.aliases = ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL |
		   ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | ALIAS_PRINT | ALIAS_MOBILE |
		   ALIAS_AMP | ALIAS_DYNAMIC | ALIAS_SLUG | ALIAS_FOLDER | ALIAS_NEUTRAL |
		   ALIAS_ENCODED | ALIAS_FRAGMENT,
	.words = 380,
	.format = format,
	.parse = parse,
	.render = render,
};
