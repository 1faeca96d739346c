/*
 * ssm.h - keyword tables compared: SS_M of seed 003 and S_S of seed 004.
 *
 * Seed 003 prints one formula and computes another.  For a keyword in both
 * tables, at ranks a and b (from 1), the print says
 *     ln(count a / count b) * ln|1 + (a - b)|
 * and its tables 3 to 5 leave out the second logarithm:
 *     ln(count a / count b) * |1 + (a - b)|
 * and likewise for keywords in one table only, ln(1 + |T|) against 1 + |T|.
 * SSM_PRINTED and SSM_TABLES are the two.  Its sizes do not agree with its
 * tables either (T2 has 10 rows; 11 is used in table 4 and 12 in N), so they
 * can be given.
 */
#ifndef METHOD_SSM_H
#define METHOD_SSM_H

#include "method/method.h"

struct ssm_keyword {
	uint64_t hash;
	uint32_t count;
};

enum ssm_formula { SSM_PRINTED, SSM_TABLES };

struct ssm_sizes {
	double t1, t2; /* |T1|, |T2| in the scores; 0: the rows of the table */
	double n;      /* N; 0: (|T1| + |T2|) / 2 */
};

struct ssm_score {
	double common, only_1, only_2; /* sums of S_DC, S_DT1, S_DT2 */
	double sum, score;             /* SS_M = sum / N */
};

#define SSM_THRESHOLD 19.5043
#define SSM_PRIME     4 /* prime keywords of seed 003 */
#define SS_PRIME      3 /* main keywords of seed 004 */

/* Tables in the order of their ranks. */
struct ssm_score ssm_score(const struct ssm_keyword *t1, size_t n1,
			   const struct ssm_keyword *t2, size_t n2,
			   enum ssm_formula formula, const struct ssm_sizes *sizes);
/* S_S: mean difference of counts over page 1, plus the mean count of the rest of page 2.
 */
double ss_score(const struct ssm_keyword *p1, size_t n1, const struct ssm_keyword *p2,
		size_t n2);
/* Pages are compared only when their most frequent keywords are the same set. */
uint64_t ssm_block_key(const struct ssm_keyword *t, size_t n, unsigned prime);

size_t ssm_make(const struct document *, const struct feature_options *, struct buf *);
bool ssm_valid(struct str payload);
double ssm_printed_measure(struct str a, struct str b);
double ssm_tables_measure(struct str a, struct str b);
double ss_measure(struct str a, struct str b);
#endif
