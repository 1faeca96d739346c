/*
 * truth.h - what is true of a place: which page it shows, and what a crawler
 * should have thought of it.
 */
#ifndef TESTWEB_TRUTH_H
#define TESTWEB_TRUTH_H

#include "testweb/alias.h"
#include "testweb/world.h"

enum page_class {
	CLASS_PAGE,      /* content under its canonical URL */
	CLASS_LOOKALIKE, /* content that resembles other content and is not it */
	CLASS_LISTING,   /* front page, category, page of a listing */
	CLASS_NEAR,      /* nearly another page: an edited copy, an old revision */
	CLASS_ALIAS,     /* content under another URL */
	CLASS_REDIRECT,
	CLASS_TRAP,
	CLASS_TROUBLE,
	CLASS_NOINDEX,
	CLASS_ACTION,
	CLASS_DISALLOWED,
	CLASS_FEED, /* robots.txt, sitemaps, feeds */
	CLASS_ASSET,
	CLASS_MISSING,
	CLASS_OUTSIDE, /* no URL of this web */
	CLASSES
};
extern const char *const class_names[CLASSES];

struct truth {
	uint8_t class;          /* enum page_class */
	bool must_keep;         /* its cluster must be found */
	bool equal;             /* the body is that of the canonical URL, byte for byte */
	uint16_t edit_permille; /* of a near page: how many words differ */
	uint32_t families;      /* of an alias: with ALIAS_MIRROR */
	uint64_t page;          /* equal for all URLs that show this page */
	uint64_t cluster;       /* equal for all pages that are nearly the same */
};

struct truth truth_of(const struct world *w, const struct place *p);
/* The way in which this page is reached only; -1 for pages with links to them. */
int truth_way(uint64_t page);
/* "12.item.345.0"; and for traps "12.trap.calendar" */
void truth_write_page(const struct world *w, uint64_t page, struct buf *to);
/* The trap, alias families, near form: the class in more words; may add nothing. */
void truth_write_detail(const struct world *w, const struct place *p,
			const struct truth *t, struct buf *to);

/* An item that is an edited copy of another one, of this site or of the agency. */
struct item_root {
	uint32_t site, item;
	unsigned edit_permille; /* 0: it is its own root */
};
struct item_root item_root(const struct world *w, uint32_t site, uint32_t item);
/* The product of which this one is a colour or size; itself for most. */
uint32_t item_family(const struct site *s, uint32_t item);

/* A redirect's goal; false when the place is not a redirect. */
bool truth_redirect(const struct world *w, const struct place *p, struct place *ret);
#endif
