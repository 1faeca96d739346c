/*
 * trap.h - parts of a site without end and without worth.
 *
 * Each trap is a family of URLs under one entry, linked from the footer of the
 * sites that have it.  None holds a page that must be kept.
 */
#ifndef TESTWEB_TRAP_H
#define TESTWEB_TRAP_H

#include "testweb/draft.h"
#include "testweb/target.h"
#include "testweb/world.h"

enum trap {
	TRAP_CALENDAR, /* every month has a next one */
	TRAP_PATH,     /* a relative link that makes the path longer each time */
	TRAP_FACETS,   /* every combination of filters (shops and galleries) */
	TRAP_LOOP,     /* redirects in a circle */
	TRAP_LADDER,   /* redirects without end, each to a new URL */
	TRAP_ECHO,     /* a search whose links repeat the query and add to it */
	TRAP_RANDOM,   /* links drawn anew in every page */
	TRAP_SOFT_404, /* pages that are not there, with status 200 */
	TRAP_GRID,     /* sort x order x limit x page of every listing */
	TRAPS
};
extern const char *const trap_names[TRAPS];

/* Which of the allowed traps a site of this kind has. */
uint32_t trap_choose(uint32_t allowed, enum site_kind kind, uint64_t r);
/* Write the URL path of a place in a trap. */
void trap_format(const struct world *w, const struct place *p, struct draft *d);
bool trap_parse(const struct world *w, struct target *t, struct place *ret);
/* The place by which a trap is entered from a page. */
struct place trap_entry(const struct world *w, uint32_t site, enum trap trap,
			uint64_t from);
#endif
