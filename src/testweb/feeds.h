/*
 * feeds.h - what a site says about itself to machines: robots.txt, sitemaps, feeds.
 */
#ifndef TESTWEB_FEEDS_H
#define TESTWEB_FEEDS_H

#include "base/buf.h"
#include "testweb/world.h"

#define SITEMAP_URLS 2000u

/* How robots.txt of a site behaves; all but ROBOTS_FINE need the trouble `robots`. */
enum robots_mood {
	ROBOTS_FINE,
	ROBOTS_PASSING_5XX, /* fails at first, then works */
	ROBOTS_MISSING,     /* 404: everything is allowed */
	ROBOTS_FORBIDDEN,   /* 403: the same */
	ROBOTS_REDIRECTED,  /* to /static/robots.txt on the same host */
	ROBOTS_HTML,        /* an error page with status 200 */
	ROBOTS_LONG,        /* more than 500 KiB; the rules come first */
	ROBOTS_ODD,         /* byte order mark, CR line ends, bad lines between */
	ROBOTS_BROKEN,      /* 503 for ever: nothing is allowed; site is SITE_CLOSED */
	ROBOTS_MOODS
};
enum robots_mood robots_mood(const struct world *w, uint32_t site);

/* Traps that robots.txt of the site forbids: bits 1 << enum trap. */
uint32_t robots_forbidden_traps(const struct site *s);
/* Whether robots.txt forbids this URL, by what the file says. */
bool robots_forbids(const struct world *w, const struct place *p);

void robots_write(const struct world *w, uint32_t site, struct buf *to);
uint32_t sitemap_count(const struct site *s);
enum sitemap_form sitemap_form(const struct site *s, uint32_t nr);
bool sitemap_has(const struct site *s, uint32_t item);
void sitemap_write_index(const struct world *w, uint32_t site, struct buf *to);
/* The text before compression. */
void sitemap_write(const struct world *w, uint32_t site, uint32_t nr, struct buf *to);
void rss_write(const struct world *w, uint32_t site, struct buf *to);
void atom_write(const struct world *w, uint32_t site, struct buf *to);
#endif
