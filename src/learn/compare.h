/*
 * compare.h - the ways to learn rules, measured on the same folds of the same clusters.
 *
 * Each fold is once the test set, on which nothing was learnt (evaluate.h); the counts of
 * all folds and repetitions are added.  Nothing is printed here; a comparison is made
 * by one thread, learning inside it may use more.
 */
#ifndef LEARN_COMPARE_H
#define LEARN_COMPARE_H

#include "learn/evaluate.h"

enum rule_source {
	SOURCE_LEARNT,
	SOURCE_STATIC, /* the shipped rules */
	SOURCE_SUN,    /* nothing: all URLs are normalised already */
};

struct compared_method {
	const char *name;
	enum rule_source source;
	enum learn_method method;
	bool families, known; /* beyond the seed; with the shipped rules to begin with */
};

#define COMPARED_METHODS 8
extern const struct compared_method compared_methods[COMPARED_METHODS];
/* NULL when there is no method of that name. */
const struct compared_method *compared_method_find(struct str name);

struct comparison {
	const struct url_set *urls;
	struct learn_options learn; /* all but method, families, known, role, fpr_max */
	unsigned n_folds;
	uint64_t repeat, seed;
	bool within_hosts, pooled;
	bool of_domains; /* tests are of domains never seen */
	/* Clusters whose place in a shuffled order (cluster_share()) is in here take
	 * part; zeros: all. */
	struct range part;
	double noise; /* share of the URLs learnt from that get another one's label */
	/* Told of wrong merges, with the rules of the run; may be NULL. */
	void (*wrong)(void *arg, const struct rule_set *rules,
		      const struct wrong_merge *m);
	void *arg;
};

/* Clusters that take part. */
size_t comparison_clusters(const struct comparison *c);
/* The counts of one method over all folds and repetitions. */
must_use enum status comparison_run(const struct comparison *c,
				    const struct compared_method *how, double fpr,
				    struct metrics *ret, struct diag *why);
#endif
