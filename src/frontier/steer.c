/*
 * steer.c - a queued URL that somebody outside wants sooner, later or not at all.
 */
#include "frontier/internal.h"

/* The site whose queue it would be in; SITE_NONE when nothing of it is known. */
static uint32_t site_of(struct frontier *f, struct str url)
{
	struct url u;

	return url_parse(url, NULL, &f->scratch[0], &u, NULL) == ST_OK
		       ? sites_find(&f->sites, &u)
		       : SITE_NONE;
}

enum status frontier_prioritise(struct frontier *f, struct str url, struct u128 key,
				uint8_t priority, struct diag *why)
{
	uint32_t site = site_of(f, url);
	struct queued found;
	bool held;

	if (site == SITE_NONE)
		return ST_NOT_FOUND;
	struct host_queue *q = &f->sites.v[site].queue;
	TRY(queue_store_find(&f->queues, key, &f->scratch[3], &found, &held, why));
	if (held)
		TRY(queue_store_unhold(&f->queues, q, key, why));
	if (found.priority != priority)
		TRY(queue_store_move(&f->queues, q, key, priority, why));
	if (held)
		frontier_wake_site(f, site);
	return ST_OK;
}

enum status frontier_hold(struct frontier *f, struct str url, struct u128 key,
			  struct diag *why)
{
	uint32_t site = site_of(f, url);

	return site == SITE_NONE
		       ? ST_NOT_FOUND
		       : queue_store_hold(&f->queues, &f->sites.v[site].queue, key, why);
}

enum status frontier_remove(struct frontier *f, struct str url, struct u128 key,
			    struct diag *why)
{
	uint32_t site = site_of(f, url);

	return site == SITE_NONE
		       ? ST_NOT_FOUND
		       : queue_store_drop(&f->queues, &f->sites.v[site].queue, key, why);
}
