/*
 * world.h - the sites of the test web and what is true of each.
 *
 * Built once from options; about 130 bytes a site and nothing a page.  Read-only
 * afterwards, except `day`.
 */
#ifndef TESTWEB_WORLD_H
#define TESTWEB_WORLD_H

#include "base/rng.h"
#include "testweb/place.h"
#include "testweb/words.h"

#define SITES_MAX      65536u
#define ITEMS_MAX      SLUG_LIMIT
#define LIST_LENGTH    20u /* items on a page of a listing */
#define CATEGORIES_MAX 24u
#define SITE_NAME_MAX  48

struct world_options {
	uint64_t seed;
	uint64_t pages; /* content pages over all sites, mirrors not counted */
	uint64_t hosts;
	uint64_t hosts_per_address; /* how many sites share an IP address */
	uint64_t day;               /* drift: how long after the beginning */
	uint32_t kinds;             /* bits 1 << enum site_kind */
	uint32_t traps;             /* bits 1 << enum trap */
	uint32_t troubles;          /* bits 1 << enum trouble */
	uint32_t ways;              /* bits 1 << enum way: of pages without links */
	double trouble_share;       /* of the pages that have one of the troubles */
	double alias_share;         /* of the links that lead to another URL of a page */
	bool hurry;                 /* no robots.txt asks for a Crawl-delay */
	double words_scale;         /* length of texts; 1 is natural */
};

enum site_flag {
	SITE_HTTPS = 1 << 0,
	SITE_WWW = 1 << 1,           /* the canonical name has www. */
	SITE_SUBDOMAIN = 1 << 2,     /* lives on sub.name, and in /sub/ of name */
	SITE_REL_CANONICAL = 1 << 3, /* pages say <link rel=canonical> */
	SITE_SOFT_404 = 1 << 4,
	SITE_TRANSLATED = 1 << 5,   /* odd items translate the even one before */
	SITE_SID_IN_LINKS = 1 << 6, /* links carry a session id */
	SITE_ABSOLUTE = 1 << 7,     /* links are written with scheme and host */
	SITE_CLOSED = 1 << 8,       /* robots.txt never works: nothing may be fetched */
	SITE_SITEMAP = 1 << 9,
	SITE_CHUNKED = 1 << 10, /* answers without Content-Length */
};

struct site {
	uint64_t key; /* decides everything about the content */
	uint32_t n_items;
	uint32_t origin;    /* the site this is a mirror of, or itself */
	uint32_t aliases;   /* enum alias families that work here */
	uint32_t redirects; /* those of them that are answered by a redirect */
	uint32_t noise;     /* enum noise: what differs from one answer to the next */
	uint32_t traps;
	uint32_t flags;
	uint32_t address;        /* IPv4, host order, in 127.0.0.0/8 */
	uint16_t crawl_delay_ms; /* as robots.txt asks; 0 for none */
	uint16_t latency_ms;     /* median, when the trouble `latency` is on */
	uint16_t categories;
	uint8_t kind, language, language2, topic;
	uint8_t style; /* variation of the template */
	uint8_t name_n;
	char name[SITE_NAME_MAX]; /* registrable name: quiet-river-garden.test */
};

struct world {
	struct world_options options;
	struct words words;
	struct site *sites;
	uint32_t n_sites;
	uint32_t agency; /* the news site whose stories others reprint, or NO_SITE */
};

#define NO_SITE UINT32_MAX

void world_options_default(struct world_options *o);
/* ST_TOO_LARGE when the pages do not fit the hosts. */
must_use enum status world_init(struct world *w, const struct world_options *o,
				struct diag *why);
void world_release(struct world *w);

static inline struct str site_name(const struct site *s)
{
	return (struct str){ s->name, s->name_n };
}
/* The site whose content is shown: the original of a mirror. */
static inline const struct site *world_content(const struct world *w, uint32_t site)
{
	return &w->sites[w->sites[site].origin];
}
/* The site of a registrable name, or NO_SITE. */
uint32_t world_find(const struct world *w, struct str name);

/* A stable random number for a purpose about an item. */
static inline uint64_t item_hash(const struct site *s, uint32_t item, uint64_t purpose)
{
	return hash_mix(s->key + hash_mix(((uint64_t)item << 16) + purpose));
}
/* Purposes of item_hash(), so that decisions are independent. */
enum {
	ABOUT_TEXT = 1,
	ABOUT_LENGTH,
	ABOUT_TOPIC,
	ABOUT_NEAR,
	ABOUT_BIRTH,
	ABOUT_CHANGE,
	ABOUT_LINKS,
	ABOUT_SITEMAP,
	ABOUT_TROUBLE,
	ABOUT_VARIANT,
	ABOUT_DATE,
	ABOUT_NOISE,
	ABOUT_POSTS,
	ABOUT_EXTRA,
};

unsigned item_topic(const struct site *s, uint32_t item);
enum language item_language(const struct site *s, uint32_t item);
static inline uint32_t item_category(const struct site *s, uint32_t item)
{
	return item % s->categories;
}
/* Whether the item is there on the world's day. */
bool item_exists(const struct world *w, const struct site *s, uint32_t item);
/* How often the item has been edited up to the world's day. */
unsigned item_version(const struct world *w, const struct site *s, uint32_t item);
/* When it was written, and last edited. */
int64_t item_date_ms(const struct site *s, uint32_t item);
int64_t item_edited_ms(const struct world *w, const struct site *s, uint32_t item);
/* How many pages a long item (a forum topic) has. */
unsigned item_parts(const struct site *s, uint32_t item);
/* How many pages the listing of `category` (or LIST_ALL) has. */
uint32_t list_pages(const struct site *s, uint32_t category);
/* The k-th item on a page of a listing; false when there is none. */
bool list_item(const struct site *s, uint32_t category, uint32_t page, uint32_t k,
	       uint32_t *ret_item);
uint32_t site_profiles(const struct site *s);
uint32_t site_revisions(const struct site *s, uint32_t item);
/* The word of a category in its URL and its title. */
struct str category_name(const struct world *w, const struct site *s, uint32_t category);
#endif
