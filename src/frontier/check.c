#include <assert.h>

#include "frontier/internal.h"

static uint32_t held_of(const struct host_queue *q)
{
	uint32_t hold = 0, n = 0;

	while (host_queue_next_hold(q, &hold))
		n += host_queue_held(q, hold);
	return n;
}

static bool is_in_ring(const struct domain *d, uint32_t site)
{
	for (uint32_t i = 0; i < d->n; i++)
		if (d->ring[i] == site)
			return true;
	return false;
}

void assert_frontier(const struct frontier *f)
{
	uint64_t live = 0, held = 0, unjudged = 0, resolving = 0;
	struct spent spent = { 0 };

	for (uint32_t i = 0; i < f->sites.origins.n; i++) {
		const struct site *s = &f->sites.v[i];

		live += s->queue.live;
		held += held_of(&s->queue);
		unjudged += s->unjudged;
		resolving += s->state == SITE_RESOLVING;
		spent.pages += s->spent.pages;
		assert(s->domain < f->sites.names.n); /* 4 */
		assert(s->listed == is_in_ring(&f->sites.domains[s->domain], i));
		assert(s->listed || s->queue.live == 0); /* 5 */
		assert((s->state != SITE_DEAD && s->state != SITE_PAUSED) ||
		       s->dead_code != 0); /* 6 */
	}
	assert(live == f->queues.live && held == f->queues.held);     /* 1 */
	assert(unjudged == f->unjudged && resolving == f->resolving); /* 2 */
	assert(spent.pages == f->budget.total.pages);                 /* 3 */
}
