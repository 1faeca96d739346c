/*
 * kind.h - what a kind of site must be able to do.
 *
 * Everything that the kinds share (aliases that only dress a URL, traps,
 * feeds, the page around the content) is not here.
 */
#ifndef TESTWEB_KIND_H
#define TESTWEB_KIND_H

#include "testweb/draft.h"
#include "testweb/page.h"
#include "testweb/target.h"
#include "testweb/world.h"

struct kind {
	const char *generator; /* <meta name=generator>; NULL for none */
	uint32_t aliases;      /* the families its URLs can have */
	unsigned words;        /* median length of an item's text */
	/*
	 * The path and own parameters of a place, honouring the families that are
	 * a matter of the kind (dynamic, slug, print, amp, post).  Asked for
	 * items, listings, profiles, revisions and actions.
	 */
	void (*format)(const struct world *w, const struct place *p, struct draft *d);
	/* The inverse; false when it is no URL of the kind. */
	bool (*parse)(const struct world *w, struct target *t, struct place *p);
	/* The content: what stands between the page's header and footer. */
	void (*render)(struct page *page);
};

extern const struct kind kind_blog, kind_forum, kind_wiki, kind_shop, kind_news,
	kind_docs, kind_gallery;

const struct kind *kind_of(const struct site *s);

/* What the kinds share in writing and reading paths. */
void path_add_slug(struct draft *d, const struct world *w, const struct place *p,
		   char joint, bool capital);
/* The item whose slug this is. */
bool path_find_slug(const struct world *w, const struct place *p, struct str slug,
		    char joint, uint32_t *ret_item);
void path_add_date(struct draft *d, int64_t ms); /* "/2024/05/17/" */
void path_add_category(struct draft *d, const struct world *w, const struct place *p);
bool path_find_category(const struct world *w, const struct place *p, struct str name,
			uint32_t *ret);
bool segment_is(const struct target *t, unsigned nr, const char *word);
/* A number with a prefix and an ending around it. */
bool segment_number(struct str text, const char *before, const char *after,
		    uint32_t *ret);
/* Words that nobody reads, different from the true slug. */
void path_add_idle_slug(struct draft *d, const struct world *w, uint64_t nonce,
			char joint);
#endif
