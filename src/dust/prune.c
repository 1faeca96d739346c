#include "dust/prune.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Which groups a URL is in: the list of URL u is v[first[u]] to v[first[u + 1] - 1]. */
struct memberships {
	uint32_t *first;
	uint32_t *group; /* numbers of groups, by rule, since groups are */
};

static void memberships_build(struct memberships *m, const struct groups *g,
			      size_t n_urls)
{
	m->first = xcalloc(n_urls + 2, sizeof(*m->first));
	for (size_t i = 0; i < g->n; i++)
		for (uint32_t k = 0; k < g->v[i].n; k++)
			m->first[g->members[g->v[i].first + k] + 2]++;
	for (size_t u = 2; u < n_urls + 2; u++)
		m->first[u] += m->first[u - 1];
	m->group = xcalloc((size_t)m->first[n_urls + 1] + 1, sizeof(*m->group));
	for (uint32_t i = 0; i < g->n; i++)
		for (uint32_t k = 0; k < g->v[i].n; k++)
			m->group[m->first[g->members[g->v[i].first + k] + 1]++] = i;
}

static uint32_t list_length(const struct memberships *m, uint32_t url)
{
	return m->first[url + 1] - m->first[url];
}

/* The group of `rule` that `url` is in, or UINT32_MAX. */
static uint32_t group_of(const struct groups *g, const struct memberships *m,
			 uint32_t url, uint32_t rule)
{
	for (uint32_t i = m->first[url]; i < m->first[url + 1]; i++)
		if (g->v[m->group[i]].rule == rule)
			return m->group[i];
	return UINT32_MAX;
}

struct span {
	size_t from, to; /* groups of one rule */
};

static bool is_within(const struct groups *g, const struct memberships *m, struct span s,
		      uint32_t rule)
{
	for (size_t i = s.from; i < s.to; i++) {
		const uint32_t *v = g->members + g->v[i].first;
		uint32_t into = group_of(g, m, v[0], rule);

		if (into == UINT32_MAX || g->v[into].n < g->v[i].n)
			return false;
		for (uint32_t k = 1; k < g->v[i].n; k++)
			if (group_of(g, m, v[k], rule) != into)
				return false;
	}
	return true;
}

static uint32_t least_shared(const struct groups *g, const struct memberships *m,
			     struct span s)
{
	uint32_t best = g->members[g->v[s.from].first];

	for (size_t i = s.from; i < s.to && list_length(m, best) > 1; i++)
		for (uint32_t k = 0; k < g->v[i].n; k++) {
			uint32_t u = g->members[g->v[i].first + k];

			if (list_length(m, u) < list_length(m, best))
				best = u;
		}
	return best;
}

static bool is_redundant(const struct groups *g, const struct memberships *m,
			 struct span s)
{
	uint32_t url = least_shared(g, m, s), rule = g->v[s.from].rule;

	for (uint32_t i = m->first[url]; i < m->first[url + 1]; i++) {
		uint32_t other = g->v[m->group[i]].rule;

		/* Better rules come first; of two equal ones the first stays. */
		if (other < rule && is_within(g, m, s, other))
			return true;
	}
	return false;
}

void prune(const struct groups *g, size_t n_rules, size_t n_urls, bool *redundant)
{
	struct memberships m;

	for (size_t r = 0; r < n_rules; r++)
		redundant[r] = false;
	memberships_build(&m, g, n_urls);
	for (size_t i = 0; i < g->n;) {
		struct span s = { i, i };

		while (s.to < g->n && g->v[s.to].rule == g->v[s.from].rule)
			s.to++;
		redundant[g->v[i].rule] = is_redundant(g, &m, s);
		i = s.to;
	}
	free(m.first);
	free(m.group);
}
