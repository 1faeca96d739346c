#include "frontier/sites.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "url/suffix.h"

void sites_release(struct sites *s)
{
	for (size_t i = 0; i < s->origins.n; i++)
		host_queue_release(&s->v[i].queue);
	for (size_t i = 0; i < s->names.n; i++)
		free(s->domains[i].ring);
	free(s->v);
	free(s->domains);
	intern_release(&s->origins);
	intern_release(&s->names);
	*s = (struct sites){ 0 };
}

size_t url_origin_bytes(const struct url *u)
{
	return (size_t)(u->path.p - u->href.p);
}

static struct str origin_of(const struct url *u)
{
	return (struct str){ u->href.p, url_origin_bytes(u) };
}

uint32_t sites_get_domain(struct sites *s, struct lanes *lanes, struct str name)
{
	size_t known = s->names.n;
	uint32_t id = intern_add(&s->names, name);

	if (id < known)
		return id;
	VEC_RESERVE(s->domains, s->domains_cap, known + 1);
	s->domains[id] = (struct domain){
		.name = intern_str(&s->names, id),
		.hash = hash64(name),
		.lane = lanes_get(lanes, LANE_DOMAIN, name),
		.is_away = s->start_away,
	};
	return id;
}

uint32_t sites_find(const struct sites *s, const struct url *u)
{
	uint32_t id = intern_find(&s->origins, origin_of(u));

	return id == INTERN_NONE ? SITE_NONE : id;
}

uint32_t sites_get(struct sites *s, struct lanes *lanes, const struct url *u)
{
	size_t known = s->origins.n;
	uint32_t id = intern_add(&s->origins, origin_of(u));

	if (id < known)
		return id;
	VEC_RESERVE(s->v, s->cap, known + 1);
	uint32_t domain = sites_get_domain(s, lanes, suffix_site(u->host));
	s->v[id] = (struct site){
		.origin = intern_str(&s->origins, id),
		.domain = domain,
		.lanes = { .id = {
			[LANE_HOST] = lanes_get(lanes, LANE_HOST, url_server(u)),
			[LANE_DOMAIN] = s->domains[domain].lane,
			[LANE_ADDRESS] = LANE_NONE,
			[LANE_GROUP] = LANE_NONE,
		} },
	};
	return id;
}

void site_list(struct sites *s, uint32_t site)
{
	struct domain *d = &s->domains[s->v[site].domain];

	if (s->v[site].listed)
		return;
	s->v[site].listed = true;
	VEC_ADD(d->ring, d->n, d->cap, site);
}
