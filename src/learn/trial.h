/*
 * trial.h - each operation of a rule set by itself, on one URL after the other.
 *
 * The operations that could change a URL are found by what the URL has: the names of
 * its parameters, its host, its last segment.  The rule set must outlive the trial and
 * stay as it is; threads may share one.
 */
#ifndef LEARN_TRIAL_H
#define LEARN_TRIAL_H

#include "base/map.h"
#include "dust/rule.h"

struct trial_link {
	uint32_t rule;
	uint32_t next; /* of the same kind and name, + 1 */
};

struct trial {
	const struct rule_set *rules;
	struct plan *alone; /* by rule: a plan of this operation only */
	struct map by_name; /* kind and name -> first of the links, + 1 */
	struct trial_link *links;
	size_t n_links, links_cap;
	uint32_t *unnamed; /* rules of the kinds without a name */
	size_t n_unnamed, unnamed_cap;
	uint32_t *prefixes; /* rules that drop all parameters of a prefix, "utm_*" */
	size_t n_prefixes, prefixes_cap;
	bool any;
};

/* Told of every operation that changes the URL; the key lives during the call. */
typedef void trial_emit(void *to, uint32_t rule, struct str key);

void trial_init(struct trial *t, const struct rule_set *rules);
void trial_release(struct trial *t);
void trial_run(const struct trial *t, struct str url, trial_emit *emit, void *to);
#endif
