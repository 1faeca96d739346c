/* features.h - the hashes of a template in words: "html > body > ul.menu > li". */
#ifndef OVERVIEW_FEATURES_H
#define OVERVIEW_FEATURES_H

#include "base/intern.h"
#include "base/map.h"

struct feature_names {
	struct map by_hash; /* hash of a way -> id + 1 in `names` */
	struct intern names;
};

void feature_names_release(struct feature_names *f);
/* Learn the ways of a page. */
void feature_names_add(struct feature_names *f, struct str html);
/* The id of a way; one nobody told is named by its number. */
uint32_t feature_id(struct feature_names *f, uint64_t hash);
#endif
