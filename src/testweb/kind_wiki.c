/* kind_wiki.c - titles as addresses, old revisions, histories, links within the text. */
#include "testweb/kind.h"

static void add_title(struct draft *d, const struct world *w, const struct place *p)
{
	path_add_slug(d, w, p, '_', true);
}

/* The title as a parameter: written as a path first, then moved. */
static void add_title_param(struct draft *d, const struct world *w, const struct place *p)
{
	struct draft_param *to = &d->params[d->n_params++];
	uint16_t before = d->path_n;

	add_title(d, w, p);
	to->name = "title";
	to->n = (uint16_t)MIN(d->path_n - before, DRAFT_VALUE_MAX);
	for (uint16_t i = 0; i < to->n; i++)
		to->value[i] = d->path[before + i];
	d->path_n = before;
}

static void format_list(const struct world *w, const struct place *p, struct draft *d)
{
	if (p->item == LIST_ALL) {
		draft_add(d, STR("/wiki/Special:AllPages"));
	} else {
		draft_add(d, STR("/wiki/Category:"));
		path_add_category(d, w, p);
	}
	if (p->part)
		draft_param_uint(d, "from", p->part);
}

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	bool script = p->view == VIEW_REVISION || p->view == VIEW_ACTION ||
		      p->alias & (ALIAS_DYNAMIC | ALIAS_PRINT);

	if (p->view == VIEW_LIST)
		return format_list(w, p, d);
	if (p->view == VIEW_PROFILE) {
		draft_add(d, STR("/wiki/User:"));
		draft_add_uint(d, p->item);
		return;
	}
	draft_add(d, script ? STR("/index.php") : STR("/wiki/"));
	if (!script)
		return add_title(d, w, p);
	add_title_param(d, w, p);
	if (p->view == VIEW_REVISION)
		draft_param_uint(d, "oldid", p->part + 1);
	else if (p->view == VIEW_ACTION)
		draft_param(d, "action",
			    p->part == ACTION_EDIT ? STR("edit") : STR("history"));
	else if (p->alias & ALIAS_PRINT)
		draft_param(d, "printable", STR("yes"));
}

static bool parse_script(const struct world *w, struct target *t, struct place *p)
{
	struct str title, text;
	uint64_t v;

	if (!target_take(t, "title", &title) ||
	    !path_find_slug(w, p, title, '_', &p->item))
		return false;
	if (target_take_uint(t, "oldid", 1000, &v)) {
		p->view = VIEW_REVISION;
		p->part = (uint32_t)v - 1;
		return v > 0;
	}
	if (target_take(t, "action", &text)) {
		p->view = VIEW_ACTION;
		p->part = str_eq(text, STR("edit")) ? ACTION_EDIT : ACTION_HISTORY;
		return true;
	}
	p->view = VIEW_ITEM;
	if (w->sites[p->site].aliases & ALIAS_PRINT && target_take(t, "printable", &text))
		p->alias |= ALIAS_PRINT;
	else
		p->alias |= ALIAS_DYNAMIC;
	return true;
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	struct str title = target_segment(t, 1);
	uint64_t from;

	if (t->n_segments == 1 && segment_is(t, 0, "index.php"))
		return parse_script(w, t, p);
	if (t->n_segments != 2 || !segment_is(t, 0, "wiki"))
		return false;
	if (segment_number(title, "User:", "", &p->item))
		return p->view = VIEW_PROFILE, true;
	p->view = VIEW_LIST;
	bool list = false;
	if (str_eq_nocase(title, STR("Special:AllPages"))) {
		p->item = LIST_ALL;
		list = true;
	} else if (str_starts_nocase(title, STR("Category:"))) {
		list = path_find_category(w, p, str_skip(title, 9), &p->item) &&
		       p->item != LIST_ALL;
		if (!list)
			return false;
	}
	if (list) {
		if (target_take_uint(t, "from", 1u << 20, &from))
			p->part = (uint32_t)from;
		return true;
	}
	p->view = VIEW_ITEM;
	return path_find_slug(w, p, title, '_', &p->item);
}

/* Sections of text with links to other articles between them. */
static void add_sections(struct page *page, const struct prose *p)
{
	unsigned sections = 1 + p->length / 150;

	for (unsigned i = 0; i < sections; i++) {
		struct prose part = prose_fork(p, i, p->length / sections);
		struct prose head = prose_fork(p, 100 + i, 3);

		ADD(page, "<h2>");
		prose_write_title(&head, page->out);
		ADD(page, "</h2>\n");
		prose_write_paragraphs(&part, STR("<p>"), STR("</p>\n"), page->out);
		ADD(page, "<p>");
		page_link_item(page, page_related(page, 30 + 2 * i));
		ADD(page, " ");
		page_link_item(page, page_related(page, 31 + 2 * i));
		ADD(page, "</p>\n");
	}
}

static void add_tools(struct page *page)
{
	uint32_t item = page->at.item;

	ADD(page, "<ul class=\"tools\"><li>");
	page_link_exact(page, page_place(page, VIEW_ACTION, item, ACTION_EDIT),
			STR("Edit"));
	ADD(page, "</li><li>");
	page_link_exact(page, page_place(page, VIEW_ACTION, item, ACTION_HISTORY),
			STR("History"));
	ADD(page, "</li>");
	for (uint32_t i = 0; i < site_revisions(page->site, item); i++) {
		ADD(page, "<li>");
		page_link_exact(page, page_place(page, VIEW_REVISION, item, i),
				STR("Old revision"));
		ADD(page, "</li>");
	}
	ADD(page, "<li>");
	page_link_exact(
		page, page_place(page, VIEW_PROFILE, item % site_profiles(page->site), 0),
		STR("Last editor"));
	ADD(page, "</li></ul>\n");
}

static void render_article(struct page *page)
{
	struct prose p = prose_of_item(page->w, page->content, page->at.item);

	if (page->at.view == VIEW_REVISION) {
		p.edit_permille = 30 * (page->at.part + 1);
		p.edit_key = hash_mix(p.edit_key + page->at.part);
		buf_addf(page->out,
			 "<p class=\"notice\">This is an old revision, no. %u.</p>\n",
			 page->at.part + 1);
	}
	ADD(page, "<h1 id=\"firstHeading\">");
	page_add_title(page, page->at.item);
	ADD(page, "</h1>\n<div id=\"mw-content-text\">\n");
	add_sections(page, &p);
	ADD(page, "</div>\n");
	if (!page->bare)
		add_tools(page);
}

static void render(struct page *page)
{
	if (page->at.view == VIEW_LIST)
		return page_add_list(page, 0);
	if (page->at.view != VIEW_PROFILE)
		return render_article(page);
	uint64_t h = hash_mix(page->site->key + page->at.item);

	ADD(page, "<h1>User: ");
	page_add_person(page, page->at.item);
	buf_addf(page->out, "</h1>\n<p>Account %u, edits: %u.</p>\n", page->at.item,
		 (unsigned)h % 9000u);
}

const struct kind kind_wiki = {
	.generator = "MediaWiki 1.39.5",
	.aliases = ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL |
		   ALIAS_CASE | ALIAS_PRINT | ALIAS_MOBILE | ALIAS_DYNAMIC |
		   ALIAS_FOLDER | ALIAS_NEUTRAL | ALIAS_ENCODED | ALIAS_FRAGMENT |
		   ALIAS_INDEX,
	.words = 350,
	.format = format,
	.parse = parse,
	.render = render,
};
