/*
 * prune.h - rules that another rule makes superfluous (algorithm 6).
 *
 * A rule refines another when every pair it joins is joined by the other too,
 * that is, when each of its groups lies within one group of the other.  No
 * pair is ever listed: a rule is compared, group by group, only with better rules
 * that join a few of its URLs as it does.
 */
#ifndef LEARN_PRUNE_H
#define LEARN_PRUNE_H

#include "learn/validate.h"

/* The groups of one rule. */
struct group_span {
	size_t from, to;
};

/*
 * `rules` are `n` rules, best first.  Sets redundant[rule] for each of them; a rule
 * without groups is not redundant.
 */
void prune(const struct groups *groups, const struct group_span *rules, size_t n,
	   size_t n_urls, bool *redundant);
#endif
