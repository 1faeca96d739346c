/*
 * place.h - what a URL of the test web stands for.
 *
 * The whole web is a function of its seed: link_format() turns a place into a
 * URL, route_parse() turns any URL back into its place, truth_of() says what a
 * crawler should think of it.  A place is a plain value; nothing is stored.
 */
#ifndef TESTWEB_PLACE_H
#define TESTWEB_PLACE_H

#include "base/str.h"

enum site_kind {
	KIND_BLOG,
	KIND_FORUM,
	KIND_WIKI,
	KIND_SHOP,
	KIND_NEWS,
	KIND_DOCS,
	KIND_GALLERY,
	KIND_MIRROR, /* a copy of another site; has the looks of its original */
	KINDS
};

enum view {
	VIEW_FRONT,
	VIEW_ITEM,     /* article, topic, product, photo: `item`, `part` of a long one */
	VIEW_LIST,     /* `item` = category, or LIST_ALL; `part` = page from 0 */
	VIEW_PROFILE,  /* a member, author or user: `item` */
	VIEW_REVISION, /* an older version of `item`: `part` */
	VIEW_ABOUT,
	VIEW_ARCHIVE, /* noindex listing: `item` = month */
	VIEW_ACTION,  /* reply, edit, history, cart: `item`, `part` = which */
	VIEW_PRIVATE, /* disallowed by robots.txt: `item` */
	VIEW_GO,      /* meta refresh to `item` */
	VIEW_SHORT,   /* redirect to `item` */
	VIEW_TRAP,    /* `sub` = enum trap, `item`, `part`, `nonce` = its state */
	VIEW_TROUBLE, /* `sub` = enum trouble, `item` */
	VIEW_ROBOTS,
	VIEW_SITEMAP_INDEX,
	VIEW_SITEMAP, /* `item` = number; `sub` = enum sitemap_form */
	VIEW_RSS,
	VIEW_ATOM,
	VIEW_ASSET, /* `sub` = enum asset, `item` */
	VIEW_MISSING,
	VIEW_CONTROL, /* the server's own pages */
	VIEW_HIDDEN,  /* reached in one way only: see way.h */
	VIEW_DOOR,    /* the page that is the way to a hidden one */
	VIEW_MAP,     /* a sitemap of hidden pages: `item` = enum hidden_map */
	VIEWS
};

#define LIST_ALL 0xfffu /* the category of everything */

enum sitemap_form { SITEMAP_XML, SITEMAP_GZ, SITEMAP_TEXT };
enum asset { ASSET_CSS, ASSET_JS, ASSET_ROBOTS, ASSET_IMAGE };
enum action { ACTION_REPLY, ACTION_EDIT, ACTION_HISTORY, ACTION_CART, ACTION_SHARE };

struct place {
	uint32_t site;
	uint8_t view; /* enum view */
	uint8_t sub;
	uint32_t item, part;
	uint32_t alias; /* enum alias bits: how this URL differs from the canonical one */
	uint64_t nonce; /* the random value in it, when it has one */
};

extern const char *const kind_names[KINDS];
extern const char *const view_names[VIEWS];

/* The same page without any trace of this URL's form. */
static inline struct place place_canonical(struct place p)
{
	p.alias = 0;
	if (p.view != VIEW_TRAP)
		p.nonce = 0;
	return p;
}
#endif
