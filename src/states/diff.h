/*
 * diff.h - what changed between two crawls of one application.
 *
 * States are matched by template; one whose template is gone while its URL has a
 * new one counts as changed.  Edges are matched by where they start and by what is
 * done to which element (tag and text), so that moving an element changes nothing.
 * Pure; the texts live in the diff.
 */
#ifndef STATES_DIFF_H
#define STATES_DIFF_H

#include "states/model.h"

enum diff_kind { DIFF_STATE, DIFF_EDGE, DIFF_PROBLEM, DIFF_KINDS };
enum diff_what { DIFF_ADDED, DIFF_GONE, DIFF_CHANGED, DIFF_WHATS };

struct diff_item {
	enum diff_kind kind;
	enum diff_what what;
	struct str text;
};

struct diff {
	struct diff_item *items; /* by kind, then in the order of the crawls */
	size_t n, cap;
	size_t counts[DIFF_KINDS][DIFF_WHATS];
	struct arena bytes;
};

void diff_make(const struct model *before, const struct model *after, struct diff *ret);
void diff_release(struct diff *d);
const char *diff_kind_name(enum diff_kind kind);
const char *diff_what_name(enum diff_what what);
#endif
