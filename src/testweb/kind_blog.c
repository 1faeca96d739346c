/* kind_blog.c - dated posts under readable addresses, with comments. */
#include "base/date.h"
#include "testweb/kind.h"

#define FIRST_ID 100u

static void format_item(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];

	if (p->alias & ALIAS_DYNAMIC) {
		draft_add(d, STR("/"));
		draft_param_uint(d, "p", p->item + FIRST_ID);
		return;
	}
	path_add_date(d, item_date_ms(s, p->item));
	path_add_slug(d, w, p, '-', false);
	draft_add(d, p->alias & ALIAS_AMP ? STR("/amp/") : STR("/"));
	if (p->alias & ALIAS_PRINT)
		draft_param_uint(d, "print", 1);
}

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	if (p->view == VIEW_ITEM)
		return format_item(w, p, d);
	draft_add(d, STR("/category/"));
	path_add_category(d, w, p);
	draft_add(d, STR("/"));
	if (p->part > 0) {
		draft_add(d, STR("page/"));
		draft_add_uint(d, p->part + 1);
		draft_add(d, STR("/"));
	}
}

/* The date must be the post's own. */
static bool has_date(const struct world *w, const struct place *p, const struct target *t)
{
	struct draft d;
	struct str rest, one;

	draft_reset(&d);
	path_add_date(&d, item_date_ms(&w->sites[p->site], p->item));
	rest = str_skip(draft_path(&d), 1);
	for (unsigned i = 0; str_take_until(&rest, '/', &one); i++)
		if (!str_eq(one, target_segment(t, i)))
			return false;
	return true;
}

static bool parse_list(const struct world *w, const struct target *t, struct place *p)
{
	uint32_t page = 1;

	p->view = VIEW_LIST;
	if (!path_find_category(w, p, target_segment(t, 1), &p->item))
		return false;
	if (t->n_segments == 4 && segment_is(t, 2, "page") &&
	    segment_number(t->segments[3], "", "", &page) && page > 1)
		p->part = page - 1;
	return t->n_segments == 2 || p->part > 0;
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	uint64_t id;
	struct str one;

	if (segment_is(t, 0, "category"))
		return parse_list(w, t, p);
	p->view = VIEW_ITEM;
	if (t->n_segments == 0 && target_take_uint(t, "p", UINT32_MAX, &id) &&
	    id >= FIRST_ID) {
		p->alias |= ALIAS_DYNAMIC;
		p->item = (uint32_t)id - FIRST_ID;
		return true;
	}
	if (t->n_segments < 4 || t->n_segments > 5 ||
	    !path_find_slug(w, p, t->segments[3], '-', &p->item) || !has_date(w, p, t))
		return false;
	if (t->n_segments == 5 && !segment_is(t, 4, "amp"))
		return false;
	p->alias |= t->n_segments == 5 ? ALIAS_AMP : 0;
	if (w->sites[p->site].aliases & ALIAS_PRINT && target_take(t, "print", &one))
		p->alias |= ALIAS_PRINT;
	return true;
}

static void add_comments(struct page *page, const struct prose *p)
{
	unsigned n = (unsigned)(hash_mix(p->edit_key) % 5);

	if (n)
		ADD(page, "<section class=\"comments\"><h3>Comments</h3>\n");
	for (unsigned i = 0; i < n; i++) {
		struct prose comment =
			prose_fork(p, 10 + i, 12 + (unsigned)(p->edit_key >> 8 * i) % 40);

		comment.key ^= p->edit_key; /* a reprinted post has readers of its own */
		ADD(page, "<div class=\"comment\"><b>");
		page_add_person(page, (uint32_t)(comment.key % 5000));
		ADD(page, "</b><p>");
		prose_write(&comment, page->out);
		ADD(page, "</p></div>\n");
	}
	if (n)
		ADD(page, "</section>\n");
}

/* The same for machines. */
static void add_facts(struct page *page)
{
	uint32_t item = page->at.item;

	ADD(page,
	    "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\","
	    "\"@type\":\"BlogPosting\",\"headline\":\"");
	page_add_title(page, item);
	ADD(page, "\",\"author\":{\"@type\":\"Person\",\"name\":\"");
	page_add_person(page, item % 7);
	ADD(page, "\"},\"datePublished\":\"");
	buf_add_date_iso(page->out, item_date_ms(page->site, item), false);
	ADD(page, "\"}</script>\n");
}

static void render(struct page *page)
{
	uint32_t item = page->at.item;

	if (page->at.view == VIEW_LIST)
		return page_add_list(page, 30);
	struct prose p = prose_of_item(page->w, page->content, item);

	ADD(page, "<article class=\"post hentry\"><h1 class=\"entry-title\">");
	page_add_title(page, item);
	ADD(page, "</h1>\n<p class=\"meta\">");
	page_add_date(page, item_date_ms(page->site, item));
	ADD(page, " by ");
	page_add_person(page, item % 7);
	ADD(page, "</p>\n<div class=\"entry-content\">\n");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	ADD(page, "</div>\n");
	if (page->at.alias & ALIAS_MARK)
		ADD(page, "<form class=\"reply\"><h3>Reply to this comment</h3>"
			  "<textarea></textarea></form>\n");
	if (!page->bare)
		add_comments(page, &p);
	ADD(page, "</article>\n");
	add_facts(page);
}

const struct kind kind_blog = {
	.generator = "WordPress 6.4.2",
	.aliases = ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL |
		   ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | ALIAS_PRINT | ALIAS_MOBILE |
		   ALIAS_AMP | ALIAS_DYNAMIC | ALIAS_FOLDER | ALIAS_NEUTRAL | ALIAS_MARK |
		   ALIAS_ENCODED | ALIAS_FRAGMENT,
	.words = 300,
	.format = format,
	.parse = parse,
	.render = render,
};
