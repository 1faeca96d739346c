#include "learn/prune.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"

/* Groups of a rule that are looked at first.  Rules that differ mostly differ there, so
 * few are compared whole. */
#define PROBES 8

struct pruning {
	const struct groups *g;
	const struct group_span *rules;
	uint64_t *is_probe; /* a bit for each URL */
	/* Probed URLs with the rules that have them: URL << 32 | rule, and the group. */
	struct sort_pair *seen;
	size_t n_seen, seen_cap;
	uint32_t *in_group; /* by URL: of the rule `marked`, + 1 */
	uint32_t marked;    /* or UINT32_MAX */
};

/* Group number `nr` of the PROBES of a rule, which may have fewer groups. */
static const struct rule_group *probe_of(const struct pruning *p, uint32_t rule,
					 size_t nr)
{
	struct group_span s = p->rules[rule];

	return &p->g->v[s.from + nr * (s.to - s.from) / PROBES];
}

static uint32_t first_member(const struct pruning *p, const struct rule_group *group)
{
	return p->g->members[group->first];
}

static void choose_probes(struct pruning *p, size_t n_rules)
{
	for (uint32_t r = 1; r < n_rules; r++)
		for (size_t i = 0; i < PROBES && p->rules[r].from < p->rules[r].to; i++) {
			uint32_t url = first_member(p, probe_of(p, r, i));

			p->is_probe[url / 64] |= (uint64_t)1 << url % 64;
		}
}

static void note_probes(struct pruning *p, uint32_t rule, size_t group)
{
	const struct rule_group *v = &p->g->v[group];

	for (uint32_t i = 0; i < v->n; i++) {
		uint32_t url = p->g->members[v->first + i];

		if (p->is_probe[url / 64] >> url % 64 & 1)
			VEC_ADD(p->seen, p->n_seen, p->seen_cap,
				(struct sort_pair){ (uint64_t)url << 32 | rule, group });
	}
}

static void see_probes(struct pruning *p, size_t n_rules)
{
	for (uint32_t r = 0; r < n_rules; r++)
		for (size_t i = p->rules[r].from; i < p->rules[r].to; i++)
			note_probes(p, r, i);
	struct sort_pair *scratch = xrealloc(NULL, p->n_seen + 1, sizeof(*scratch));
	sort_pairs(p->seen, scratch, p->n_seen);
	free(scratch);
}

/* The first of what was seen from `key` on. */
static size_t seen_from(const struct pruning *p, uint64_t key)
{
	size_t from = 0, to = p->n_seen;

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (p->seen[middle].key < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Whether the groups of `other` could hold those of `rule` that were probed. */
static bool may_be_within(const struct pruning *p, uint32_t rule, uint32_t other)
{
	for (size_t i = 0; i < PROBES; i++) {
		const struct rule_group *group = probe_of(p, rule, i);
		uint64_t key = (uint64_t)first_member(p, group) << 32 | other;
		size_t at = seen_from(p, key);

		if (at == p->n_seen || p->seen[at].key != key ||
		    p->g->v[p->seen[at].value].n < group->n)
			return false;
	}
	return true;
}

/* Write for each URL of `rule` in which group it is, or that it is in none. */
static void mark_groups(struct pruning *p, uint32_t rule, bool in)
{
	for (size_t i = p->rules[rule].from; i < p->rules[rule].to; i++)
		for (uint32_t k = 0; k < p->g->v[i].n; k++)
			p->in_group[p->g->members[p->g->v[i].first + k]] =
				in ? (uint32_t)i + 1 : 0;
}

static bool is_within(struct pruning *p, uint32_t rule, uint32_t other)
{
	if (p->marked != other) {
		if (p->marked != UINT32_MAX)
			mark_groups(p, p->marked, false);
		mark_groups(p, other, true);
		p->marked = other;
	}
	for (size_t i = p->rules[rule].from; i < p->rules[rule].to; i++) {
		const uint32_t *v = p->g->members + p->g->v[i].first;

		for (uint32_t k = 0; k < p->g->v[i].n; k++)
			if (p->in_group[v[k]] == 0 ||
			    p->in_group[v[k]] != p->in_group[v[0]])
				return false;
	}
	return true;
}

static bool is_redundant(struct pruning *p, uint32_t rule)
{
	uint64_t url = first_member(p, probe_of(p, rule, 0));

	/* Better rules come first; of two equal ones the first stays. */
	for (size_t i = seen_from(p, url << 32); (uint32_t)p->seen[i].key < rule; i++) {
		uint32_t other = (uint32_t)p->seen[i].key;

		if (may_be_within(p, rule, other) && is_within(p, rule, other))
			return true;
	}
	return false;
}

void prune(const struct groups *groups, const struct group_span *rules, size_t n,
	   size_t n_urls, bool *redundant)
{
	struct pruning p = { .g = groups, .rules = rules, .marked = UINT32_MAX };

	p.is_probe = xcalloc(n_urls / 64 + 1, sizeof(*p.is_probe));
	p.in_group = xcalloc(n_urls + 1, sizeof(*p.in_group));
	choose_probes(&p, n);
	see_probes(&p, n);
	for (uint32_t r = 0; r < n; r++)
		redundant[r] =
			r > 0 && rules[r].from < rules[r].to && is_redundant(&p, r);
	free(p.is_probe);
	free(p.in_group);
	free(p.seen);
}
