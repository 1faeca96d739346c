/*
 * identity.h - when are two observations the same state?
 *
 * Two fingerprints: the template (the set of ways to all elements, see template.h)
 * and the content (a method of sketch/).  Observations with equal bytes in both
 * are one raw state; others have a distance on each axis.  Pure.
 */
#ifndef STATES_IDENTITY_H
#define STATES_IDENTITY_H

#include "states/content.h"
#include "states/simulate.h"

#define TEMPLATE_PATHS_MAX 20000
#define CONTENT_FARTHEST \
	128 /* no content distance is larger; as threshold it ignores all */

struct identity {
	uint64_t *paths; /* ascending, without repetition */
	size_t path_count;
	struct str content; /* fingerprint of the method */
	uint64_t template_hash;
	uint64_t key; /* of both: equal for the same raw state */
};

/* All memory in `a`. */
void identity_make(const struct observation *o, const struct content *content,
		   struct arena *a, struct identity *ret);
struct state_distance identity_distance(const struct identity *a,
					const struct identity *b,
					const struct method *content_method);
/* 1 - Jaccard; two empty sets are equal. */
double path_distance(const struct identity *a, const struct identity *b);
#endif
