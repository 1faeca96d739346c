#include "query/star.h"

#include <stdlib.h>

#include "base/alloc.h"

#define SETS_LOOKED 512 /* or so, of a segment: a sample does for an estimate */

void star_add(struct star *s, unsigned leaf, uint64_t predicate, double count)
{
	if (s->n == STAR_TRIPLES)
		return;
	s->v[s->n].leaf = leaf;
	s->v[s->n].predicate = predicate;
	s->v[s->n].count = count;
	s->v[s->n].share = 1;
	s->n++;
	s->leaves |= (uint64_t)1 << leaf;
}

void star_release(struct star *s)
{
	free(s->profiles);
	*s = (struct star){ 0 };
}

bool star_predicate(const struct snapshot *from, uint64_t predicate,
		    struct predicate_stats *ret)
{
	*ret = (struct predicate_stats){ 0 };
	for (size_t i = 0; i < from->n_runs; i++) {
		const struct predicate_stats *p =
			stats_find(&from->runs[i]->stats, predicate);

		if (!p)
			continue;
		ret->triples += p->triples;
		ret->subjects += p->subjects;
		ret->objects += p->objects;
	}
	return ret->triples > 0;
}

/* The profile of a mask; when there are too many, one that has less: nothing is lost. */
static struct star_profile *profile_for(struct star *s, uint32_t mask)
{
	struct star_profile *near = NULL;

	for (size_t i = 0; i < s->n_profiles; i++) {
		struct star_profile *p = &s->profiles[i];

		if (p->mask == mask)
			return p;
		if ((p->mask & mask) == p->mask &&
		    (!near ||
		     __builtin_popcount(p->mask) > __builtin_popcount(near->mask)))
			near = p;
	}
	if (s->n_profiles == STAR_PROFILES)
		return near;
	near = &s->profiles[s->n_profiles++];
	near->mask = mask;
	return near;
}

/* `weight`: for how many sets this one stands. */
static void add_set(struct star *s, const struct stats *stats,
		    const struct characteristic_set *set, double weight)
{
	double triples[STAR_TRIPLES] = { 0 };
	struct star_profile *p;
	uint32_t mask = 0;

	for (uint32_t m = 0; m < set->n; m++) {
		const struct set_member *member = &stats->members[set->first + m];

		for (unsigned i = 0; i < s->n; i++)
			if (s->v[i].predicate == member->predicate) {
				mask |= (uint32_t)1 << i;
				triples[i] = (double)member->triples;
			}
	}
	if (!mask || !(p = profile_for(s, mask)))
		return;
	p->subjects += weight * (double)set->subjects;
	for (unsigned i = 0; i < s->n; i++)
		p->triples[i] += weight * triples[i];
}

void star_look_up(struct star *s, const struct snapshot *from)
{
	struct predicate_stats stats;
	uint64_t wanted = 0;

	if (s->looked_up)
		return;
	s->looked_up = true;
	s->profiles = xcalloc(STAR_PROFILES, sizeof(*s->profiles));
	for (unsigned i = 0; i < s->n; i++) {
		wanted |= stats_signature(s->v[i].predicate);
		if (s->v[i].count >= 0 && star_predicate(from, s->v[i].predicate, &stats))
			s->v[i].share = s->v[i].count / (double)stats.triples;
	}
	for (size_t r = 0; r < from->n_runs; r++) {
		const struct stats *known = &from->runs[r]->stats;
		size_t stride = known->n_sets / SETS_LOOKED + 1;

		for (size_t i = 0; i < known->n_sets; i += stride)
			if (known->sets[i].signature & wanted)
				add_set(s, known, &known->sets[i], (double)stride);
	}
}

double star_rows(const struct star *s, uint64_t leaves)
{
	double sum = 0, share = 1;
	uint32_t mask = 0;

	for (unsigned i = 0; i < s->n; i++)
		if (leaves >> s->v[i].leaf & 1) {
			mask |= (uint32_t)1 << i;
			share *= s->v[i].share;
		}
	for (size_t p = 0; p < s->n_profiles; p++) {
		const struct star_profile *profile = &s->profiles[p];
		double rows = profile->subjects;

		if ((profile->mask & mask) != mask)
			continue;
		for (uint32_t left = mask; left; left &= left - 1)
			rows *= profile->triples[__builtin_ctz(left)] / profile->subjects;
		sum += rows;
	}
	return sum * share;
}
