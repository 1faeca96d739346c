/* render.c - the document around the content: head, navigation, aside, footer. */
#include "base/date.h"
#include "base/encode.h"
#include "testweb/kind.h"
#include "testweb/link.h"
#include "testweb/noise.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"
#include "testweb/way.h"

static void add_site_name(struct page *page)
{
	struct str name = site_name(&page->w->sites[page->content]);

	/* "quiet-river-garden.test" as "quiet river garden" */
	for (size_t i = 0; i + 5 < name.n; i++)
		buf_add_char(page->out, name.p[i] == '-' ? ' ' : name.p[i]);
}

static void add_category(struct page *page, uint32_t category)
{
	if (category == LIST_ALL)
		ADD(page, "All");
	else
		buf_add(page->out, category_name(page->w, page->site, category));
}

static void add_title(struct page *page)
{
	const struct place *at = &page->at;

	switch ((enum view)at->view) {
	case VIEW_ITEM:
	case VIEW_REVISION:
		page_add_title(page, at->item);
		break;
	case VIEW_LIST:
		add_category(page, at->item);
		break;
	case VIEW_PROFILE:
		page_add_person(page, at->item);
		break;
	default:
		add_site_name(page);
		return;
	}
	if (at->part > 0)
		buf_addf(page->out, " - page %u", at->part + 1);
	ADD(page, " | ");
	add_site_name(page);
}

static void add_hreflang(struct page *page)
{
	const struct site *s = page->site;
	uint32_t other = page->at.item ^ 1;

	if (!(s->flags & SITE_TRANSLATED) || page->at.view != VIEW_ITEM ||
	    !item_exists(page->w, s, other))
		return;
	ADD(page, "<link rel=\"alternate\" hreflang=\"");
	buf_add(page->out, str_from(language_facts[item_language(s, other)].code));
	ADD(page, "\" href=\"");
	page_href_exact(page, page_place(page, VIEW_ITEM, other, 0));
	ADD(page, "\">\n");
}

static void add_alternates(struct page *page)
{
	const struct site *s = page->site;
	struct place amp = page->at;

	if (s->flags & SITE_REL_CANONICAL && page->at.view <= VIEW_ARCHIVE) {
		ADD(page, "<link rel=\"canonical\" href=\"");
		link_write_canonical(page->w, &page->at, page->out);
		ADD(page, "\">\n");
	}
	add_hreflang(page);
	if (page->bare)
		return;
	amp.alias = ALIAS_AMP;
	if (link_families(page->w, &amp) & ALIAS_AMP) {
		ADD(page, "<link rel=\"amphtml\" href=\"");
		page_href_exact(page, amp);
		ADD(page, "\">\n");
	}
	ADD(page, "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"");
	page_href_exact(page, page_place(page, VIEW_RSS, 0, 0));
	ADD(page, "\">\n<link rel=\"alternate\" type=\"application/atom+xml\" href=\"");
	page_href_exact(page, page_place(page, VIEW_ATOM, 0, 0));
	ADD(page, "\">\n<link rel=\"stylesheet\" href=\"/static/site.css\">\n");
}

static enum language page_language(const struct page *page)
{
	bool item = page->at.view == VIEW_ITEM || page->at.view == VIEW_REVISION;

	return item ? item_language(page->site, page->at.item)
		    : (enum language)page->site->language;
}

static void add_generator(struct page *page, const char *name)
{
	ADD(page, "<meta name=\"generator\" content=\"");
	buf_add(page->out, str_from(name));
	ADD(page, "\">\n");
}

static void add_head(struct page *page)
{
	const struct kind *k = kind_of(page->site);

	ADD(page, "<!DOCTYPE html>\n<html ");
	if (page->at.alias & ALIAS_AMP)
		ADD(page, "amp ");
	ADD(page, "lang=\"");
	buf_add(page->out, str_from(language_facts[page_language(page)].code));
	ADD(page, "\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
	add_title(page);
	ADD(page, "</title>\n");
	if (k->generator)
		add_generator(page, k->generator);
	if (page->at.view == VIEW_ARCHIVE)
		ADD(page, "<meta name=\"robots\" content=\"noindex,follow\">\n");
	if (page->at.view == VIEW_ACTION)
		ADD(page, "<meta name=\"robots\" content=\"noindex,nofollow\">\n");
	if (page->at.view == VIEW_GO) {
		ADD(page, "<meta http-equiv=\"refresh\" content=\"0; url=");
		page_href_exact(page, page_place(page, VIEW_ITEM, page->at.item, 0));
		ADD(page, "\">\n");
	}
	way_add_head(page);
	add_alternates(page);
	ADD(page, "<meta name=\"viewport\" content=\"width=device-width\">\n</head>\n");
}

static void add_navigation(struct page *page)
{
	const struct site *s = page->site;
	unsigned n = s->categories;
	unsigned turn = s->noise & NOISE_ROTATION ? (unsigned)page->nonce % n : 0;

	ADD(page, "<header class=\"site\"><div class=\"logo\"><a href=\"");
	page_href_exact(page, page_place(page, VIEW_FRONT, 0, 0));
	ADD(page, "\">");
	add_site_name(page);
	ADD(page, "</a></div>\n<nav class=\"main\"><ul>");
	for (unsigned i = 0; i < n; i++) {
		uint32_t c = (i + turn) % n;

		ADD(page, "<li>");
		page_link_exact(page, page_place(page, VIEW_LIST, c, 0),
				category_name(page->w, s, c));
		ADD(page, "</li>");
	}
	ADD(page, "<li>");
	page_link_exact(page, page_place(page, VIEW_LIST, LIST_ALL, 0), STR("All"));
	ADD(page, "</li></ul></nav></header>\n");
}

static void add_advertisement(struct page *page)
{
	struct prose p = prose_of_site(page->w, page->content, page->nonce % 997, 12);

	ADD(page, "<div class=\"ad\" id=\"ad-");
	buf_add_uint(page->out, page->nonce % 100000);
	ADD(page, "\"><p>");
	prose_write(&p, page->out);
	ADD(page, "</p></div>\n");
}

static void add_counters(struct page *page)
{
	buf_addf(page->out, "<p class=\"counter\">%u views, %u users online</p>\n",
		 (unsigned)(page->nonce >> 20) % 90000u,
		 (unsigned)(page->nonce >> 8) % 300u);
}

static void add_aside(struct page *page)
{
	ADD(page, "<aside>\n<h4>See also</h4><ul>");
	for (unsigned i = 0; i < 6; i++) {
		unsigned nr = page->site->noise & NOISE_ROTATION
				      ? (unsigned)(i + page->nonce) % 12
				      : i;

		ADD(page, "<li>");
		page_link_item(page, page_related(page, nr));
		ADD(page, "</li>");
	}
	ADD(page, "</ul>\n");
	if (page->site->noise & NOISE_ADS)
		add_advertisement(page);
	if (page->site->noise & NOISE_COUNTER)
		add_counters(page);
	ADD(page, "</aside>\n");
}

/* The other addresses of this very page. */
static void add_views(struct page *page)
{
	static const struct {
		uint32_t family;
		const char *text;
	} rows[] = {
		{ ALIAS_PRINT, "Print" },
		{ ALIAS_MOBILE, "Mobile site" },
		{ ALIAS_POST, "Permalink" },
		{ ALIAS_MARK, "Reply" },
	};
	uint32_t can = link_families(page->w, &page->at);

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct place to = place_canonical(page->at);

		to.alias = rows[i].family;
		to.nonce = hash_mix(page->key + i);
		if (can & rows[i].family) {
			page_link_exact(page, to, str_from(rows[i].text));
			ADD(page, " ");
		}
	}
}

static void add_traps(struct page *page)
{
	static const char *const texts[TRAPS] = { "Events calendar", "Explore",
						  "Filter",          "Members area",
						  "Archive tour",    "Search",
						  "Surprise me",     "Old address",
						  "Browse" };
	uint32_t site = (uint32_t)(page->site - page->w->sites);

	for (unsigned i = 0; i < TRAPS; i++)
		if (page->site->traps & 1u << i) {
			page_link_exact(
				page, trap_entry(page->w, site, (enum trap)i, page->key),
				str_from(texts[i]));
			ADD(page, " ");
		}
}

static void add_specials(struct page *page)
{
	const struct site *s = page->site;
	uint64_t h = hash_mix(page->key + 77);

	page_link_exact(page, page_place(page, VIEW_ABOUT, 0, 0), STR("About"));
	ADD(page, " ");
	page_link_exact(page, page_place(page, VIEW_PRIVATE, (uint32_t)(h % 50), 0),
			STR("Staff only"));
	ADD(page, " ");
	if (h % 3 == 0) {
		page_link_exact(page,
				page_place(page, h & 64 ? VIEW_GO : VIEW_SHORT,
					   (uint32_t)((h >> 8) % s->n_items), 0),
				STR("Shortcut"));
		ADD(page, " ");
	}
	if (h % 5 == 0 && page->w->options.troubles) {
		unsigned t = (unsigned)(h >> 24) % TROUBLES;
		struct place p =
			page_place(page, VIEW_TROUBLE, (uint32_t)(h >> 32) % 3, 0);

		p.sub = (uint8_t)t;
		if (page->w->options.troubles & 1u << t)
			page_link_exact(page, p, STR("Status"));
	}
}

static void add_stamps(struct page *page)
{
	const struct site *s = page->site;

	if (s->noise & NOISE_TIME) {
		ADD(page, "<p class=\"stamp\">Page generated ");
		buf_add_date_iso(page->out, page->now_ms, true);
		buf_addf(page->out, " in 0.%03u s</p>\n", (unsigned)page->nonce % 1000u);
	}
	if (s->noise & NOISE_TOKEN) {
		ADD(page, "<input type=\"hidden\" name=\"csrf_token\" value=\"");
		buf_add_hex64(page->out, hash_mix(page->nonce));
		buf_add_hex64(page->out, hash_mix(page->nonce + 1));
		ADD(page, "\">\n");
	}
	if (s->noise & NOISE_ECHO) {
		ADD(page, "<p class=\"share\">Address of this page: ");
		page_add_escaped(page, page->host);
		page_add_escaped(page, page->target);
		ADD(page, "</p>\n");
	}
}

static void add_footer(struct page *page)
{
	unsigned n = 30 + page->site->style % 64;
	struct prose p = prose_of_site(page->w, page->content, 3, n);

	ADD(page, "<footer>\n<p>");
	add_views(page);
	ADD(page, "</p>\n<p>");
	add_specials(page);
	add_traps(page);
	ADD(page, "</p>\n<p class=\"legal\">");
	prose_write(&p, page->out);
	ADD(page, "</p>\n");
	add_stamps(page);
	ADD(page, "</footer>\n");
}

static void add_tagline(struct page *page)
{
	struct prose p = prose_of_site(page->w, page->content, 2, 9);

	ADD(page, "<p class=\"tagline\">");
	prose_write(&p, page->out);
	ADD(page, "</p>\n");
}

void page_render(struct page *page)
{
	bool mobile = page->at.alias & ALIAS_MOBILE;

	page->bare = page->at.alias & (ALIAS_PRINT | ALIAS_AMP);
	add_head(page);
	ADD(page, "<body class=\"");
	buf_add(page->out, str_from(view_names[page->at.view]));
	ADD(page, " v");
	buf_add_uint(page->out, page->site->style % 4u);
	ADD(page, "\">\n");
	if (!page->bare) {
		add_navigation(page);
		add_tagline(page);
	}
	ADD(page, "<main>\n");
	if (page->at.view == VIEW_TRAP)
		trap_render(page);
	else if ((page->at.view >= VIEW_ITEM && page->at.view <= VIEW_REVISION))
		kind_of(page->site)->render(page);
	else
		page_render_shared(page);
	ADD(page, "</main>\n");
	if (!page->bare && !mobile)
		add_aside(page);
	if (!page->bare)
		add_footer(page);
	ADD(page, "</body>\n</html>\n");
}
