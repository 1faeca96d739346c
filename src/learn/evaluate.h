/*
 * evaluate.h - how well rules do on clusters they were not learnt from (2.5.2).
 *
 * Clusters are split into folds by a seeded hash; in each run one fold is the
 * test set, and the rest is divided between training and validation, as the
 * seed does.  Counts of all runs are added before rates are taken.
 */
#ifndef LEARN_EVALUATE_H
#define LEARN_EVALUATE_H

#include "dust/index.h"
#include "learn/learn.h"

struct metrics {
	uint64_t urls, clusters;           /* N_orig, C_orig */
	uint64_t keys, clusters_left;      /* N_norm, C_norm */
	uint64_t instances, right;         /* pairs joined, and of one cluster */
	uint64_t collapsed_wrong;          /* URLs lost to another cluster's key */
	uint64_t candidates, valid, rules; /* of the method, all runs */
	uint64_t applied;                  /* rules that joined some pair */
	double learn_s, apply_s;
	struct range {
		double least, most;
	} coverage, precision; /* of single splits */
};

/* What measure() counts; not what is learnt, nor the ranges. */
void metrics_add(struct metrics *to, const struct metrics *m);
double metrics_compression(const struct metrics *m); /* equation 2.2 */
double metrics_coverage(const struct metrics *m);    /* equation 2.3 */
double metrics_precision(const struct metrics *m);   /* equation 2.4 */
double metrics_per_rule(const struct metrics *m);    /* equation 2.5, by applied rule */

/* Called for each pair of neighbours in a group that stand in different clusters. */
struct wrong_merge {
	struct str a, b, key;
	uint32_t rewrite; /* of `a`; RULE_NONE */
};

typedef void (*wrong_merge_fn)(void *arg, const struct wrong_merge *m);

/* Add what the rules do to the clusters of role `use` (role may be NULL: all). */
void measure(const struct url_set *urls, const uint8_t *role, uint8_t use,
	     const struct rule_index *rules, struct metrics *add_to, wrong_merge_fn wrong,
	     void *arg);

struct folds {
	uint8_t *fold; /* of each cluster; FOLD_NONE takes no part */
	unsigned n;
	bool pooled; /* all that is not the test both trains and validates */
};

#define FOLD_NONE 255

void folds_release(struct folds *f);
/*
 * With `within_hosts` only clusters on hosts that have two or more clusters of
 * several URLs take part, and each host deals its clusters to all folds.
 */
void folds_make(const struct url_set *urls, unsigned n, uint64_t seed, bool within_hosts,
		struct folds *ret);
/* The clusters of a domain are in one fold: tests are of domains never seen. */
void folds_make_of_domains(const struct url_set *urls, unsigned n, uint64_t seed,
			   struct folds *ret);
/* The place of a cluster in an order shuffled by the seed, 0 to 1; not that of the folds.
 */
double cluster_share(const struct url_set *urls, size_t cluster, uint64_t seed);
/* The roles of run `nr`: ROLE_TEST, ROLE_TRAIN, ROLE_VALIDATE or 0 a cluster. */
void folds_roles(const struct folds *f, size_t n_clusters, unsigned nr, uint8_t *ret);
#endif
