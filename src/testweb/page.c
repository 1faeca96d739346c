#include "testweb/page.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "testweb/link.h"

void page_add_escaped(struct page *page, struct str text)
{
	buf_add_markup(page->out, text);
}

/* Half of the sites escape the ampersands in their links, half do not. */
static void escape_tail(struct page *page, size_t from)
{
	struct buf *out = page->out;
	char copy[DRAFT_PATH_MAX * 2];
	size_t n = out->n - from;

	if (page->site->style & 8 || n > sizeof(copy) || !memchr(out->p + from, '&', n))
		return;
	memcpy(copy, out->p + from, n);
	out->n = from;
	page_add_escaped(page, (struct str){ copy, n });
}

/* Families whose URL has another host or scheme. */
#define OTHER_HOST (ALIAS_WWW | ALIAS_SCHEME | ALIAS_MOBILE | ALIAS_FOLDER)

void page_href_exact(struct page *page, struct place to)
{
	size_t from = page->out->n;
	bool own = to.site == (uint32_t)(page->site - page->w->sites) &&
		   !(to.alias & OTHER_HOST);

	link_write(page->w, &to, !own || page->site->flags & SITE_ABSOLUTE, page->out);
	escape_tail(page, from);
}

/* Views of a page are linked from that page itself; links in passing have the other
 * forms. */
#define IN_PASSING                                                                   \
	(ALIAS_SESSION | ALIAS_TRACKING | ALIAS_ORDER | ALIAS_OPTIONAL | ALIAS_WWW | \
	 ALIAS_SCHEME | ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | ALIAS_DYNAMIC |     \
	 ALIAS_SLUG | ALIAS_FOLDER | ALIAS_NEUTRAL | ALIAS_ENCODED | ALIAS_FRAGMENT)

static void choose_form(struct page *page, struct place *to)
{
	uint64_t h = hash_mix(page->key + 0x10001ull * ++page->link_nr);
	uint32_t can = link_families(page->w, to) & IN_PASSING;
	bool sid = page->site->flags & SITE_SID_IN_LINKS && can & ALIAS_SESSION &&
		   !page->cookie;

	if (can && (double)(h >> 40) < page->w->options.alias_share * 0x1p24) {
		unsigned many = (unsigned)__builtin_popcount(can),
			 pick = (unsigned)h % many;

		while (pick--)
			can &= can - 1;
		to->alias = can & -can;
		/* Order shows only where there is something to order. */
		if (to->alias == ALIAS_ORDER)
			to->alias |=
				page->site->aliases & (ALIAS_OPTIONAL | ALIAS_NEUTRAL);
		to->nonce = hash_mix(h);
	}
	if (sid) {
		to->alias |= ALIAS_SESSION;
		to->nonce = page->sid;
	}
	to->alias = link_compatible(to->alias);
}

void page_href(struct page *page, struct place to)
{
	if (to.site == (uint32_t)(page->site - page->w->sites) && to.alias == 0)
		choose_form(page, &to);
	page_href_exact(page, to);
}

static void add_link(struct page *page, struct place to, struct str text, bool exact)
{
	ADD(page, "<a href=\"");
	if (exact)
		page_href_exact(page, to);
	else
		page_href(page, to);
	ADD(page, "\"");
	if (to.view == VIEW_ACTION || (to.view == VIEW_TRAP && page->site->style & 64))
		ADD(page, " rel=\"nofollow\"");
	ADD(page, ">");
	buf_add(page->out, text);
	ADD(page, "</a>");
}

void page_link(struct page *page, struct place to, struct str text)
{
	add_link(page, to, text, false);
}

void page_link_exact(struct page *page, struct place to, struct str text)
{
	add_link(page, to, text, true);
}

void item_write_title(const struct world *w, uint32_t site, uint32_t item, struct buf *to)
{
	const struct site *s = world_content(w, site);
	struct item_root root = item_root(w, s->origin, item);
	const struct site *from = &w->sites[root.site];
	enum language l = item_language(from, root.item);
	size_t start = to->n;

	words_spell(&w->words, l, from->key, root.item, ' ', to);
	if (to->n > start && to->p[start] >= 'a' && to->p[start] <= 'z')
		to->p[start] = (char)(to->p[start] - 32);
	buf_add_char(to, ' ');
	buf_add(to, word_str(words_topical(&w->words, l, item_topic(from, root.item),
					   item_hash(from, root.item, ABOUT_TEXT))));
}

void page_add_title(struct page *page, uint32_t item)
{
	item_write_title(page->w, page->content, item, page->out);
}

void page_link_item(struct page *page, uint32_t item)
{
	ADD(page, "<a href=\"");
	page_href(page, page_place(page, VIEW_ITEM, item, 0));
	ADD(page, "\">");
	page_add_title(page, item);
	ADD(page, "</a>");
}

void page_add_date(struct page *page, int64_t ms)
{
	ADD(page, "<time datetime=\"");
	buf_add_date_iso(page->out, ms, false);
	ADD(page, "\">");
	buf_add(page->out, (struct str){ page->out->p + page->out->n - 22, 10 });
	ADD(page, "</time>");
}

struct place page_place(const struct page *page, enum view view, uint32_t item,
			uint32_t part)
{
	return (struct place){
		.site = (uint32_t)(page->site - page->w->sites),
		.view = (uint8_t)view,
		.item = item,
		.part = part,
	};
}

uint32_t page_related(struct page *page, unsigned nr)
{
	const struct site *s = page->site;
	unsigned topic =
		page->at.view == VIEW_ITEM ? item_topic(s, page->at.item) : s->topic;
	uint32_t item = 0;

	/* Three tries for one of the same topic that is there: links are topical, not
	 * always. */
	for (uint64_t i = 0; i < 3; i++) {
		item = (uint32_t)(hash_mix(page->key + nr * 64 + i) % s->n_items);
		if (item_topic(s, item) == topic && item_exists(page->w, s, item))
			break;
	}
	return item;
}

static void add_pager_link(struct page *page, unsigned nr, struct str text)
{
	struct place to = page->at;

	to.alias = 0;
	to.part = nr;
	ADD(page, " ");
	page_link(page, to, text);
}

void page_add_pager(struct page *page, unsigned pages)
{
	unsigned now = page->at.part;
	char text[12];

	if (pages < 2)
		return;
	ADD(page, "<nav class=\"pager\">");
	if (now > 0)
		add_pager_link(page, now - 1, STR("&laquo; Previous"));
	for (unsigned i = now > 2 ? now - 2 : 0; i < pages && i < now + 3; i++) {
		size_t n = (size_t)snprintf(text, sizeof(text), "%u", i + 1);

		add_pager_link(page, i, (struct str){ text, n });
	}
	if (now + 1 < pages)
		add_pager_link(page, now + 1, STR("Next &raquo;"));
	ADD(page, "</nav>\n");
}

void page_add_list(struct page *page, unsigned snippet_words)
{
	const struct site *s = page->site;
	uint32_t item;

	ADD(page, "<ul class=\"listing\">\n");
	for (uint32_t k = 0; list_item(s, page->at.item, page->at.part, k, &item); k++) {
		if (!item_exists(page->w, s, item))
			continue;
		struct prose p = prose_of_item(page->w, page->content, item);

		p.length = MIN(p.length, snippet_words);
		ADD(page, "<li><h3>");
		page_link_item(page, item);
		ADD(page, "</h3> ");
		page_add_date(page, item_date_ms(s, item));
		ADD(page, "<p>");
		prose_write(&p, page->out);
		ADD(page, "</p></li>\n");
	}
	ADD(page, "</ul>\n");
	page_add_pager(page, list_pages(s, page->at.item));
}

void page_add_person(struct page *page, uint32_t nr)
{
	static const char *const first[] = { "Ana",  "Ben",    "Chloe", "Dmitri",
					     "Elif", "Farid",  "Greta", "Hugo",
					     "Ines", "Jonas",  "Kaori", "Liam",
					     "Maya", "Nikhil", "Olga",  "Pedro" };
	static const char *const last[] = { "Abbott", "Berg",    "Castro", "Dahl",
					    "Endo",   "Fischer", "Garcia", "Huang",
					    "Ivanov", "Jansen",  "Kaya",   "Lopez",
					    "Moreau", "Novak",   "Okafor", "Price" };
	uint64_t h = hash_mix(page->w->sites[page->content].key + nr);

	buf_add(page->out, str_from(first[h & 15]));
	buf_add_char(page->out, ' ');
	buf_add(page->out, str_from(last[h >> 4 & 15]));
}
