/*
 * known_places.h - where on a page stands what is known to be on it?
 *
 * For each object its values are looked for in the text and the attributes of elements;
 * what holds all values of one object and none of another is its container.  Elements
 * are described as steps of XPath: tag and class, tag and beginning of the id, tag.
 */
#ifndef APPLEARN_KNOWN_PLACES_H
#define APPLEARN_KNOWN_PLACES_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/json.h"

#define PLACES_FIELDS 16

struct place_votes {
	struct intern steps; /* expressions */
	uint32_t *n;         /* votes of each */
	size_t cap;
};

struct known_places {
	struct place_votes object;                /* "//article[has-class('entry')]" */
	struct place_votes fields[PLACES_FIELDS]; /* relative to it */
};

/* `objects` are of one kind; `names` the fields that are looked for. */
void known_places_add(struct known_places *k, struct str html,
		      const struct json *const *objects, size_t n,
		      const struct str *names, size_t n_names);
void known_places_release(struct known_places *k);
#endif
