/*
 * regex.h - XPath regular expressions through PCRE2, compiled once a query.
 *
 * Matching is bounded in steps and memory, so that a hostile pattern is an error of
 * its row; and what it takes is told to the query, so that many such rows run into
 * its limit of time.
 */
#ifndef EVAL_REGEX_H
#define EVAL_REGEX_H

#include "base/buf.h"

struct regexes {
	struct compiled *v; /* the latest is tried first */
	size_t n, cap;
};

/* Told of the work done, in units of exec_work(); false: stop. */
struct regex_budget {
	bool (*spend)(void *context, size_t units);
	void *context;
};

void regexes_release(struct regexes *r);
/* False for a bad pattern, a bad flag or a match that takes too long. */
bool regex_find(struct regexes *r, const struct regex_budget *budget, struct str text,
		struct str pattern, struct str flags, bool *ret_found);
/* fn:replace: $1 is a group, \$ and \\ are themselves; no empty match allowed. */
bool regex_replace(struct regexes *r, const struct regex_budget *budget, struct str text,
		   struct str pattern, struct str flags, struct str by, struct buf *to);
#endif
