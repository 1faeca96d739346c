/*
 * star.h - how many rows a star of triples around one subject has.  Only for this room.
 *
 * The characteristic sets of the segments say which predicates subjects have
 * together.  A sample of them is looked through once for a star, and what it says about
 * its predicates is kept as a few profiles: so many subjects have just these of them,
 * with so many triples each.  After that any part of the star is a short sum.
 */
#ifndef QUERY_STAR_H
#define QUERY_STAR_H

#include "store/snapshot.h"

#define STAR_TRIPLES  32 /* more are not looked at */
#define STAR_PROFILES 64 /* kinds of subjects; the rarest are merged into others */

struct star_profile {
	uint32_t mask; /* triples of the star whose predicate these subjects have */
	double subjects;
	double triples[STAR_TRIPLES];
};

struct star {
	uint64_t leaves; /* the numbers of its triples, as bits */
	unsigned n;
	struct {
		unsigned leaf;
		uint64_t predicate;
		double count; /* with a constant object: how many; negative: a variable */
		double share; /* of the triples with the predicate that have this object
			       */
	} v[STAR_TRIPLES];
	struct star_profile *profiles;
	size_t n_profiles;
	bool looked_up;
};

/* Triple number `leaf`, below 64. */
void star_add(struct star *s, unsigned leaf, uint64_t predicate, double count);
/* Once; what is only in memory is not known in detail. */
void star_look_up(struct star *s, const struct snapshot *from);
/* Rows of the join of some of its triples, given as bits; 0 when nothing is known. */
double star_rows(const struct star *s, uint64_t leaves);
void star_release(struct star *s);

/* Sums over the segments; false when they know nothing of it. */
bool star_predicate(const struct snapshot *from, uint64_t predicate,
		    struct predicate_stats *ret);
#endif
