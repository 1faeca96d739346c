/*
 * study.h - the threshold studies of the thesis on any set of clusters.
 *
 * What a set is like (tables 6.1 and 6.2), how alike the URLs are that are aligned with
 * each other (table 5.1), and what Card_set, min_freq, min_supp and the size of the
 * sample do to the rules (tables 6.3 to 6.5 and 6.12).  Rows are measured by
 * cross-validation on a share of the clusters; what they suggest can be measured on the
 * other clusters.  Nothing is printed here.
 */
#ifndef LEARN_STUDY_H
#define LEARN_STUDY_H

#include "align/multi.h"
#include "learn/compare.h"

/* Of the clusters of two or more URLs. */
struct set_statistics {
	uint64_t clusters, urls, tokens;
	uint64_t small, large; /* of at most OFFER_SAMPLE URLs, and of more */
	uint64_t largest;
	uint64_t alone; /* URLs that are no duplicates */
	uint64_t sites, site_least, site_most;
	uint64_t cluster_sites; /* sites of each cluster, added up */
};

void set_statistics_make(const struct url_set *urls, struct set_statistics *ret);

/* The mean over clusters of the mean score of their alignments, as a share of the longer
 * side; `error` is 1.96 standard errors. */
struct alignment_scores {
	double mean, error;
	uint64_t clusters;
};

/* On `share` of the clusters, samples of `k` URLs (0: all). */
void alignment_scores_make(const struct url_set *urls, enum multi_method method, size_t k,
			   double share, uint64_t seed, struct alignment_scores *ret);

enum study_what {
	STUDY_CARD,    /* table 6.3 */
	STUDY_FREQ,    /* table 6.4 */
	STUDY_SUPPORT, /* table 6.5 */
	STUDY_SAMPLE,  /* table 6.12: 10 URLs, then 0, the entire clusters */
};

struct study_row {
	uint64_t value;
	struct metrics m;
};

#define STUDY_ROWS_MAX 10

struct study {
	struct study_row v[STUDY_ROWS_MAX];
	size_t n;
	size_t best; /* most coverage at `precision`; of several, fewest rules */
};

/* `how` of `c`; all but what is varied stays as in `c->learn`. */
must_use enum status study_make(const struct comparison *c,
				const struct compared_method *how, enum study_what what,
				double precision, struct study *ret, struct diag *why);
#endif
