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
#ifndef BASELINE_BASELINE_H
#define BASELINE_BASELINE_H

#include "align/candidates.h"
#include "align/url_set.h"

#define FANOUT 10

/* Which clusters a baseline reads, and how much of each. */
struct baseline_options {
	const uint8_t *role; /* of each cluster (ROLE_TRAIN ...); NULL: all train */
	size_t sample; /* URLs per cluster; fanout pairs SAMPLE_PAIRED_MAX at most */
	uint64_t seed; /* from which the sample is drawn */
};

void fanout_candidates(const struct url_set *urls, const struct baseline_options *options,
		       struct candidates *ret);
void tree_candidates(const struct url_set *urls, const struct baseline_options *options,
		     struct candidates *ret);
#endif
