/*
 * shapes.h - what the seed saw in its figures 9 to 15, held against a sweep of its grids.
 *
 * Each claim of the seed's chapter 11 becomes a number of this sweep and whether it
 * agrees.  The plane is the exact stripped DOM, the check that Crawljax had.  Pure.
 */
#ifndef CALIBRATE_SHAPES_H
#define CALIBRATE_SHAPES_H

#include "base/json.h"
#include "calibrate/recommend.h"

#define SHAPES_MAX 12

enum shape_verdict { SHAPE_AGREES, SHAPE_DIFFERS, SHAPE_ONLY_SHOWN };

struct shape {
	const char *what; /* "crawlhash, words, size 1" */
	const char *seed; /* what the seed says */
	char ours[120];
	enum shape_verdict verdict;
};

struct shapes {
	struct shape v[SHAPES_MAX];
	size_t n; /* 0: the sweep has not the seed's grids, or nothing is labelled */
};

void shapes_make(const struct sample_set *s, const struct sweep *sw, struct shapes *ret);
void shapes_add_json(const struct shapes *s, struct json_out *o);
#endif
