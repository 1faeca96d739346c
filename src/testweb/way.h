/*
 * way.h - pages that no link leads to: one way only, each.
 *
 * HIDDEN_EACH pages a way and site: listed in a sitemap that robots.txt names, below two
 * nested indexes, in a packed one, or in a /sitemap.xml that nobody announces; in
 * the feeds; in a Link field; as the canonical URL of a page that is another; as the goal
 * of a <meta> refresh; as the action of a form.  The last four have doors, pages without
 * content of their own that the front page links to.  Mirrors have none.
 *
 * A hidden page and its door are places with item = way * HIDDEN_EACH + number.
 */
#ifndef TESTWEB_WAY_H
#define TESTWEB_WAY_H

#include "testweb/draft.h"
#include "testweb/page.h"
#include "testweb/target.h"

enum way {
	WAY_SITEMAP,     /* robots.txt names an index, which names the sitemap */
	WAY_NESTED,      /* an index in an index */
	WAY_PACKED,      /* .xml.gz, served as application/gzip */
	WAY_UNANNOUNCED, /* /sitemap.xml on sites whose robots.txt names none */
	WAY_FEED,
	WAY_FIELD,     /* Link: <...>; rel=next */
	WAY_CANONICAL, /* <link rel=canonical> */
	WAY_REFRESH,   /* <meta http-equiv=refresh> */
	WAY_FORM,      /* <form method=get> */
	WAYS
};
extern const char *const way_names[WAYS];

#define HIDDEN_EACH 3u

/* The files of the ways by sitemap. */
enum hidden_map { MAP_INDEX, MAP_PAGES, MAP_INNER, MAP_NESTED, MAP_PACKED, MAP_FILES };

/* Whether the site has pages that are reached in this way only. */
bool way_exists(const struct world *w, uint32_t site, enum way way);
static inline enum way way_of(uint32_t item)
{
	return (enum way)(item / HIDDEN_EACH);
}
/* Whether a sitemap of ours is named in robots.txt. */
bool way_has_maps(const struct world *w, uint32_t site);

bool way_format(const struct place *p, struct draft *d);
bool way_parse(const struct world *w, const struct target *t, struct place *p);

/* The list of the pages of a way, as entries of a sitemap or a feed. */
void way_write_urls(const struct world *w, uint32_t site, enum way way,
		    const char *before, const char *after, struct buf *to);
/* The text before compression; the unannounced one has a function of its own. */
void way_write_map(const struct world *w, uint32_t site, enum hidden_map file,
		   struct buf *to);
void way_write_unannounced(const struct world *w, uint32_t site, struct buf *to);
/* The value of the Link field of a door; nothing for other doors. */
void way_write_field(const struct world *w, const struct place *p, struct buf *to);

/* What a door says in its head; the content of doors and hidden pages; the links. */
void way_add_head(struct page *page);
void way_render(struct page *page);
void way_add_doors(struct page *page);
#endif
