/*
 * growth.h - which forms of URL grow without bringing anything: the traps of a crawl.
 *
 * Counts pages by the form of their URL (form.h), the commonest few hundred only
 * (space-saving: the rarest makes room for a new one and passes its count on).  For
 * people; the crawl decides by its own templates.  One owner.
 */
#ifndef REPORT_GROWTH_H
#define REPORT_GROWTH_H

#include "base/buf.h"

#define GROWTH_FORMS   256
#define GROWTH_SAMPLES 3

struct growth_form {
	uint64_t hash; /* 0: free */
	char *form;
	char *samples[GROWTH_SAMPLES];
	uint64_t fetched, novel, links; /* links: new URLs found on its pages */
};

struct growth {
	struct growth_form v[GROWTH_FORMS];
	struct buf scratch;
};

/* A page of a first visit was judged. */
void growth_note(struct growth *g, struct str url, bool is_novel, uint64_t new_links);
/* It goes on for ever: many pages, nearly none of them new, each leading to another. */
bool growth_is_trap(const struct growth_form *f);
/* A JSON array: the traps, the largest first, with a pattern that matches each. */
void growth_format(const struct growth *g, struct buf *to);
void growth_release(struct growth *g);
#endif
