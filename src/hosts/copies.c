#include "hosts/copies.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define PAGES_MAX    ((size_t)1 << 20) /* 24 MB; a sample of so many tells enough */
#define ENOUGH_ASKED 50                /* before that, everything is worth it */
#define WORTH_ONE_IN 50                /* one novel page in so many is worth it */
#define SAMPLE       8 /* of what is not worth it, one in so many is followed */

void copies_release(struct copies *c)
{
	map_release(&c->pages);
	free(c->v);
	*c = (struct copies){ 0 };
}

void copies_note(struct copies *c, struct str url)
{
	if (c->pages.n < PAGES_MAX)
		map_add(&c->pages, hash64(url), NULL);
}

void copies_learn(struct copies *c, uint32_t site, struct str via, bool novel)
{
	if (via.n == 0 || !map_find(&c->pages, hash64(via)))
		return;
	VEC_RESERVE(c->v, c->cap, (size_t)site + 1);
	while (c->n <= site)
		c->v[c->n++] = (struct copies_score){ 0 };
	c->v[site].asked++;
	c->v[site].novel += novel;
}

bool copies_are_worth(const struct copies *c, uint32_t site, struct str url)
{
	const struct copies_score *s = site < c->n ? &c->v[site] : NULL;

	return !s || s->asked < ENOUGH_ASKED ||
	       (uint64_t)s->novel * WORTH_ONE_IN >= s->asked || hash64(url) % SAMPLE == 0;
}
