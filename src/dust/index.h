/*
 * index.h - a set of rules compiled, so that a URL meets only those that could match.
 *
 * Rewrites are found by (host, shape); the shape of a URL is its sequence of
 * / ? & #, that of a context every such sequence it can match.  Universal rules,
 * and rules of very many sites, are found by shape alone and the host is
 * checked after.  Operations are merged into one plan a host.
 *
 * The index borrows the rule set, which must stay as it is.  Looking up does
 * not change it, so threads may share it; each needs a scratch of its own.
 */
#ifndef DUST_INDEX_H
#define DUST_INDEX_H

#include "base/hash.h"
#include "base/map.h"
#include "dust/rule.h"
#include "dust/word_filter.h"

#define RULE_NONE UINT32_MAX
/* A context that can take more shapes than this is noise and refused. */
#define SHAPES_MAX 256

struct rule_index {
	const struct rule_set *set;
	struct plan *plans; /* plans[0] holds the universal operations alone */
	size_t n_plans, plans_cap;
	struct plan
		*hosts; /* aliases and subdomains, which name their hosts themselves */
	struct map plan_of; /* hash of host -> plan */
	struct map by_host; /* host and shape -> where in `ids`, and how many */
	struct map by_shape;
	struct map covered; /* rule and host, for rules found by shape alone */
	uint32_t *ids;      /* lists of rules, best first */
	size_t n_ids;
	struct word_filter *filters; /* by rule */
};

struct rule_scratch {
	struct tokens tokens;
	struct buf operated, out;
	struct str captures[PATTERN_CAPTURES_MAX];
};

/* What became of a URL. */
struct rule_applied {
	struct str key;        /* in the scratch, or the URL itself */
	struct plan_used used; /* operations that changed it */
	uint32_t rewrite;      /* or RULE_NONE */
};

void rule_index_release(struct rule_index *x);
void rule_scratch_release(struct rule_scratch *s);
/* Rules that are not active are left out. */
void rule_index_build(struct rule_index *x, const struct rule_set *set);
/* How many shapes the context can take; SHAPES_MAX + 1 for too many. */
size_t pattern_shapes(const struct url_pattern *p, uint64_t *ret);

/*
 * The canonical key of a normalised URL: the operations of its host, then the
 * first rule in order that matches.  A URL past the bounds of token.h is its
 * own key.
 */
void rule_index_apply(const struct rule_index *x, struct str url, struct rule_scratch *s,
		      struct rule_applied *ret);

/* Walk the rewrites that could match `url`, a URL of `host`, best first. */
struct rule_walk {
	const struct rule_index *index;
	uint64_t host;
	struct word_bits words;
	const uint32_t *one, *one_end, *two, *two_end;
};

void rule_walk_start(struct rule_walk *w, const struct rule_index *x, struct str host,
		     const struct tokens *url);
/* RULE_NONE at the end. */
uint32_t rule_walk_next(struct rule_walk *w);
#endif
