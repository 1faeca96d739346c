/* shared.c - the content of the pages that sites of all kinds have. */
#include "testweb/link.h"
#include "testweb/page.h"
#include "testweb/way.h"

static struct str front_text(const struct page *page)
{
	static const char *const titles[KINDS] = { "Latest posts",  "Active topics",
						   "Welcome",       "New arrivals",
						   "Top stories",   "Contents",
						   "Recent photos", "Mirror" };

	return str_from(titles[page->site->kind]);
}

/* Originals are numbered without the mirrors: every eighth site may be one. */
static uint32_t nth_original(const struct world *w, uint64_t nr)
{
	if (w->n_sites > 7 && w->sites[7].origin != 7)
		nr += nr / 7;
	return nr < w->n_sites ? (uint32_t)nr : NO_SITE;
}

static uint64_t rank_of_original(const struct world *w, uint32_t site)
{
	return w->n_sites > 7 && w->sites[7].origin != 7 ? site - site / 8 : site;
}

static void add_other_site(struct page *page, uint32_t site)
{
	struct place to = { .site = site, .view = VIEW_FRONT };

	if (site == NO_SITE || site >= page->w->n_sites)
		return;
	ADD(page, "<li>");
	page_link_exact(page, to, site_name(&page->w->sites[site]));
	ADD(page, "</li>");
}

/*
 * The front pages form a tree over the sites, so that any site is reached from
 * the first; mirrors hang on their left neighbour.
 */
static void add_friends(struct page *page)
{
	const struct world *w = page->w;
	uint64_t rank = rank_of_original(w, page->content);

	ADD(page, "<h2>Friends</h2><ul class=\"blogroll\">");
	add_other_site(page, nth_original(w, 2 * rank + 1));
	add_other_site(page, nth_original(w, 2 * rank + 2));
	add_other_site(page, nth_original(w, hash_mix(page->key) % w->n_sites));
	if (page->content % 8 == 6 && page->content + 1 < w->n_sites &&
	    w->sites[page->content + 1].origin != page->content + 1)
		add_other_site(page, page->content + 1);
	ADD(page, "</ul>\n");
}

static void render_front(struct page *page)
{
	const struct site *s = page->site;

	ADD(page, "<h1>");
	buf_add(page->out, front_text(page));
	ADD(page, "</h1>\n");
	struct prose p = prose_of_site(page->w, page->content, 1, 60);
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	ADD(page, "<ul class=\"latest\">");
	for (uint32_t i = 0; i < MIN(s->n_items, 12u); i++) {
		uint32_t item = s->n_items - 1 - i;

		if (!item_exists(page->w, s, item))
			continue;
		ADD(page, "<li>");
		page_link_item(page, item);
		ADD(page, "</li>\n");
	}
	ADD(page, "</ul>\n");
	way_add_doors(page);
	add_friends(page);
}

static void render_about(struct page *page)
{
	struct prose p = prose_of_site(page->w, page->content, 4, 150);

	ADD(page, "<h1>About us</h1>\n");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	ADD(page, "<p>Archive: ");
	struct place to = page_place(page, VIEW_ARCHIVE, 2024 * 12 + 11, 0);
	page_link_exact(page, to, STR("December 2024"));
	ADD(page, "</p>\n");
}

/* The items of a month; those who follow the links back get years of it. */
static void render_archive(struct page *page)
{
	const struct site *s = page->site;

	buf_addf(page->out, "<h1>Archive %u-%02u</h1>\n<ul>", page->at.item / 12,
		 page->at.item % 12 + 1);
	for (uint32_t i = 0; i < 10; i++) {
		uint32_t item = (uint32_t)(hash_mix(s->key + page->at.item * 16 + i) %
					   s->n_items);

		ADD(page, "<li>");
		page_link_item(page, item);
		ADD(page, "</li>");
	}
	ADD(page, "</ul>\n<p>");
	if (page->at.item > 2005 * 12)
		page_link_exact(page,
				page_place(page, VIEW_ARCHIVE, page->at.item - 1, 0),
				STR("Earlier"));
	ADD(page, "</p>\n");
}

static void render_missing(struct page *page)
{
	ADD(page,
	    "<h1>Page not found</h1>\n<p>The page you asked for is not here. It may have "
	    "moved, or it never was. Perhaps one of these helps:</p>\n<ul>");
	for (unsigned i = 0; i < 5; i++) {
		ADD(page, "<li>");
		page_link_item(page, page_related(page, 20 + i));
		ADD(page, "</li>");
	}
	ADD(page, "</ul>\n");
}

static void render_action(struct page *page)
{
	static const char *const words[] = { "reply to this topic", "edit this page",
					     "see the history", "add to the cart",
					     "share" };

	buf_addf(page->out,
		 "<h1>Log in</h1>\n<p>You must be logged in to %s.</p>\n"
		 "<form method=\"post\" action=\"/login\"><input name=\"user\">"
		 "<input name=\"password\" type=\"password\"><button>Log "
		 "in</button></form>\n",
		 words[MIN(page->at.part, 4u)]);
}

void page_render_shared(struct page *page)
{
	switch ((enum view)page->at.view) {
	case VIEW_FRONT:
		render_front(page);
		break;
	case VIEW_ABOUT:
		render_about(page);
		break;
	case VIEW_ARCHIVE:
		render_archive(page);
		break;
	case VIEW_ACTION:
		render_action(page);
		break;
	case VIEW_PRIVATE:
		buf_addf(page->out, "<h1>Staff notice %u</h1>\n", page->at.item);
		break;
	case VIEW_GO:
		ADD(page, "<p>Moving on: ");
		page_link_item(page, page->at.item);
		ADD(page, "</p>\n");
		break;
	case VIEW_HIDDEN:
	case VIEW_DOOR:
		way_render(page);
		break;
	case VIEW_TROUBLE:
		ADD(page, "<h1>Status</h1>\n<p>Everything is fine, or not.</p>\n");
		break;
	default:
		render_missing(page);
	}
}
