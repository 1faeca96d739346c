/*
 * page.h - one page while it is being written, straight into the answer's buffer.
 *
 * What is written depends on the page's identity only; on the form of the URL
 * and on the moment only where the site is declared to do so (views, noise,
 * session ids), because the manifest promises equal bodies elsewhere.
 */
#ifndef TESTWEB_PAGE_H
#define TESTWEB_PAGE_H

#include "testweb/alias.h"
#include "testweb/prose.h"
#include "testweb/truth.h"

struct page {
	const struct world *w;
	const struct site *site; /* the host's; its content may be another's */
	uint32_t content;        /* number of the site whose content it is */
	struct place at;
	uint64_t key;   /* decides the links; equal for all aliases */
	uint64_t nonce; /* differs with each answer */
	uint64_t sid;   /* the session id that links carry */
	int64_t now_ms;
	struct str host, target; /* as requested */
	unsigned link_nr;
	bool bare;   /* print and AMP: no navigation */
	bool cookie; /* the client has a session already: links need no id */
	struct buf *out;
};

#define ADD(page, literal) buf_add((page)->out, STR(literal))

/* <a href="...">text</a>; the page chooses the form of the URL. */
void page_link(struct page *page, struct place to, struct str text);
/* Only the URL, escaped for an attribute. */
void page_href(struct page *page, struct place to);
/* Exactly this URL, no form chosen. */
void page_href_exact(struct page *page, struct place to);
void page_link_exact(struct page *page, struct place to, struct str text);
/* A link whose text is the title of the item. */
void page_link_item(struct page *page, uint32_t item);
void page_add_title(struct page *page, uint32_t item);
void page_add_date(struct page *page, int64_t ms);
/* A place on the page's own host. */
struct place page_place(const struct page *page, enum view view, uint32_t item,
			uint32_t part);
/* An item that the page should link to: of the same topic more often than not. */
uint32_t page_related(struct page *page, unsigned nr);
/* Pager of a listing or a topic with `pages` pages. */
void page_add_pager(struct page *page, unsigned pages);
/* The items of a listing, each with title, date and the beginning of its text. */
void page_add_list(struct page *page, unsigned snippet_words);
/* A person's name. */
void page_add_person(struct page *page, uint32_t nr);
/* Escaped for HTML. */
void page_add_escaped(struct page *page, struct str text);

/* The title of an item as plain text. */
void item_write_title(const struct world *w, uint32_t site, uint32_t item,
		      struct buf *to);

/* The whole document for any view that is HTML; knows status 404 pages too. */
void page_render(struct page *page);
/* The content of the views that all kinds share. */
void page_render_shared(struct page *page);
/* A page within a trap. */
void trap_render(struct page *page);
#endif
