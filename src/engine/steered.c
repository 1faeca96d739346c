#include "engine/steps.h"

bool steered_is_expired(struct crawl *c, struct u128 key)
{
	const uint64_t *at = map_find(&c->steer.deadlines, key.lo);

	if (!at)
		return false;
	bool is_late = clock_wall_ms(c->clock) > (int64_t)*at;
	map_remove(&c->steer.deadlines, key.lo);
	return is_late;
}

bool steered_is_blacklisted(const struct crawl *c, struct u128 hash)
{
	return c->steer.blacklist.n > 0 && map_find(&c->steer.blacklist, hash.lo);
}
