/* kind_docs.c - a manual in versions: stable, latest, and the old ones. */
#include "testweb/kind.h"

static void format(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];
	struct place category = { .site = p->site, .item = item_category(s, p->item) };

	draft_add(d, STR("/docs/"));
	if (p->view == VIEW_REVISION) {
		draft_add(d, STR("1."));
		draft_add_uint(d, p->part);
		draft_add(d, STR("/"));
	} else {
		draft_add(d, p->alias & ALIAS_DYNAMIC ? STR("latest/") : STR("stable/"));
	}
	path_add_category(d, w, p->view == VIEW_LIST ? p : &category);
	draft_add(d, STR("/"));
	if (p->view == VIEW_LIST) {
		if (p->part) {
			draft_add(d, STR("part-"));
			draft_add_uint(d, p->part + 1);
			draft_add(d, STR("/"));
		}
		return;
	}
	path_add_slug(d, w, p, '-', false);
	draft_add(d, STR(".html"));
	if (p->alias & ALIAS_PRINT)
		draft_param_uint(d, "print", 1);
}

static bool parse_version(struct str version, struct place *p)
{
	p->view = VIEW_ITEM;
	if (str_eq_nocase(version, STR("stable")))
		return true;
	if (str_eq_nocase(version, STR("latest")))
		return p->alias |= ALIAS_DYNAMIC, true;
	p->view = VIEW_REVISION;
	return segment_number(version, "1.", "", &p->part);
}

static bool parse_list(const struct target *t, struct place *p)
{
	uint32_t nr;

	p->view = VIEW_LIST;
	if (t->n_segments == 3)
		return true;
	if (t->n_segments != 4 || !segment_number(t->segments[3], "part-", "", &nr) ||
	    nr < 2)
		return false;
	p->part = nr - 1;
	return true;
}

static bool parse(const struct world *w, struct target *t, struct place *p)
{
	struct str last = target_segment(t, 3), text;
	uint32_t category;

	if (t->n_segments < 3 || t->n_segments > 4 || !segment_is(t, 0, "docs") ||
	    !parse_version(t->segments[1], p) ||
	    !path_find_category(w, p, t->segments[2], &category))
		return false;
	if (p->view == VIEW_ITEM && !(p->alias & ALIAS_DYNAMIC) &&
	    (t->n_segments == 3 || str_starts_nocase(last, STR("part-")))) {
		p->item = category;
		return parse_list(t, p);
	}
	if (t->n_segments != 4 || last.n < 5 ||
	    !str_eq_nocase(str_skip(last, last.n - 5), STR(".html")))
		return false;
	last.n -= 5;
	if (!path_find_slug(w, p, last, '-', &p->item) ||
	    category != item_category(&w->sites[p->site], p->item))
		return false;
	if (p->view == VIEW_ITEM && w->sites[p->site].aliases & ALIAS_PRINT &&
	    target_take(t, "print", &text))
		p->alias |= ALIAS_PRINT;
	return true;
}

static void add_code(struct page *page, const struct prose *p, unsigned nr)
{
	uint64_t h = hash_mix(p->key + nr);

	ADD(page, "<pre><code>");
	for (unsigned i = 0; i < 3 + h % 4; i++) {
		buf_add(page->out,
			words_slug(p->words, LANG_EN, (unsigned)(h >> i) & 255));
		ADD(page, "_");
		buf_add(page->out,
			words_slug(p->words, LANG_EN, (unsigned)(h >> (i + 9)) & 255));
		ADD(page, "(");
		buf_add_uint(page->out, (unsigned)(h >> (i + 20)) & 511);
		ADD(page, ");\n");
	}
	ADD(page, "</code></pre>\n");
}

static void add_versions(struct page *page)
{
	ADD(page, "<ul class=\"versions\">");
	for (uint32_t i = 0; i < site_revisions(page->site, page->at.item); i++) {
		char text[8] = { '1', '.', (char)('0' + i) };

		ADD(page, "<li>");
		page_link_exact(page, page_place(page, VIEW_REVISION, page->at.item, i),
				(struct str){ text, 3 });
		ADD(page, "</li>");
	}
	ADD(page, "</ul>\n");
}

static void render(struct page *page)
{
	if (page->at.view == VIEW_LIST)
		return page_add_list(page, 0);
	struct prose p = prose_of_item(page->w, page->content, page->at.item);

	if (page->at.view ==
	    VIEW_REVISION) { /* the older the version, the more differs */
		p.edit_permille = 30 * (page->at.part + 1);
		p.edit_key = hash_mix(p.edit_key + page->at.part);
	}
	ADD(page, "<div class=\"document\"><h1>");
	page_add_title(page, page->at.item);
	ADD(page, "</h1>\n");
	for (unsigned i = 0; i < 3; i++) {
		struct prose part = prose_fork(&p, i, p.length / 3);
		struct prose head = prose_fork(&p, 100 + i, 4);

		ADD(page, "<h2>");
		prose_write_title(&head, page->out);
		ADD(page, "</h2>\n");
		prose_write_paragraphs(&part, STR("<p>"), STR("</p>\n"), page->out);
		add_code(page, &p, i);
	}
	if (!page->bare)
		add_versions(page);
	ADD(page, "</div>\n");
}

const struct kind kind_docs = {
	.generator = "Docutils 0.18.1: http://docutils.sourceforge.net/",
	.aliases = ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL | ALIAS_CASE |
		   ALIAS_SLASH | ALIAS_INDEX | ALIAS_PRINT | ALIAS_DYNAMIC |
		   ALIAS_FOLDER | ALIAS_NEUTRAL | ALIAS_ENCODED | ALIAS_FRAGMENT,
	.words = 320,
	.format = format,
	.parse = parse,
	.render = render,
};
