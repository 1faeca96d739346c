#include "fetch/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct exemption {
	struct ip ips[DNS_ADDRESSES_MAX]; /* not public, seen at the first resolution */
	size_t n;
	bool seen;
};

void guard_release(struct guard *g)
{
	intern_release(&g->exempt);
	free(g->v);
	*g = (struct guard){ 0 };
}

void guard_exempt(struct guard *g, struct str host)
{
	size_t before = g->exempt.n;
	uint32_t id = intern_add(&g->exempt, host);

	if (g->exempt.n == before)
		return;
	VEC_RESERVE(g->v, g->cap, g->exempt.n);
	g->v[id] = (struct exemption){ 0 };
}

bool guard_awaits_first(const struct guard *g, struct str host)
{
	uint32_t id = intern_find(&g->exempt, host);

	return id != INTERN_NONE && !g->v[id].seen;
}

static bool same(const struct ip *a, const struct ip *b)
{
	return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

static bool contains(const struct ip *v, size_t n, const struct ip *ip)
{
	for (size_t i = 0; i < n; i++)
		if (same(&v[i], ip))
			return true;
	return false;
}

static void remember(struct exemption *e, const struct dns_answer *a)
{
	e->seen = true;
	for (size_t i = 0; i < a->n; i++) {
		enum ip_kind kind = ip_kind(&a->ips[i]);

		if (kind != IP_PUBLIC && kind != IP_METADATA)
			e->ips[e->n++] = a->ips[i];
	}
}

struct dns_answer guard_filter(struct guard *g, struct str host,
			       const struct dns_answer *a)
{
	uint32_t id = intern_find(&g->exempt, host);
	struct exemption *e = id == INTERN_NONE ? NULL : &g->v[id];
	struct dns_answer safe = *a;

	if (g->allow_private || a->pinned)
		return safe;
	if (e && !e->seen && a->n > 0)
		remember(e, a);
	safe.n = 0;
	for (size_t i = 0; i < a->n; i++)
		if (ip_kind(&a->ips[i]) == IP_PUBLIC ||
		    (e && contains(e->ips, e->n, &a->ips[i])))
			safe.ips[safe.n++] = a->ips[i];
	return safe;
}

bool guard_permits_unresolved(const struct guard *g, struct str host)
{
	bool exempt = intern_find(&g->exempt, host) != INTERN_NONE;
	struct ip ip;

	if (g->allow_private)
		return true;
	if (!host_to_ip(host, &ip))
		return exempt || !host_is_local_name(host);
	return ip_kind(&ip) == IP_PUBLIC || (exempt && ip_kind(&ip) != IP_METADATA);
}

bool guard_address_listed(const struct dns_answer *a, const struct sockaddr *to)
{
	struct ip ip;

	return ip_from_sockaddr(to, &ip) && contains(a->ips, a->n, &ip);
}
