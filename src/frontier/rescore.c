/*
 * rescore.c - a queued URL whose score has changed since it was queued.
 */
#include "frontier/internal.h"

enum status frontier_rescore(struct frontier *f, struct str url, struct u128 key,
			     uint8_t priority, struct diag *why)
{
	struct queued found;
	struct url u;
	bool held;
	enum status st =
		queue_store_find(&f->queues, key, &f->scratch[3], &found, &held, why);

	/* What is held has to earn its request first, whatever it promises. */
	if (st == ST_NOT_FOUND || (st == ST_OK && (held || found.priority == priority)))
		return ST_OK;
	TRY(st);
	TRY(url_parse(url, NULL, &f->scratch[0], &u, why));
	uint32_t site = sites_get(&f->sites, &f->lanes, &u);
	return queue_store_move(&f->queues, &f->sites.v[site].queue, key, priority, why);
}

enum status frontier_postpone(struct frontier *f, const struct frontier_step *s,
			      uint8_t priority, struct diag *why)
{
	struct queued_url q = frontier_queued_url(f, s);

	f->found--; /* it is no new one */
	return frontier_enqueue_encoded(f, s->site, s->task.key, priority, &q,
					f->sites.v[s->site].origin.n, why);
}

int frontier_next_priority(const struct frontier *f, uint32_t site)
{
	return host_queue_best(&f->sites.v[site].queue);
}
