/*
 * link.h - from a place to its URL.  The inverse is route.h.
 */
#ifndef TESTWEB_LINK_H
#define TESTWEB_LINK_H

#include "testweb/alias.h"
#include "testweb/draft.h"
#include "testweb/target.h"
#include "testweb/world.h"

/* The families that a URL of this place may show, before those that exclude each other.
 */
uint32_t link_families(const struct world *w, const struct place *p);
/* Of `families`, what can stand in one URL together. */
uint32_t link_compatible(uint32_t families);

/* Write the URL; the answer is the families that it really shows. */
uint32_t link_draft(const struct world *w, const struct place *p, struct draft *d);
/* "/path?query", or with scheme and host in front. */
void link_write(const struct world *w, const struct place *p, bool absolute,
		struct buf *to);
/* "https://www.quiet-river-garden.test", from a draft. */
void link_write_origin(const struct world *w, uint32_t site, const struct draft *d,
		       struct buf *to);
/* The canonical absolute URL: of the original, where the place is on a mirror. */
void link_write_canonical(const struct world *w, const struct place *p, struct buf *to);

/* Words of a site that dressing and undressing must agree on. */
const char *site_sub_label(const struct site *s);
const char *site_index_name(const struct site *s);
const char *site_session_param(const struct site *s); /* NULL: in the path */
const char *site_neutral_param(const struct site *s);
const char *site_mark_param(const struct site *s);
struct option_param {
	const char *name, *value;
};
struct option_param site_optional_param(const struct site *s);
/* The number of a parameter that advertising adds to URLs, in its usual order, or -1. */
int tracking_rank(struct str name);

/* The paths that all kinds share; format is total over the views it names. */
bool common_format(const struct world *w, const struct place *p, struct draft *d);
bool common_parse(const struct world *w, struct target *t, struct place *p);
#endif
