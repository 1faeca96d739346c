/*
 * prune.h - rules that another rule makes superfluous (algorithm 6).
 *
 * A rule refines another when every pair it joins is joined by the other too,
 * that is, when each of its groups lies within one group of the other.  No
 * pair is ever listed: a rule is compared only with better rules that share
 * its least shared URL, and group by group.
 */
#ifndef DUST_PRUNE_H
#define DUST_PRUNE_H

#include "dust/validate.h"

/*
 * `groups` are by rule, and rules are numbered best first.  Sets
 * redundant[rule] for each of them; a rule without groups is not redundant.
 */
void prune(const struct groups *groups, size_t n_rules, size_t n_urls, bool *redundant);
#endif
