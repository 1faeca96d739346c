/*
 * validate.h - what each rule would merge, rightly and wrongly (algorithm 3).
 *
 * Every rule is applied to the URLs of a validation set; URLs that get the
 * same key from the same rule form a group, and each pair in a group is an
 * instance: right when both stand in one cluster.  Pairs are counted, never
 * listed.  Counts are kept by rule and site, so that a rule can lose the one
 * site that contradicts it.
 *
 * An operation is tried alone, on every host; a URL it leaves alone counts as
 * an instance when another URL becomes equal to it.
 */
#ifndef LEARN_VALIDATE_H
#define LEARN_VALIDATE_H

#include "dust/rule.h"
#include "learn/group.h"

struct validate_options {
	const uint8_t *role; /* of each cluster; NULL: all clusters are used */
	uint8_t use;         /* bits of the role that take part */
	unsigned threads;
	bool with_plain; /* a URL that a rewrite leaves alone is an instance when it is
			    the key of another; the seed's rules match both anyway */
};

/* The rules of `rules` in their order are numbered from 0. */
void validate(const struct rule_set *rules, const struct url_set *urls,
	      const struct validate_options *options, struct groups *ret);
#endif
