#include "testweb/page.h"
#include "testweb/trap.h"

static void render_calendar(struct page *page)
{
	struct place to = page->at;
	unsigned events = (unsigned)(hash_mix(page->site->key + page->at.item) % 3);

	buf_addf(page->out, "<h1>Events %u-%02u</h1>\n<table class=\"calendar\"><tr>",
		 page->at.item / 12, page->at.item % 12 + 1);
	for (unsigned day = 1; day <= 28; day++)
		buf_addf(page->out, "<td>%u</td>%s", day, day % 7 ? "" : "</tr>\n<tr>");
	ADD(page, "</tr></table>\n<p>");
	if (events == 0) {
		ADD(page, "There are no events this month.");
	} else {
		struct prose p = prose_of_site(page->w, page->content, 50 + events, 20);

		prose_write(&p, page->out);
	}
	ADD(page, "</p>\n<p>");
	to.item = page->at.item ? page->at.item - 1 : 0;
	page_link_exact(page, to, STR("Previous month"));
	ADD(page, " ");
	to.item = page->at.item + 1;
	page_link_exact(page, to, STR("Next month"));
	ADD(page, "</p>\n");
}

static void render_path(struct page *page)
{
	struct prose p = prose_of_site(page->w, page->content, 60, 40);

	ADD(page, "<h1>Explore</h1>\n");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	ADD(page, "<p><a href=\"more/\">Explore more</a></p>\n");
}

static void add_filtered(struct page *page, uint64_t selection)
{
	const struct site *s = page->site;

	ADD(page, "<ul>");
	for (unsigned i = 0; i < 8; i++) {
		uint32_t nr = (uint32_t)(hash_mix(selection + i) % s->n_items);

		ADD(page, "<li>");
		page_link_item(page, nr);
		ADD(page, "</li>\n");
	}
	ADD(page, "</ul>\n");
}

static void render_facets(struct page *page)
{
	struct place to = page->at;

	ADD(page, "<h1>Filtered</h1>\n<div class=\"facets\">");
	for (unsigned facet = 0; facet < 8; facet++)
		for (uint64_t v = 1; v <= 5; v++) {
			uint64_t mask = 15ull << 4 * facet;

			to.nonce = (page->at.nonce & ~mask) | v << 4 * facet;
			page_link_exact(page, to, STR("choose"));
			ADD(page, " ");
		}
	ADD(page, "</div>\n");
	/* Many selections show the same few products: that is what makes it a trap. */
	add_filtered(page, page->site->key + page->at.item * 31 + page->at.nonce % 23);
}

static void render_grid(struct page *page)
{
	struct place to = page->at;

	ADD(page, "<h1>Browse</h1>\n<p>");
	for (uint64_t sort = 0; sort < 4; sort++)
		for (uint64_t limit = 0; limit < 4; limit++) {
			to.nonce = sort | limit << 3 | (~page->at.nonce & 4);
			to.part = 0;
			page_link_exact(page, to, STR("sort"));
			ADD(page, " ");
		}
	to = page->at;
	to.part++;
	page_link_exact(page, to, STR("next"));
	ADD(page, "</p>\n");
	add_filtered(page, page->site->key + page->at.item * 31 + page->at.part % 7);
}

static void render_random(struct page *page)
{
	struct place to = page->at;
	struct prose p =
		prose_of_site(page->w, page->content, 70 + page->at.nonce % 20, 80);

	ADD(page, "<h1>A surprise</h1>\n");
	prose_write_paragraphs(&p, STR("<p>"), STR("</p>\n"), page->out);
	for (uint64_t i = 0; i < 8; i++) {
		to.nonce = hash_mix(page->at.nonce + page->nonce + i);
		page_link_exact(page, to, STR("another"));
		ADD(page, " ");
	}
}

/* The query is repeated as it came, and each link adds a word to it. */
static void render_echo(struct page *page)
{
	size_t at = str_find(page->target, STR("q="));
	struct str q =
		at == STR_NONE ? (struct str){ "", 0 } : str_skip(page->target, at + 2);

	q = str_slice(q, 0, MIN(str_find_char(q, '&'), (size_t)1000));
	ADD(page, "<h1>Search</h1>\n<p>Nothing was found for <b>");
	page_add_escaped(page, q);
	ADD(page, "</b>. Try:</p>\n<ul>");
	for (unsigned i = 0; i < 5; i++) {
		ADD(page, "<li><a href=\"/search?q=");
		page_add_escaped(page, q);
		ADD(page, "+");
		buf_add(page->out, words_slug(&page->w->words, LANG_EN,
					      (unsigned)(hash_mix(page->at.nonce + i) %
							 SLUG_WORDS)));
		ADD(page, "\">narrower</a></li>");
	}
	ADD(page, "</ul>\n");
}

void trap_render(struct page *page)
{
	switch ((enum trap)page->at.sub) {
	case TRAP_CALENDAR:
		render_calendar(page);
		break;
	case TRAP_PATH:
		render_path(page);
		break;
	case TRAP_FACETS:
		render_facets(page);
		break;
	case TRAP_GRID:
		render_grid(page);
		break;
	case TRAP_RANDOM:
		render_random(page);
		break;
	case TRAP_ECHO:
		render_echo(page);
		break;
	default:
		break;
	}
}
