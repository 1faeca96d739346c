/*
 * copies.h - what the links of duplicates are worth, site by site.
 *
 * A page that says what another one said may still link to what nothing else links
 * to, so its links are followed; but where what was first found on duplicates has
 * turned out to be duplicates again, most are followed no longer (a sample is, in
 * case that changes).  Measured in this run: after a restart it begins anew.  Owned
 * by the loop thread.
 */
#ifndef HOSTS_COPIES_H
#define HOSTS_COPIES_H

#include "base/map.h"
#include "base/str.h"

struct copies_score {
	uint32_t asked, novel; /* pages first found on a duplicate */
};

struct copies {
	struct map pages;       /* hashes of the duplicates whose links were followed */
	struct copies_score *v; /* by the frontier's number of a site */
	size_t n, cap;
};

void copies_release(struct copies *c);
/* The links of this duplicate were followed. */
void copies_note(struct copies *c, struct str url);
/* A page of `site`, found on the page `via`, was judged. */
void copies_learn(struct copies *c, uint32_t site, struct str via, bool novel);
/* Are the links of this duplicate to be followed? */
bool copies_are_worth(const struct copies *c, uint32_t site, struct str url);
#endif
