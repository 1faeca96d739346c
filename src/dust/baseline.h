/*
 * baseline.h - the methods the seed compares with, on the same footing: they
 * offer candidates, and validation, pruning and applying are shared.
 *
 * fanout-10 (Dasgupta et al. 2008, as the seed describes it): a URL is a list
 * of components; two duplicates that differ in exactly one of them (the single
 * key requirement) give a rule.  A component that takes more than ten values on
 * the site is generalised to *, otherwise its value is kept.
 *
 * tree (Lei et al. 2010): the URLs of a site are split from the top into a
 * pattern tree, at the component of least entropy; values that are frequent
 * have their own child, all others share *.  Duplicates that fall into two
 * leaves, or into one, make a rule between their patterns.  Within sites only.
 */
#ifndef DUST_BASELINE_H
#define DUST_BASELINE_H

#include "dust/learn.h"

#define FANOUT 10

void fanout_candidates(const struct url_set *urls, const struct learn_options *options,
		       struct candidates *ret);
void tree_candidates(const struct url_set *urls, const struct learn_options *options,
		     struct candidates *ret);
#endif
